// popscope_export_bench: measures traces of a large profile, for a quarter of the steps and for all steps. Prints
// events, bytes, CPU time and peak memory of the process. Memory must not grow with the events.
#include "report/export/ChromeTrace.hpp"
#include "report/export/JsonLines.hpp"
#include "report/export/PerfettoTrace.hpp"
#include "report/pop/PopFile.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace popscope;

namespace {

CompilationRecord compilation(std::size_t tiles) {
  CompilationRecord r;
  r.poplarVersion = "0.0.0 (bench)";
  r.target = {"IPU_MODEL", "ipu2", 1, tiles, 1, Bytes(638976), 1.33e9, 6, {}, {}};
  r.programs.resize(4);
  const char *types[] = {"Sequence", "Repeat", "DoExchange", "OnTileExecute"};
  for (std::size_t i = 0; i < 4; ++i) {
    r.programs[i].type = types[i];
    r.programs[i].name = i < 2 ? "" : "layer/step " + std::to_string(i);
    r.programs[i].parent = i < 2 ? static_cast<std::int64_t>(i) - 1 : 1;
  }
  r.programs[3].computeSet = 0;
  r.computeSets = {{"layer/step 3", {}, {}}};
  r.controlPrograms = {0};
  r.tiles.resize(tiles);
  return r;
}

/// Writes a profile whose steps take 1,000 cycles and alternate between exchange and compute; tile t works 500 + t %
/// 400 cycles.
void writeProfile(const std::string &path, std::size_t tiles, std::size_t steps) {
  PopWriter writer(path);
  writer.compilation(compilation(tiles));
  writer.beginRun({"train", 0, 0, 0});
  for (std::size_t i = 0; i < steps; ++i) {
    StepRecord step;
    step.program = 2 + static_cast<std::uint32_t>(i % 2);
    StepOnIpu ipu;
    ipu.cycles = Cycles(1000);
    ipu.activeTiles = tiles;
    ipu.allFromMin = ipu.allFromMax = ipu.activeFromMin = ipu.activeFromMax = Cycles(i * 1000);
    ipu.allToMin = ipu.allToMax = ipu.activeToMin = ipu.activeToMax = Cycles((i + 1) * 1000);
    ipu.busyCycles = Cycles(700 * tiles);
    ipu.dataIn = ipu.dataOut = Bytes(i % 2 == 0 ? 4 * tiles : 0);
    step.ipus = {ipu};
    for (std::size_t t = 0; t < tiles; ++t)
      step.cyclesByTile.push_back(static_cast<std::uint32_t>(500 + t % 400));
    writer.step(step);
  }
  RunTotals totals;
  totals.totalCycles = Cycles(steps * 1000);
  writer.endRun(totals, 0);
  writer.finish();
}

using Writer = TimelineResult (*)(std::ostream &, const pva::Report &, const TimelineOptions &);

/// Measures in a separate process, so that the peak memory is that of this measurement.
void measure(const char *name, Writer writer, const std::string &profile, const std::string &steps,
             const std::string &to) {
  const pid_t child = fork();
  if (child == 0) {
    TimelineOptions options;
    options.maxEvents = steps.empty() ? 0 : std::stoull(steps);
    options.selection.tiles = "all";
    const std::clock_t start = std::clock();
    std::ofstream out(to, std::ios::binary);
    const TimelineResult result = writer(out, pva::openReport(profile), options);
    out.close();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("{:<10} {:>11} events {:>8.1f} MB {:>7.2f} s CPU {:>8.1f} MB at most\n", name, result.events,
               static_cast<double>(std::filesystem::file_size(to)) / 1e6,
               static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, static_cast<double>(usage.ru_maxrss) / 1024);
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::filesystem::remove(to);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app{"Traces of a large profile"};
  std::size_t tiles = 1472, steps = 7000;
  std::string folder = std::filesystem::temp_directory_path().string();
  app.add_option("--tiles", tiles, "Tiles, each with a lane");
  app.add_option("--steps", steps, "Executed steps");
  app.add_option("--folder", folder, "Where the profile and the traces go");
  CLI11_PARSE(app, argc, argv);
  const std::string profile = folder + "/export_bench.pop", trace = folder + "/export_bench.trace";
  writeProfile(profile, tiles, steps);
  fmt::print("{} tiles, {} steps, profile {:.1f} MB\n", tiles, steps,
             static_cast<double>(std::filesystem::file_size(profile)) / 1e6);
  std::fflush(stdout);
  for (const std::string &most : {std::to_string(tiles * steps / 4), std::string()}) {
    measure("chrome", writeChromeTrace, profile, most, trace);
    measure("perfetto", writePerfettoTrace, profile, most, trace);
  }
  measure("jsonl", writeJsonLines, profile, "", trace);
  std::filesystem::remove(profile);
  return 0;
}
