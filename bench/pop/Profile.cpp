#include "bench/pop/Profile.hpp"

#include "report/pop/PopFile.hpp"
#include "report/summary/Summary.hpp"

#include <fmt/format.h>
#include <pva/pva.hpp>

#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <sstream>

using namespace popscope;

namespace {

/// Returns the CPU time of `work`; wall time would depend on the load of the machine.
double cpuMilliseconds(const std::function<void()> &work) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

CompilationRecord compilation(std::size_t tiles) {
  CompilationRecord r;
  r.poplarVersion = "0.0.0 (bench)";
  r.target = {"IPU_MODEL", "ipu2", 1, tiles, 1, Bytes(638976), 1.33e9, 6, {}, {}};
  r.vertexTypes = {{"bench::Vertex<float>", Bytes(16), tiles, Bytes(16 * tiles), {}, "estimate"}};
  r.computeSets = {{"bench/compute", {{0, {}}}, {}}};
  r.programs.resize(3);
  r.programs[0].type = "Sequence";
  r.programs[1].type = "DoExchange";
  r.programs[2].type = "OnTileExecute";
  r.programs[2].computeSet = 0;
  for (std::size_t i = 1; i < 3; ++i)
    r.programs[i].parent = 0;
  r.controlPrograms = {0};
  r.tiles.resize(tiles);
  return r;
}

/// Returns a step with the distribution of structuredData in Main.cpp.
StepRecord step(std::mt19937_64 &random, std::size_t tiles, std::size_t i) {
  StepRecord s;
  s.program = 1 + static_cast<std::uint32_t>(i % 2);
  const auto kind = random() % 10, base = 100 + random() % 50000, cut = random() % tiles;
  for (std::size_t t = 0; t < tiles; ++t)
    s.cyclesByTile.push_back(static_cast<std::uint32_t>(kind < 3   ? base
                                                        : kind < 5 ? (t < cut ? base : 0)
                                                        : kind < 8 ? base * (1 + t * 4 / tiles)
                                                                   : base + random() % 256));
  StepOnIpu ipu;
  ipu.cycles = Cycles(base);
  ipu.activeTiles = tiles;
  ipu.allFromMin = ipu.activeFromMin = Cycles(i * 60000);
  s.ipus = {ipu};
  if (i % 2 != 0)
    s.vertexTypes = {{0, tiles, Cycles(base)}};
  return s;
}

/// Returns six slots that make up the step's cycles: equal on half of the tiles, with one of six emptier on the others.
std::shared_ptr<const SlotCycles> slotsOf(const StepRecord &step) {
  auto slots = std::make_shared<SlotCycles>();
  slots->slots = 6;
  for (std::uint32_t t = 0; t < step.cyclesByTile.size(); ++t) {
    if (step.cyclesByTile[t] == 0)
      continue;
    slots->tiles.push_back(t);
    for (std::uint32_t s = 0; s < 6; ++s)
      slots->threadCycles.emplace_back(step.cyclesByTile[t] / 6 * (t % 2 != 0 && s == 5 ? 1 : 2) / 2);
    slots->supervisor.emplace_back();
  }
  return slots;
}

} // namespace

void bench::measureProfile(std::size_t tiles, std::size_t steps, Slots kind, const std::string &path) {
  std::shared_ptr<const SlotCycles> same;
  std::mt19937_64 random(7);
  double write = 0;
  {
    PopWriter writer(path);
    writer.compilation(compilation(tiles));
    writer.beginRun({"bench", 0, 0, 0});
    constexpr std::size_t kBatch = 1000; // created outside of the measured time
    for (std::size_t first = 0; first < steps; first += kBatch) {
      std::vector<StepRecord> batch;
      for (std::size_t i = first; i < std::min(steps, first + kBatch); ++i)
        batch.push_back(step(random, tiles, i));
      for (std::size_t i = 1; i < batch.size() && kind != Slots::None; i += 2) { // steps with a compute set
        if (!same || kind == Slots::Changing)
          same = slotsOf(batch[i]);
        batch[i].slots = same;
      }
      write += cpuMilliseconds([&] {
        for (const auto &record : batch)
          writer.step(record);
      });
    }
    write += cpuMilliseconds([&] {
      writer.endRun({}, 0);
      writer.finish();
    });
  }
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  fmt::print(
      "profile of {} tiles x {} steps, CPU time: written in {:.0f} ms ({:.1f} us per step), {:.1f} MB ({:.3f} B a "
      "tile-step)\n",
      tiles, steps, write, write * 1000 / static_cast<double>(steps), bytes / 1e6,
      bytes / static_cast<double>(tiles * steps));
  fmt::print("  open and first answer    {:.2f} ms\n",
             cpuMilliseconds([&] { (void)pva::openReport(path).execution().totalCycles().total(); }));
  const pva::Report report = pva::openReport(path);
  fmt::print("  the same again           {:.2f} ms\n",
             cpuMilliseconds([&] { (void)pva::openReport(path).execution().totalCycles().total(); }));
  const auto all = report.execution().steps();
  std::uint64_t sum = 0;
  constexpr std::size_t kReads = 200;
  const double one = cpuMilliseconds([&] {
    for (std::size_t i = 0; i < kReads; ++i)
      sum += all[random() % steps].cyclesByTile()[0];
  });
  fmt::print("  one step, all tiles      {:.1f} us (mean of {}, through pva, at random)\n", one * 1000 / kReads,
             kReads);
  for (const char *which : {"first", "again"})
    fmt::print("  one tile, all steps      {:.2f} ms ({})\n",
               cpuMilliseconds([&] { sum += report.execution().cyclesOfTile(tiles / 2)[0]; }), which);
  const auto summary = [&](const char *what, bool stepList) {
    std::ostringstream text;
    SummaryOptions options;
    options.showExecutionSteps = stepList;
    const double time = cpuMilliseconds([&] { printSummary(text, pva::openReport(path), options); });
    fmt::print("  summary, {:<15} {:.1f} ms, {} characters\n", what, time, text.str().size());
  };
  summary("no step list", false);
  summary("with step list", true);
  fmt::print("  (checksum {})\n", sum);
}
