#include "bench/pop/Answers.hpp"

#include "base/StorageCategory.hpp"
#include "report/answers/PrintRows.hpp"
#include "report/answers/View.hpp"
#include "report/pop/PopFile.hpp"
#include "report/whatif/WhatIfAnswers.hpp"
#include "target-models/costs/CostModel.hpp"
#include "target-models/model/TileMachine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <sstream>

using namespace popscope;

namespace {

constexpr std::size_t kVariables = 2000, kTilesOfVariable = 64, kPlaces = 40;
constexpr std::size_t kMessageSizes = 256; // of 1, 2, 3 ... words
constexpr double kLimit = 100;             // ms

double milliseconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

TileMachine machineOf(std::size_t tiles) {
  TileMachine machine = loadTileMachine("ipu2");
  machine.tilesPerIpu = static_cast<std::uint32_t>(tiles);
  return machine;
}

/// The kinds of steps, which alternate: syncs, exchanges and compute sets.
enum class Kind : std::uint8_t { Sync, Exchange, Execute };
Kind kindOf(std::size_t step) { return static_cast<Kind>(step % 3); }

/// Adds one message from a neighbour to each tile, with the machine's cost.
void addMessages(const CostModel &costs, std::size_t tiles, std::mt19937_64 &random, ProgramTilesRecord &p) {
  for (std::uint32_t t = 0; t < tiles; ++t) {
    const std::uint64_t words = 1 + random() % kMessageSizes;
    const Bytes bytes(4 * words);
    p.bytesSent.emplace_back(t, bytes.count());
    p.bytesReceived.emplace_back(t, bytes.count());
    p.messageSizes.emplace_back(t, words);
    p.receiveDistance.emplace_back(t, 1);
    const std::uint64_t transfer = costs.exchangeTransfer(bytes, 1).count();
    p.estimatedCycles.emplace_back(t,
                                   std::max(transfer, costs.exchangeLatency(TileId(0), TileId(1)).count() + transfer));
  }
}

void addMachine(const CostModel &costs, std::size_t tiles, CompilationRecord &r) {
  r.target.machine = tileMachineToJson(costs.machine());
  SyncDelayRecord delay{"internal", false, {}, {}};
  for (std::uint32_t t = 0; t < tiles; ++t) {
    delay.toController.push_back(static_cast<std::uint32_t>(costs.syncArrival(TileId(t)).count()));
    delay.fromController.push_back(
        static_cast<std::uint32_t>(costs.syncRelease(SyncKind::Internal, TileId(t)).count()));
  }
  r.syncDelays.push_back(std::move(delay));
  for (std::uint32_t words = 1; words <= kMessageSizes; ++words) {
    MessageSizesRecord sizes;
    sizes.buses = 1;
    sizes.bytes = {4 * words};
    sizes.messages = {1};
    r.messageSizes.push_back(std::move(sizes));
  }
}

/// Returns a record in which step i is program i + 1.
CompilationRecord compilation(const CostModel &costs, std::size_t tiles, std::size_t steps, std::mt19937_64 &random) {
  CompilationRecord r;
  r.poplarVersion = "0.0.0 (bench)";
  r.target = {"IPU_MODEL", "ipu2", 1, tiles, 1, Bytes(costs.machine().bytesPerTile), costs.machine().clockHz,
              6,           {},     {}};
  addMachine(costs, tiles, r);
  r.vertexTypes = {{"bench::Vertex<float>", Bytes(16), tiles, Bytes(16 * tiles), {}, "estimate"}};
  r.programs.resize(steps + 1);
  r.programTiles.resize(r.programs.size());
  r.programs[0].type = "Sequence";
  for (std::size_t i = 1; i <= steps; ++i) {
    ProgramRecord &p = r.programs[i];
    p.name = fmt::format("Layer{}/{}", i / 10, i % 10);
    p.parent = 0;
    p.livenessPoint = true;
    switch (kindOf(i - 1)) {
    case Kind::Sync:
      p.type = "Sync";
      p.barriers = {"internal"};
      break;
    case Kind::Exchange:
      p.type = "DoExchange";
      addMessages(costs, tiles, random, r.programTiles[i]);
      break;
    case Kind::Execute:
      p.type = "OnTileExecute";
      p.computeSet = static_cast<std::int64_t>(r.computeSets.size());
      r.computeSets.push_back({p.name, {{0, {}}}, {}});
    }
    r.livenessSteps.push_back({static_cast<std::uint32_t>(i), {}, {Bytes()}});
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
    variable.bytes = Bytes(64 * bytes.size());
    for (std::uint32_t step = first; step < end; ++step) {
      r.livenessSteps[step - 1].bytes += variable.bytes;
      r.livenessSteps[step - 1].bytesByIpu[0] += variable.bytes;
    }
    r.variables.push_back(std::move(variable));
  }
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    TileMemoryRecord &m = r.tiles[tile];
    m.category[static_cast<std::size_t>(StorageCategory::Variable)][0][0] = Bytes(64 * kPlaces);
    m.totalExcludingGaps = m.totalIncludingGaps = m.excludingGaps[0] = m.includingGaps[0] = Bytes(64 * kPlaces);
    m.alwaysLiveBytes = Bytes(64);
    for (std::uint32_t p = 0; p < kPlaces; ++p) {
      LoweredVariableRecord place;
      place.variable = -1;
      place.name = r.variableNames.intern("place");
      place.tile = tile;
      place.offset = Bytes(64 * p);
      place.bytes = Bytes(64);
      place.alignment = 8;
      place.occupiedClass = static_cast<std::int64_t>((tile * kPlaces + p) % kVariables);
      r.loweredVariables.push_back(place);
    }
  }
  return r;
}

/// The clocks of the tiles during the steps.
class Clocks {
public:
  explicit Clocks(std::size_t tiles) : now_(tiles) {}
  [[nodiscard]] Cycles latest() const { return *std::max_element(now_.begin(), now_.end()); }

  StepOnIpu sync(const SyncDelayRecord &delay) {
    StepOnIpu ipu = begin();
    Cycles last;
    for (std::size_t t = 0; t < now_.size(); ++t)
      last = std::max(last, now_[t] + Cycles(delay.toController[t]));
    for (std::size_t t = 0; t < now_.size(); ++t)
      now_[t] = last + Cycles(delay.fromController[t]);
    end(ipu);
    return ipu;
  }
  /// Advances the clocks. `together`: as in an exchange, all tiles start with the last one and end with the longest.
  StepOnIpu work(const std::vector<std::uint32_t> &busy, bool together) {
    StepOnIpu ipu = begin();
    const Cycles start = latest(), longest(*std::max_element(busy.begin(), busy.end()));
    for (std::size_t t = 0; t < now_.size(); ++t) {
      now_[t] = together ? start + longest : now_[t] + Cycles(busy[t]);
      ipu.busyCycles += Cycles(busy[t]);
    }
    end(ipu);
    ipu.cycles = longest;
    ipu.activeTiles = now_.size();
    return ipu;
  }

private:
  [[nodiscard]] StepOnIpu begin() const {
    StepOnIpu ipu;
    ipu.allFromMin = ipu.activeFromMin = *std::min_element(now_.begin(), now_.end());
    ipu.allFromMax = ipu.activeFromMax = latest();
    return ipu;
  }
  void end(StepOnIpu &ipu) const {
    ipu.allToMin = ipu.activeToMin = *std::min_element(now_.begin(), now_.end());
    ipu.allToMax = ipu.activeToMax = latest();
  }
  std::vector<Cycles> now_;
};

/// Writes the profile. `programs`: number of programs in the loop that the steps execute; equal to `steps` if there is
/// no loop.
void write(std::size_t tiles, std::size_t steps, std::size_t programs, const std::string &path) {
  std::mt19937_64 random(11);
  const CostModel costs(machineOf(tiles));
  const CompilationRecord compiled = compilation(costs, tiles, programs, random);
  PopWriter writer(path);
  writer.compilation(compiled);
  writer.beginRun({"bench", 0, 0, 0});
  RunTotals totals;
  Clocks clocks(tiles);
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t program = i % programs + 1;
    const Kind kind = kindOf(program - 1);
    StepRecord s;
    s.program = static_cast<std::uint32_t>(program);
    const std::uint64_t most = 100 + random() % 5000;
    for (std::uint32_t t = 0; t < tiles && kind == Kind::Execute; ++t)
      s.cyclesByTile.push_back(static_cast<std::uint32_t>(1 + random() % most));
    for (std::uint32_t t = 0; t < tiles && kind == Kind::Exchange; ++t)
      s.cyclesByTile.push_back(static_cast<std::uint32_t>(compiled.programTiles[program].estimatedCycles[t].second));
    s.ipus = {kind == Kind::Sync ? clocks.sync(compiled.syncDelays[0])
                                 : clocks.work(s.cyclesByTile, kind == Kind::Exchange)};
    const Cycles busy = s.ipus[0].busyCycles;
    if (kind == Kind::Execute)
      s.vertexTypes = {{0, tiles, busy}};
    (kind == Kind::Execute ? totals.compute : totals.exchange) += busy;
    writer.step(s);
  }
  totals.totalCycles = clocks.latest();
  totals.sync = tiles * totals.totalCycles - totals.compute - totals.exchange;
  writer.endRun(totals, 0);
  writer.finish();
}

struct Cost {
  double wall = 1e9, cpu = 1e9; // ms
};

/// Measures one view, from opening the file to its text.
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

/// Returns the number of views that took more than 100 ms.
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
      if (view.folder || std::string(view.name) == "check") // check is numbers with a budget
        continue;
      if (std::string(view.name) == "whatif")
        for (const auto &[key, value] :
             {std::pair("workers", "4"), std::pair("sync-delay", "60"), std::pair("exchange-bytes-per-cycle", "8")})
          print(fmt::format("whatif --{} {}", key, value), view, {{key, value}});
      else
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

std::size_t bench::measureAnswers(std::size_t tiles, std::size_t steps, std::size_t programs, const std::string &path) {
  write(tiles, steps, programs == 0 ? steps : programs, path);
  fmt::print("answers about {} tiles x {} steps{}, wall and CPU time, the least of three, the profile opened anew for "
             "each\n",
             tiles, steps, programs == 0 ? "" : fmt::format(" of {} programs in a loop", programs));
  return askAll(path);
}

std::size_t bench::measureAnswersOf(const std::string &path) {
  fmt::print("answers about {}, wall and CPU time, the least of three, the profile opened anew for each\n", path);
  return askAll(path);
}
