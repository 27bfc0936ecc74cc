#include "bench/pop/Answers.hpp"

#include "base/StorageCategory.hpp"
#include "report/answers/PrintRows.hpp"
#include "report/answers/View.hpp"
#include "report/pop/PopFile.hpp"
#include "report/whatif/WhatIfAnswers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <sstream>

using namespace popscope;

namespace {

constexpr std::size_t kVariables = 2000, kTilesOfVariable = 64, kPlaces = 40;
constexpr double kLimit = 100; // ms

double milliseconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

/// Step i is program i + 1: exchanges and compute sets in turn.
CompilationRecord compilation(std::size_t tiles, std::size_t steps, std::mt19937_64 &random) {
  CompilationRecord r;
  r.poplarVersion = "0.0.0 (bench)";
  r.target = {"IPU_MODEL", "ipu2", 1, tiles, 1, 638976, 1.33e9, 6, 0, {}};
  r.vertexTypes = {{"bench::Vertex<float>", 16, tiles, 16 * tiles, {}, "estimate"}};
  r.programs.resize(steps + 1);
  r.programs[0].type = "Sequence";
  for (std::size_t i = 1; i <= steps; ++i) {
    ProgramRecord &p = r.programs[i];
    p.type = i % 2 != 0 ? "DoExchange" : "OnTileExecute";
    p.name = fmt::format("Layer{}/{}", i / 10, i % 10);
    p.parent = 0;
    p.livenessPoint = true;
    if (i % 2 == 0) {
      p.computeSet = static_cast<std::int64_t>(r.computeSets.size());
      r.computeSets.push_back({p.name, {{0, {}}}, {}});
    }
    r.livenessSteps.push_back({static_cast<std::uint32_t>(i), 0, {0}});
  }
  r.controlPrograms = {0};
  r.tiles.resize(tiles);
  for (std::size_t v = 0; v < kVariables; ++v) {
    const auto first = static_cast<std::uint32_t>(1 + random() % steps),
               end = static_cast<std::uint32_t>(std::min<std::size_t>(steps + 1, first + 1 + random() % 200));
    r.livenessClasses.push_back({{{first, end}}});
    LiveVariableRecord variable;
    variable.name = r.variableNames.intern(fmt::format("Layer{}/var{}", first / 10, v));
    variable.liveClass = static_cast<std::int64_t>(v);
    const std::size_t start = random() % tiles;
    std::map<std::uint32_t, std::uint64_t> bytes;
    for (std::size_t t = 0; t < std::min(kTilesOfVariable, tiles); ++t)
      bytes[static_cast<std::uint32_t>((start + t) % tiles)] = 64;
    variable.bytesByTile.assign(bytes.begin(), bytes.end());
    variable.bytes = 64 * bytes.size();
    for (std::uint32_t step = first; step < end; ++step) {
      r.livenessSteps[step - 1].bytes += variable.bytes;
      r.livenessSteps[step - 1].bytesByIpu[0] += variable.bytes;
    }
    r.variables.push_back(std::move(variable));
  }
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    TileMemoryRecord &m = r.tiles[tile];
    m.category[static_cast<std::size_t>(StorageCategory::Variable)][0][0] = 64 * kPlaces;
    m.totalExcludingGaps = m.totalIncludingGaps = m.regionExcludingGaps[0] = m.regionIncludingGaps[0] = 64 * kPlaces;
    m.alwaysLiveBytes = 64;
    for (std::uint32_t p = 0; p < kPlaces; ++p) {
      LoweredVariableRecord place;
      place.variable = -1;
      place.name = r.variableNames.intern("place");
      place.tile = tile;
      place.offset = 64 * p;
      place.bytes = 64;
      place.alignment = 8;
      place.occupiedClass = static_cast<std::int64_t>((tile * kPlaces + p) % kVariables);
      r.loweredVariables.push_back(place);
    }
  }
  return r;
}

void write(std::size_t tiles, std::size_t steps, const std::string &path) {
  std::mt19937_64 random(11);
  PopWriter writer(path);
  writer.compilation(compilation(tiles, steps, random));
  writer.beginRun({"bench", 0, 0, 0});
  RunTotals totals;
  for (std::size_t i = 0; i < steps; ++i) {
    StepRecord s;
    s.program = static_cast<std::uint32_t>(i + 1);
    StepOnIpu ipu;
    ipu.cycles = 100 + random() % 5000;
    for (std::size_t t = 0; t < tiles; ++t) {
      s.cyclesByTile.push_back(static_cast<std::uint32_t>(random() % (ipu.cycles + 1)));
      ipu.busyCycles += s.cyclesByTile.back();
    }
    ipu.activeTiles = tiles;
    ipu.allFromMin = ipu.allFromMax = ipu.activeFromMin = ipu.activeFromMax = totals.totalCycles;
    totals.totalCycles += ipu.cycles;
    ipu.allToMin = ipu.allToMax = ipu.activeToMin = ipu.activeToMax = totals.totalCycles;
    (i % 2 != 0 ? totals.compute : totals.exchange) += ipu.busyCycles;
    s.ipus = {ipu};
    if (i % 2 != 0)
      s.vertexTypes = {{0, tiles, ipu.busyCycles}};
    writer.step(s);
  }
  totals.sync = tiles * totals.totalCycles - totals.compute - totals.exchange;
  writer.endRun(totals, 0);
  writer.finish();
}

struct Cost {
  double wall = 1e9, cpu = 1e9; // ms
};

/// From opening the file to the text.
Cost ask(const ViewRow &view, const std::string &path, const std::map<std::string, std::string> &options,
         std::string &note) {
  const double wall = milliseconds(CLOCK_MONOTONIC), cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
  Request request;
  request.report = pva::openReport(path);
  request.profile = path;
  if (view.twoProfiles)
    request.other = pva::openReport(path);
  for (const ViewOption &option : view.options)
    request.options[keyOf(option)] = option.usual;
  for (const auto &[key, value] : options)
    request.options[key] = value;
  try {
    std::ostringstream text;
    printText(text, view.collect(request), Style(false), 100);
  } catch (const AnswerError &e) {
    note = std::string("  (no answer: ") + e.what() + ")";
  }
  return {milliseconds(CLOCK_MONOTONIC) - wall, milliseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu};
}

/// How many took more than 100 ms.
std::size_t askAll(const std::string &path) {
  std::size_t slow = 0;
  const auto print = [&](const std::string &name, const ViewRow &view,
                         const std::map<std::string, std::string> &options) {
    std::string note;
    Cost least;
    for (int i = 0; i < 3; ++i) {
      const Cost cost = ask(view, path, options, note);
      least = {std::min(least.wall, cost.wall), std::min(least.cpu, cost.cpu)};
    }
    slow += least.wall > kLimit ? 1 : 0;
    fmt::print("  {:<32} {:7.1f} {:7.1f} ms{}{}\n", name, least.wall, least.cpu,
               least.wall > kLimit ? "  more than 100" : "", note);
  };
  for (const std::vector<ViewRow> *rows : {&views(), &whatIfViews()})
    for (const ViewRow &view : *rows) {
      if (view.folder || std::string(view.name) == "check") // check is numbers and a budget
        continue;
      print(view.name, view, {});
      for (const ViewOption &option : view.options)
        if (const std::string key = keyOf(option); key == "of" || key == "report")
          for (const char *value : option.values)
            if (std::string(value) != option.usual)
              print(std::string(view.name) + " --" + key + " " + value, view, {{key, value}});
    }
  return slow;
}

} // namespace

std::size_t bench::measureAnswers(std::size_t tiles, std::size_t steps, const std::string &path) {
  write(tiles, steps, path);
  fmt::print("answers about {} tiles x {} steps, wall and CPU time, the least of three, the profile opened anew for "
             "each\n",
             tiles, steps);
  return askAll(path);
}

std::size_t bench::measureAnswersOf(const std::string &path) {
  fmt::print("answers about {}, wall and CPU time, the least of three, the profile opened anew for each\n", path);
  return askAll(path);
}
