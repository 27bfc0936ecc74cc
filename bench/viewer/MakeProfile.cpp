// Makes a profile of any size for the viewer's benchmark. The program has STEPS steps, half compute sets and half
// exchanges, each executed once. The profile contains the memory of each tile by category. Each step writes one
// variable, which is live for twenty steps; 20 further variables per tile are always live. A tile holds up to about 300
// variables of steps. Each exchange sends from up to 64 tiles to their neighbours.
//
// Usage: popscope_viewer_profile TILES STEPS FILE. A multiple of 1,472 tiles makes several IPUs. All numbers come from
// a fixed seed.
#include "report/pop/PopFile.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>

using namespace popscope;

namespace {

using Random = std::mt19937_64;

constexpr std::size_t kIpuTiles = 1472;

TileMemoryRecord memoryOf(Random &random) {
  TileMemoryRecord m;
  for (std::size_t c = 0; c < 6; ++c) {
    const Bytes bytes(1000 + random() % (c < 2 ? 60000 : 9000));
    m.category[c][0][0] = m.usedBy[c] = bytes;
    m.totalExcludingGaps += bytes;
  }
  m.totalIncludingGaps = m.includingGaps[0] = m.totalExcludingGaps + Bytes(random() % 2000);
  m.excludingGaps[0] = m.totalExcludingGaps;
  m.alwaysLiveBytes = m.totalExcludingGaps / 2;
  m.maxNotAlwaysLiveBytes = m.totalExcludingGaps - m.alwaysLiveBytes;
  return m;
}

void addVariable(CompilationRecord &r, const std::string &name, bool always, std::int64_t liveClass) {
  LiveVariableRecord v;
  v.name = r.variableNames.intern(name);
  v.alwaysLive = always;
  v.liveClass = liveClass;
  r.variables.push_back(v);
}

// variables that are live one after another share addresses
constexpr std::size_t kWeights = 20, kSlots = 50, kSlotBytes = 1024;
constexpr std::uint32_t kLife = 20; // steps

/// Records the place of a variable on a tile, and adds its bytes there.
void place(CompilationRecord &r, std::size_t tile, std::size_t variable, std::size_t slot) {
  LiveVariableRecord &v = r.variables[variable];
  LoweredVariableRecord l;
  l.variable = static_cast<std::int64_t>(variable);
  l.name = v.name;
  l.tile = static_cast<std::uint32_t>(tile);
  l.offset = Bytes(slot * kSlotBytes);
  l.bytes = Bytes(256 + variable % 96 * 8);
  l.alignment = 8;
  l.category = v.category;
  l.alwaysLive = v.alwaysLive;
  l.overlapped = !v.alwaysLive;
  l.occupiedClass = v.liveClass;
  v.bytes += l.bytes;
  v.bytesByTile.emplace_back(l.tile, l.bytes.count());
  r.loweredVariables.push_back(l);
}

void addVariables(CompilationRecord &r, std::size_t tiles, std::size_t steps) {
  const auto end = static_cast<std::uint32_t>(steps + 1);
  r.livenessClasses = {{}, {{{0, end}}}};
  for (std::size_t w = 0; w < kWeights; ++w)
    addVariable(r, "layer" + std::to_string(w) + "/weights", true, 1);
  for (std::uint32_t s = 1; s < end; ++s) {
    addVariable(r, r.programs[s].name + "/out", false, static_cast<std::int64_t>(s) + 1);
    r.livenessClasses.push_back({{{s, std::min(end, s + kLife)}}});
  }
  const std::size_t places = std::clamp<std::size_t>(600000 / tiles, 1, 300);
  const std::size_t apart = std::max<std::size_t>(1, steps / places); // distance between the variables on a tile
  for (std::size_t t = 0; t < tiles; ++t) {
    for (std::size_t w = 0; w < kWeights; ++w)
      place(r, t, w, w);
    for (std::size_t v = t % apart; v < steps; v += apart)
      place(r, t, kWeights + v, kWeights + v / apart % kSlots);
  }
  r.advice.present = true;
  for (std::uint32_t v = 0; v < r.variables.size(); ++v) {
    const std::uint64_t elements = std::max<std::uint64_t>(1, r.variables[v].bytes.count() / 4);
    const auto access = [&](std::uint32_t program, std::uint64_t read, std::uint64_t written) {
      if (program < end)
        r.advice.accesses.push_back({v, program, elements, read, written, 0});
    };
    for (std::uint32_t s = v; v < kWeights && s < end; s += 100)
      access(s, elements, 0);
    if (const auto s = static_cast<std::uint32_t>(v - kWeights + 1); v >= kWeights) {
      access(s, 0, elements);
      access(s + 7, elements / 2, 0);
      access(s + kLife - 1, elements, 0);
    }
  }
}

constexpr std::size_t kSenders = 64;

/// Returns an exchange in which up to 64 tiles send to the next tile.
ProgramTilesRecord exchange(Random &random, std::size_t tiles) {
  ProgramTilesRecord r;
  const std::size_t senders = std::min(kSenders, tiles - 1), first = random() % (tiles - senders);
  for (std::size_t t = first; t < first + senders; ++t) {
    const auto from = static_cast<std::uint32_t>(t);
    const std::uint32_t bytes = 4 * (1 + static_cast<std::uint32_t>(random() % 200));
    r.bytesSent.emplace_back(from, bytes);
    r.bytesReceived.emplace_back(from + 1, bytes);
    r.exchangeCode.emplace_back(from, 24);
    r.traffic.fromGroups.push_back(from);
    r.traffic.toGroups.push_back(from + 1);
    r.traffic.bytes.push_back(bytes);
  }
  return r;
}

CompilationRecord compilation(Random &random, std::size_t tiles, std::size_t steps) {
  CompilationRecord r;
  r.poplarVersion = "0.0.0 (bench)";
  const std::size_t ipus = tiles % kIpuTiles == 0 ? tiles / kIpuTiles : 1;
  r.target = {"IPU_MODEL", "ipu2", ipus, tiles / ipus, 1, Bytes(638976), 1.33e9, 6, {}, {}};
  r.vertexTypes = {{"bench::Vertex<float>", Bytes(16), tiles, Bytes(16 * tiles), {}, "estimate"}};
  r.programs.resize(steps + 1);
  r.programTiles.resize(steps + 1);
  r.programs[0].type = "Sequence";
  for (std::size_t i = 1; i <= steps; ++i) {
    ProgramRecord &p = r.programs[i];
    p.parent = 0;
    p.livenessPoint = true;
    p.type = i % 2 == 0 ? "OnTileExecute" : "DoExchange";
    p.name = "layer" + std::to_string(i / 20) + (i % 2 == 0 ? "/work" : "/move") + std::to_string(i % 20);
    if (i % 2 == 0) {
      p.computeSet = static_cast<std::int64_t>(r.computeSets.size());
      r.computeSets.push_back({p.name, {{0, {}}}, {}});
    } else if (tiles > 1) {
      r.programTiles[i] = exchange(random, tiles);
    }
    r.livenessSteps.push_back({static_cast<std::uint32_t>(i), Bytes(1000000 + random() % 4000000), {}});
  }
  r.controlPrograms = {0};
  for (std::size_t t = 0; t < tiles; ++t)
    r.tiles.push_back(memoryOf(random));
  addVariables(r, tiles, steps);
  r.alwaysLiveBytes = Bytes(3000000);
  r.maxLiveBytes = Bytes(8000000);
  return r;
}

StepRecord step(Random &random, std::size_t tiles, std::size_t i, Cycles start) {
  StepRecord s;
  s.program = static_cast<std::uint32_t>(i + 1);
  const std::uint64_t kind = random() % 10, base = 100 + random() % 50000, cut = random() % tiles;
  for (std::size_t t = 0; t < tiles; ++t)
    s.cyclesByTile.push_back(static_cast<std::uint32_t>(kind < 3   ? base
                                                        : kind < 5 ? (t <= cut ? base : 0)
                                                        : kind < 8 ? base * (4 * tiles + t) / (5 * tiles)
                                                                   : base - random() % (base < 256 ? base : 256)));
  const std::size_t ipus = tiles % kIpuTiles == 0 ? tiles / kIpuTiles : 1, per = tiles / ipus;
  for (std::size_t ipu = 0; ipu < ipus; ++ipu) {
    StepOnIpu on;
    for (std::size_t t = ipu * per; t < (ipu + 1) * per; ++t) {
      on.cycles = std::max(on.cycles, Cycles(s.cyclesByTile[t]));
      on.busyCycles += Cycles(s.cyclesByTile[t]);
      on.activeTiles += s.cyclesByTile[t] != 0;
    }
    on.allFromMin = on.allFromMax = on.activeFromMin = on.activeFromMax = start;
    on.allToMin = on.activeToMin = start;
    on.allToMax = on.activeToMax = start + on.cycles;
    on.dataIn = on.dataOut = Bytes(i % 2 == 0 ? 4 * on.activeTiles : 0);
    s.ipus.push_back(on);
  }
  if (i % 2 != 0)
    s.vertexTypes = {{0, tiles, Cycles(base)}};
  return s;
}

void make(std::size_t tiles, std::size_t steps, const std::string &path) {
  Random random(7);
  PopWriter writer(path);
  writer.compilation(compilation(random, tiles, steps));
  writer.beginRun({"bench", 0, 0, 0});
  RunTotals totals;
  for (std::size_t i = 0; i < steps; ++i) {
    const StepRecord s = step(random, tiles, i, totals.totalCycles);
    Cycles longest;
    for (const StepOnIpu &on : s.ipus) {
      longest = std::max(longest, on.cycles);
      (i % 2 != 0 ? totals.compute : totals.exchange) += on.busyCycles;
    }
    totals.totalCycles += longest + Cycles(100);
    writer.step(s);
  }
  totals.threadCycles = totals.compute / 2;
  totals.sync = totals.totalCycles * tiles - totals.compute - totals.exchange;
  writer.endRun(totals, 0);
  writer.finish();
}

} // namespace

int main(int argc, char **argv) {
  try {
    if (argc != 4)
      throw std::invalid_argument("usage: popscope_viewer_profile TILES STEPS FILE");
    make(std::stoul(argv[1]), std::stoul(argv[2]), argv[3]);
    return 0;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "popscope_viewer_profile: %s\n", e.what());
    return 1;
  }
}
