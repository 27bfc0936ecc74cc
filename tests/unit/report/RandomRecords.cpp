#include "RandomRecords.hpp"

#include "base/StorageCategory.hpp"

using namespace popscope;

namespace {
using Random = std::mt19937_64;

std::uint64_t below(Random &random, std::uint64_t n) { return n == 0 ? 0 : random() % n; }
std::uint64_t figure(Random &random) { return random() >> (1 + below(random, 60)); } // of any magnitude
Bytes someBytes(Random &random) { return Bytes(figure(random)); }
Cycles someCycles(Random &random) { return Cycles(figure(random)); }
std::string name(Random &random) {
  static const char *const kNames[] = {"", "a/b", "x<float,half>::y", "\xC3\xA9 'quoted' \"twice\"", "<anon>", "a/b"};
  return kNames[below(random, std::size(kNames))];
}
TileValues tileValues(Random &random, std::uint64_t tiles) {
  TileValues values;
  const std::uint64_t oneIn = 1 + below(random, 20);
  for (std::uint32_t t = 0; t < tiles; ++t)
    if (below(random, oneIn) == 0)
      values.emplace_back(t, 1 + figure(random));
  return values;
}

void addPrograms(Random &random, CompilationRecord &r, std::uint64_t tiles) {
  static const char *const kTypes[] = {"Sequence", "DoExchange", "Sync", "OnTileExecute", "Repeat", "Call"};
  for (std::uint64_t i = 0, n = 1 + below(random, 12); i < n; ++i) {
    ProgramRecord p;
    p.type = kTypes[below(random, 6)];
    p.name = name(random);
    p.parent = static_cast<std::int64_t>(below(random, i + 1)) - 1;
    p.isFunction = below(random, 2) != 0;
    p.computeSet = static_cast<std::int64_t>(below(random, r.computeSets.size() + 1)) - 1;
    p.controlCodeEveryTile = someBytes(random);
    ProgramTilesRecord on;
    for (TileValues *v : {&on.controlCode, &on.exchangeCode, &on.bytesSent, &on.bytesReceived, &on.estimatedCycles,
                          &on.counterCycles, &on.messagesReceived, &on.receiveLatency, &on.receiveTransfer,
                          &on.receiveControls, &on.counterStores, &on.receiveDistance, &on.messageSizes})
      *v = tileValues(random, tiles);
    for (std::uint64_t link = below(random, 3); link > 0; --link)
      on.links.push_back({static_cast<std::uint32_t>(below(random, 2)), static_cast<std::uint32_t>(below(random, 2)),
                          someBytes(random), tileValues(random, tiles)});
    on.traffic.tilesPerGroup = 1U << below(random, 3);
    const std::uint64_t groups = (tiles + on.traffic.tilesPerGroup - 1) / on.traffic.tilesPerGroup;
    for (std::uint64_t pair = below(random, 90); pair > 0; --pair) {
      on.traffic.fromGroups.push_back(static_cast<std::uint32_t>(below(random, groups)));
      on.traffic.toGroups.push_back(static_cast<std::uint32_t>(below(random, groups)));
      on.traffic.bytes.push_back(static_cast<std::uint32_t>(figure(random)));
    }
    if (on.traffic.bytes.empty())
      on.traffic = {};
    for (std::uint64_t more = below(random, 3); more > 0; --more)
      p.moreContexts.push_back(1 + below(random, 3));
    p.exchangeCodeOf = static_cast<std::int64_t>(below(random, i + 1)) - 1;
    p.debugContext = below(random, 3);
    for (std::uint64_t barrier = below(random, 3); barrier > 0; --barrier)
      p.barriers.emplace_back(barrier == 1 ? "internal" : "external");
    p.count = figure(random);
    p.isFunction = p.isFunction || i == 0;
    p.callee = p.type == "Call" && below(random, 3) != 0 ? 0 : -1;
    p.livenessPoint = true;
    r.programs.push_back(p);
    r.programTiles.push_back(on);
    r.livenessSteps.push_back(
        {static_cast<std::uint32_t>(i), someBytes(random), {someBytes(random), someBytes(random)}});
  }
  r.controlPrograms = {0};
}

void addCosts(Random &random, CompilationRecord &r, std::uint64_t tiles) {
  r.debugContexts = below(random, 2) != 0;
  r.machineCosts = {{"exchange.bytesPerCycle", 4, "bytes per cycle"}, {"link", 0.5, ""}};
  r.target.machine = below(random, 2) == 0 ? "" : "{\"name\":\"m\"}";
  for (std::uint64_t set = below(random, 4); set > 0; --set) {
    MessageSizesRecord sizes;
    sizes.buses = static_cast<std::uint32_t>(1 + below(random, 3));
    for (std::uint64_t size = below(random, 100); size > 0; --size) {
      sizes.bytes.push_back(static_cast<std::uint32_t>(figure(random)));
      sizes.messages.push_back(static_cast<std::uint32_t>(1 + below(random, 9)));
    }
    r.messageSizes.push_back(std::move(sizes));
  }
  for (const char *kind : {"external", "internal"}) {
    SyncDelayRecord delay{kind, *kind == 'e', {}, {}};
    for (std::uint64_t t = 0; t < tiles; ++t) {
      delay.toController.push_back(static_cast<std::uint32_t>(figure(random)));
      delay.fromController.push_back(static_cast<std::uint32_t>(below(random, 200)));
    }
    r.syncDelays.push_back(delay);
  }
}

std::shared_ptr<const SlotCycles> slotCycles(Random &random, std::uint64_t tiles) {
  auto slots = std::make_shared<SlotCycles>();
  slots->slots = 6;
  const std::uint64_t oneIn = 1 + below(random, 4);
  for (std::uint32_t t = 0; t < tiles; ++t)
    if (below(random, oneIn) == 0) {
      slots->tiles.push_back(t);
      for (int s = 0; s < 6; ++s)
        slots->threadCycles.emplace_back(below(random, 2) == 0 ? 100 : below(random, 1U << 31));
      auto &dealt = slots->dealt.emplace_back();
      for (std::uint64_t runs = below(random, 3) == 0 ? below(random, 4) : 0; runs > 0; --runs)
        dealt.push_back({Cycles(1 + below(random, 3)), 1 + below(random, 50)});
      slots->supervisor.emplace_back(below(random, 3) == 0 ? below(random, 1000) : 0);
    }
  return slots;
}

void addMemory(Random &random, CompilationRecord &r, std::uint64_t tiles) {
  for (std::uint64_t t = 0; t < tiles; ++t) {
    TileMemoryRecord m;
    for (int i = 0; i < 6; ++i)
      m.category[below(random, kNumStorageCategories)][below(random, 3)][below(random, 2)] = someBytes(random);
    for (std::uint64_t i = 0; i < 3; ++i)
      m.usedBy[(t + 7 * i) % kNumStorageCategories] = Bytes(1000 * t + i + 1);
    for (auto *regions : {&m.excludingGaps, &m.includingGaps})
      for (auto &bytes : *regions)
        bytes = someBytes(random);
    for (auto *field : {&m.totalExcludingGaps, &m.totalIncludingGaps, &m.afterOverlapping, &m.lowerBoundOverlapped,
                        &m.alwaysLiveBytes, &m.maxNotAlwaysLiveBytes})
      *field = someBytes(random);
    r.tiles.push_back(m);
    r.verticesOnTile.push_back({static_cast<std::uint32_t>(t), 0, figure(random), someBytes(random), someBytes(random),
                                someBytes(random), someBytes(random), someBytes(random), someBytes(random)});
  }
  r.tilesOutOfMemory = {static_cast<std::uint32_t>(tiles - 1), 0};
}

void addVariables(Random &random, CompilationRecord &r, std::uint64_t tiles) {
  const auto end = static_cast<std::uint32_t>(r.programs.size());
  r.livenessClasses = {{{{0, end}}}, {}};
  for (std::uint64_t i = 0, n = 1 + below(random, 9); i < n; ++i) {
    const auto liveClass = static_cast<std::int64_t>(below(random, 3)) - 1;
    const auto category = static_cast<StorageCategory>(below(random, kNumStorageCategories));
    r.variables.push_back({r.variableNames.intern(name(random)),
                           someBytes(random),
                           liveClass < 0,
                           liveClass,
                           category,
                           tileValues(random, tiles),
                           {}});
    if (LiveVariableRecord &v = r.variables.back(); liveClass == 0 && !v.bytesByTile.empty() && below(random, 2) == 0)
      v.parts.push_back({1, Bytes(v.bytesByTile.front().second), {v.bytesByTile.front()}});
    r.loweredVariables.push_back({static_cast<std::int64_t>(i) - 1, r.variableNames.intern(name(random)),
                                  static_cast<std::uint32_t>(below(random, tiles)), someBytes(random),
                                  someBytes(random), 8, category, liveClass < 0, true, false, liveClass});
  }
}

void addAdvice(Random &random, CompilationRecord &r, std::uint64_t tiles) {
  const auto variable = [&] { return static_cast<std::uint32_t>(below(random, r.variables.size())); };
  const auto program = [&] { return static_cast<std::uint32_t>(below(random, r.programs.size())); };
  const auto perhaps = [&] { return static_cast<std::int64_t>(below(random, r.programs.size() + 1)) - 1; };
  AdviceRecord &a = r.advice;
  for (std::uint64_t i = below(random, 4); i > 0; --i)
    a.trials.push_back({i % 2 == 0 ? "alone" : "fit", "[]", name(random), figure(random), figure(random),
                        below(random, tiles), someBytes(random), someBytes(random), someBytes(random),
                        someBytes(random), someCycles(random)});
  a.present = below(random, 4) != 0;
  if (!a.present)
    return;
  for (std::uint64_t i = below(random, 5); i > 0; --i) {
    LiveExplanationRecord e{variable(), program(),      static_cast<std::uint32_t>(r.programs.size()),
                            perhaps(),  program(),      perhaps(),
                            {},         figure(random), "loop",
                            perhaps()};
    for (std::uint64_t m = below(random, kMissedRanges + 1); m > 0; --m)
      e.missed.emplace_back(10 * m, 10 * m + 1 + below(random, 9));
    a.explanations.push_back(e);
    a.falseLive.push_back(
        {variable(), program(), static_cast<std::uint32_t>(r.programs.size()), someBytes(random), someBytes(random)});
    a.placements.push_back({variable(), program(), someBytes(random), someBytes(random), below(random, 2) == 0});
  }
  for (std::uint32_t v = 0; v < r.variables.size(); ++v)
    for (std::uint32_t p = 0; p < r.programs.size(); ++p)
      if (const std::uint64_t elements = figure(random); below(random, 3) == 0)
        a.accesses.push_back({v, p, elements, below(random, elements + 1), elements, below(random, 2) * elements});
  a.candidates = figure(random);
  a.tried = figure(random);
  a.worstTile = static_cast<std::uint32_t>(below(random, tiles));
  a.worstProgram = program();
  a.worstPeak = someBytes(random);
  a.falseLiveAtPeak = someBytes(random);
  a.worstPeakAfterAll = someBytes(random);
}
} // namespace

CompilationRecord randomCompilation(Random &random) {
  CompilationRecord r;
  r.poplarVersion = "3.4.0 (test)";
  r.target = {"IPU", "ipu2", 2, 1 + below(random, 300), 1, Bytes(1 + figure(random)), 1.33e9, 6, Bytes(212992), {}};
  const std::uint64_t tiles = r.target.numIpus * r.target.tilesPerIpu;
  r.graph = {figure(random), figure(random), figure(random), figure(random)};
  r.codeIncluded = below(random, 2) != 0;
  r.options = {{"engine", "debug.instrument", "true", false}, {"target", "x", "", true}};
  r.optimisations = {{"merge copies", "programs", figure(random), figure(random)}};
  r.vertexTypes = {{"poplar_rt::A<float,2>", Bytes(4), figure(random), someBytes(random), {}, "estimate"}};
  r.computeSets = {{name(random), {{0, tileValues(random, tiles)}}, tileValues(random, tiles)}, {"empty", {}, {}}};
  for (auto &[tile, vertices] : r.computeSets[0].vertices[0].countByTile)
    vertices = 1 + (vertices >> 20); // so that their sum is no larger than a profile can contain
  addPrograms(random, r, tiles);
  addCosts(random, r, tiles);
  addMemory(random, r, tiles);
  addVariables(random, r, tiles);
  addAdvice(random, r, tiles);
  r.alwaysLiveBytes = someBytes(random);
  r.maxLiveBytes = someBytes(random);
  Random own(r.graph.numVertices); // a separate generator, so that later random numbers do not change
  if (ComputeSetVertices &v = r.computeSets[0].vertices[0]; below(own, 3) != 0) {
    v.flopVertices = v.countByTile.empty() ? 0 : 1;
    v.flops = v.countByTile.empty() ? -1 : static_cast<std::int64_t>(figure(own));
  }
  if (ComputeSetVertices &v = r.computeSets[0].vertices[0]; below(own, 3) != 0) {
    v.estimatedVertices = v.countByTile.empty() ? 0 : 1;
    v.estimatedCycles = v.countByTile.empty() ? Cycles() : Cycles(figure(own));
  }
  for (std::uint64_t operands = below(own, 4); operands > 0; --operands)
    r.computeSets[0].operands.push_back({0, name(own), "float", below(own, 2) != 0, below(own, 2) != 0, figure(own),
                                         figure(own), figure(own), figure(own), someBytes(own)});
  return r;
}

StepRecord randomStep(Random &random, const CompilationRecord &record) {
  StepRecord s;
  s.program = static_cast<std::uint32_t>(below(random, record.programs.size()));
  if (below(random, 2) != 0)
    s.threadCycles = someCycles(random);
  for (int i = 0; i < 2; ++i) {
    StepOnIpu ipu;
    ipu.cycles = someCycles(random);
    ipu.activeTiles = figure(random);
    for (auto *field : {&ipu.busyCycles, &ipu.allFromMin, &ipu.allFromMax, &ipu.allToMin, &ipu.allToMax,
                        &ipu.activeFromMin, &ipu.activeFromMax, &ipu.activeToMin, &ipu.activeToMax})
      *field = someCycles(random);
    for (auto *field : {&ipu.dataIn, &ipu.dataOut, &ipu.maxTileData})
      *field = someBytes(random);
    s.ipus.push_back(ipu);
  }
  if (below(random, 3) != 0)
    for (std::uint64_t t = 0; t < record.target.numIpus * record.target.tilesPerIpu; ++t)
      s.cyclesByTile.push_back(static_cast<std::uint32_t>(figure(random)));
  if (below(random, 2) != 0)
    s.slots = slotCycles(random, record.target.numIpus * record.target.tilesPerIpu);
  s.vertexTypes = {{0, figure(random) >> 20, std::nullopt}, {0, 1, someCycles(random)}};
  return s;
}
