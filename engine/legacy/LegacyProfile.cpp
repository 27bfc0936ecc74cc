#include "engine/legacy/LegacyProfile.hpp"

#include "base/Base64.hpp"
#include "report/answers/StepTimes.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pva/MakeReport.hpp"

#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>

#include <fmt/format.h>
#include <ostream>

namespace popscope {
namespace {

using poplar::ProfileValue;
using Vector = ProfileValue::Vector;
using Map = ProfileValue::Map;

constexpr std::array<const char *, 3> kRegions = {"nonInterleaved", "interleaved", "overflowed"};

/// Returns a vector with one value per tile.
template <class Of> ProfileValue byTile(const CompilationRecord &record, Of of) {
  Vector values;
  values.reserve(record.tiles.size());
  for (const TileMemoryRecord &tile : record.tiles)
    values.emplace_back(of(tile).count());
  return ProfileValue(std::move(values));
}

ProfileValue targetTree(const TargetRecord &t) {
  Map target;
  target["type"] = t.type;
  target["architecture"] = t.architecture;
  target["numIPUs"] = t.numIpus;
  target["tilesPerIPU"] = t.tilesPerIpu;
  target["numTiles"] = t.numIpus * t.tilesPerIpu;
  target["numReplicas"] = t.numReplicas;
  target["bytesPerTile"] = t.bytesPerTile.count();
  target["totalMemory"] = t.numIpus * t.tilesPerIpu * t.bytesPerTile.count();
  target["clockFrequency"] = t.clockHz;
  return target;
}

ProfileValue categoryTree(const CompilationRecord &record, std::size_t category) {
  Map tree;
  for (std::size_t region = 0; region < kRegions.size(); ++region) {
    const auto bytes = [&](std::size_t overlapped) {
      return byTile(record, [&](const TileMemoryRecord &t) { return t.category[category][region][overlapped]; });
    };
    Map parts;
    parts["nonOverlapped"] = bytes(0);
    parts["overlapped"] = bytes(1);
    tree[kRegions[region]] = std::move(parts);
  }
  tree["total"] = byTile(record, [&](const TileMemoryRecord &t) {
    Bytes sum;
    for (const auto &region : t.category[category])
      sum += region[0] + region[1];
    return sum;
  });
  return tree;
}

ProfileValue memoryTree(const CompilationRecord &record) {
  Map tiles;
  tiles["total"] = byTile(record, [](const TileMemoryRecord &t) { return t.totalExcludingGaps; });
  tiles["totalIncludingGaps"] = byTile(record, [](const TileMemoryRecord &t) { return t.totalIncludingGaps; });
  for (std::size_t region = 0; region < kRegions.size(); ++region) {
    const std::string key = kRegions[region];
    tiles[key] = byTile(record, [&](const TileMemoryRecord &t) { return t.excludingGaps[region]; });
    tiles[key + "IncludingGaps"] = byTile(record, [&](const TileMemoryRecord &t) { return t.includingGaps[region]; });
  }
  Map categories;
  for (std::size_t c = 0; c < kNumStorageCategories; ++c)
    categories[kStorageCategories[c].key] = categoryTree(record, c);
  Map liveness;
  liveness["alwaysLiveBytes"] = record.alwaysLiveBytes.count();
  liveness["maxLiveBytes"] = record.maxLiveBytes.count();
  Map alwaysLive, notAlwaysLive; // bytes per tile of one replica
  alwaysLive["bytesByTile"] = byTile(record, [](const TileMemoryRecord &t) { return t.alwaysLiveBytes; });
  notAlwaysLive["maxBytesByTile"] = byTile(record, [](const TileMemoryRecord &t) { return t.maxNotAlwaysLiveBytes; });
  liveness["alwaysLive"] = std::move(alwaysLive);
  liveness["notAlwaysLive"] = std::move(notAlwaysLive);
  Map memory;
  memory["byTile"] = std::move(tiles);
  memory["byCategory"] = std::move(categories);
  memory["liveness"] = std::move(liveness);
  return memory;
}

ProfileValue vertexTypesTree(const CompilationRecord &record) {
  Vector names, sizes, counts;
  for (const VertexTypeRecord &type : record.vertexTypes) {
    names.emplace_back(type.name);
    sizes.emplace_back(type.stateBytes.count());
    counts.emplace_back(type.instances);
  }
  Map tree;
  tree["names"] = std::move(names);
  tree["sizes"] = std::move(sizes);
  tree["counts"] = std::move(counts);
  return tree;
}

ProfileValue stepTree(const pva::ExecutionStep &step) {
  Map tree;
  const auto program = step.program();
  tree["type"] = pva::programTypeName(program->type());
  tree["name"] = program->name();
  Vector cycles, activeTiles;
  for (const pva::ExecutionStepIpu &ipu : step.ipus()) {
    cycles.emplace_back(ipu.cycles());
    activeTiles.emplace_back(ipu.activeTiles());
  }
  tree["cycles"] = std::move(cycles);
  tree["activeTiles"] = std::move(activeTiles);
  if (step.threadCyclesKnown())
    tree["threadCycles"] = step.threadCycles();
  return tree;
}

ProfileValue carried(PopFile &file) {
  Map tree;
  tree["profile"] = toBase64(popImage(file));
  return tree;
}

} // namespace

pva::Report carriedReport(const ProfileValue &tree, const char *which) {
  const ProfileValue *ours = tree.getOrNull("popscope");
  const ProfileValue *text = ours == nullptr ? nullptr : ours->getOrNull("profile");
  const auto image =
      text == nullptr || text->type() != ProfileValue::Type::STRING ? std::nullopt : fromBase64(text->asString());
  const std::string asked = fmt::format("pass the result of Engine::get{}Profile", which);
  if (!image)
    throw poplar::poplar_error(
        fmt::format("The {} profile has no key popscope.profile, from which its summary is printed: {}.",
                    which[0] == 'G' ? "graph" : "execution", asked));
  try {
    return pva::makeReport(openPopImage("popscope.profile", *image));
  } catch (const ProfileError &e) {
    throw poplar::poplar_error(fmt::format("{}; {}.", e.what(), asked));
  }
}

ProfileValue graphProfileTree(const CompilationRecord &record, PopFile &file) {
  Map graph;
  graph["numVertices"] = record.graph.numVertices;
  graph["numEdges"] = record.graph.numEdges;
  graph["numVars"] = record.graph.numVariables;
  graph["numComputeSets"] = record.graph.numComputeSets;
  Vector computeSets;
  for (const ComputeSetRecord &cs : record.computeSets)
    computeSets.emplace_back(cs.name);
  Map sets;
  sets["names"] = std::move(computeSets);
  Map tree;
  tree["target"] = targetTree(record.target);
  tree["graph"] = std::move(graph);
  tree["computeSets"] = std::move(sets);
  tree["vertexTypes"] = vertexTypesTree(record);
  tree["memory"] = memoryTree(record);
  tree["popscope"] = carried(file);
  return tree;
}

ProfileValue executionProfileTree(const pva::Report &report, PopFile &file) {
  const pva::CycleTotals total = report.execution().totalCycles();
  const bool none = report.execution().runs().empty(); // the sums over no run are 0
  Map simulation, tileCycles;                          // only known figures; tileCycles has sums over tiles
  const auto add = [none](Map &to, const char *name, bool known, std::uint64_t cycles) {
    if (known || none)
      to[name] = cycles;
  };
  add(tileCycles, "compute", total.computeKnown(), total.compute());
  add(tileCycles, "computeWithoutIdleThreads", total.computeWithoutIdleKnown(), total.computeWithoutIdle());
  add(tileCycles, "doExchange", total.known(), total.exchange());
  add(tileCycles, "globalExchange", total.externalExchangeKnown(), total.globalExchange());
  add(tileCycles, "streamCopy", total.externalExchangeKnown(), total.hostExchange());
  add(tileCycles, "copySharedStructure", total.known(), total.sharedStructureCopy());
  add(tileCycles, "sync", total.syncKnown(), total.sync());
  Vector steps;
  for (const pva::ExecutionStep &step : report.execution().steps())
    steps.push_back(stepTree(step));
  add(simulation, "cycles", total.totalKnown(), total.total());
  simulation["tileCycles"] = std::move(tileCycles);
  simulation["steps"] = std::move(steps);
  Map tree;
  tree["profilerMode"] = report.compilation().target().type() == pva::Target::Type::IpuModel ? "IPU_MODEL" : "TILES";
  tree["simulation"] = std::move(simulation);
  tree["popscope"] = carried(file);
  return tree;
}

void writeIntervals(std::ostream &out, const pva::Report &report) {
  out << "run,step,type,name,ipu,begin,end,activeTiles,busyCycles\n";
  std::size_t runIndex = 0;
  for (const pva::Run &run : report.execution().runs()) {
    std::size_t stepIndex = 0;
    for (const pva::ExecutionStep &step : run.steps()) {
      const auto program = step.program();
      std::string name = program->name();
      for (char &c : name)
        c = c == ',' || c == '\n' ? ' ' : c;
      std::size_t ipuIndex = 0;
      for (const pva::ExecutionStepIpu &ipu : step.ipus()) {
        const auto range = timesOnIpu(ipu);
        out << fmt::format("{},{},{},{},{},{},{},{},{}\n", runIndex, stepIndex, pva::programTypeName(program->type()),
                           name, ipuIndex++, range ? std::to_string(range->from().min()) : "",
                           range ? std::to_string(range->to().max()) : "", ipu.activeTiles(),
                           ipu.busyCyclesKnown() ? std::to_string(ipu.busyCycles()) : "");
      }
      ++stepIndex;
    }
    ++runIndex;
  }
}

} // namespace popscope
