#include "engine/advice/ProposeAdvice.hpp"

#include "base/UniteRanges.hpp"
#include "engine/advice/ApplyAdvice.hpp"
#include "engine/advice/SmallestSet.hpp"
#include "graph/ir/MappingOps.hpp"
#include "graph/steps/ExecutedSets.hpp"
#include "graph/steps/HomeElements.hpp"
#include "liveness/explain/MeasureTiles.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace popscope {
namespace {

using Kind = AdviceChange::Kind;
constexpr std::size_t kUndefs = 4, kVariables = 5, kComputeSets = 2, kExchanges = 3, kMaxRanges = 4096;

/// The tiles from which objects should move, and tiles with free memory.
struct Places {
  std::vector<TileId> full, empty, all; // ascending; `all` are the tiles of the IPUs of `full`
  StepIndex step;                       // the worst step of the fullest tile
};

// Finds the full tiles, and the tiles to which objects move. A tile is full if it does not fit. If every tile fits, a
// tile is full when its use is closer to the maximum than to the mean. Objects move to the emptiest other tiles of the
// same IPUs, at most as many as there are full tiles.
Places placesOf(const Variant &v) {
  Places p;
  const auto &tiles = v.layout.tiles;
  std::vector<Bytes> used;
  Bytes sum;
  for (const TileMemory &tile : tiles) {
    used.push_back(tile.totalIncludingGaps);
    sum += used.back();
  }
  const auto fullest = std::max_element(used.begin(), used.end());
  if (fullest == used.end() || *fullest == Bytes())
    return p;
  p.full = v.layout.tilesOutOfMemory;
  if (p.full.empty()) {
    const Bytes half = (*fullest + sum / used.size()) / 2; // halfway from the mean to the maximum
    for (std::uint32_t t = 0; t < used.size(); ++t)
      if (used[t] > half)
        p.full.emplace_back(t);
  }
  std::sort(p.full.begin(), p.full.end());
  std::set<std::uint32_t> ipus;
  for (const TileId tile : p.full)
    ipus.insert(tile.index() / v.machine.tilesPerIpu);
  for (std::uint32_t t = 0; t < used.size(); ++t)
    if (ipus.count(t / v.machine.tilesPerIpu) != 0) {
      p.all.emplace_back(t);
      if (!std::binary_search(p.full.begin(), p.full.end(), TileId(t)))
        p.empty.emplace_back(t);
    }
  std::stable_sort(p.empty.begin(), p.empty.end(),
                   [&](TileId a, TileId b) { return used[a.index()] < used[b.index()]; });
  p.empty.resize(std::min(p.empty.size(), p.full.size()));
  std::sort(p.empty.begin(), p.empty.end());
  const TileId tile(static_cast<std::uint32_t>(fullest - used.begin()));
  p.step = peakOfTile(v.program, v.ranges, tile, PeakOf::Occupied).step;
  return p;
}

AdviceChange move(Kind kind, const Places &places, const std::vector<TileId> &to) {
  AdviceChange change;
  change.kind = kind;
  change.from = places.full;
  change.to = to;
  return change;
}

/// The compute sets that access a variable by vertices on the full tiles: `writers` contains the compute sets that
/// write the variable, and `all` also contains the compute sets that only read the variable.
struct Users {
  std::set<ComputeSetId> writers, all;
};
Users usersOf(const GraphIr &graph, GraphVarId var, const Places &places) {
  Users users;
  for (std::size_t i = 0; i != graph.vertices.size(); ++i) {
    const GraphVertex vertex = graph.vertices[graph.vertices.idAt(i)];
    if (!vertex.tile.valid() || users.writers.count(vertex.computeSet) != 0 ||
        !std::binary_search(places.full.begin(), places.full.end(), vertex.tile))
      continue;
    const auto &fields = graph.codelets.at(vertex.codelet).fields;
    for (const GraphEdge &edge : vertex.edges())
      if (std::any_of(edge.runs.begin(), edge.runs.end(), [&](const ViewRun &r) { return r.var == var; })) {
        users.all.insert(vertex.computeSet);
        if (fields[edge.field].direction != FieldDirection::Input)
          users.writers.insert(vertex.computeSet);
      }
  }
  return users;
}

template <class Key> std::vector<Key> largest(const std::map<Key, Bytes> &bytes, std::size_t count) {
  std::vector<std::pair<Bytes, Key>> ranked;
  for (const auto &[key, n] : bytes)
    if (n != Bytes())
      ranked.emplace_back(n, key);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<Key> keys;
  for (std::size_t i = 0; i < std::min(count, ranked.size()); ++i)
    keys.push_back(ranked[i].second);
  return keys;
}

} // namespace

std::vector<Proposal> proposeUndefs(const GraphIr &graph, const StepProgram &program, const LivenessAdvice &advice) {
  std::vector<Proposal> out;
  if (!graph.splits.empty())
    return out;
  const auto changeOf = [&](const UndefPlacement &p) {
    AdviceChange change;
    const std::int64_t var = program.vars[p.var].graphVar;
    if (var < 0 || !namePlace(program, p.before, change))
      return AdviceChanges();
    nameVariable(graph, GraphVarId(static_cast<std::uint32_t>(var)), change);
    return AdviceChanges{change};
  };
  AdviceChanges together;
  for (const UndefPlacement &p : advice.placements) {
    const AdviceChanges changes = changeOf(p);
    if (p.together)
      together.insert(together.end(), changes.begin(), changes.end());
    if (p.savesAlone() && !changes.empty() && out.size() < kUndefs)
      out.push_back({"alone", changes});
  }
  if (together.size() > 1)
    out.push_back({"together", together});
  return out;
}

std::vector<Proposal> proposeOptions(const EngineSettings &settings, const ReleaseRules &rules,
                                     const StackModel &machineStack) {
  std::vector<Proposal> out;
  const auto add = [&](const char *option, const std::string &value) {
    AdviceChange change;
    change.kind = Kind::Option;
    change.name = option;
    change.value = value;
    out.push_back({"alone", {change}});
  };
  if (settings.workerStackBytes > machineStack.workerBytes)
    add("target.workerStackSizeInBytes", std::to_string(machineStack.workerBytes));
  if (rules.renamingCopies == RenamingCopies::Copied)
    add("popscope.elideCopies", "true");
  if (settings.copies.maxMergeBytes != ~std::uint64_t(0))
    add("opt.maxCopyMergeSize", "");
  return out;
}

// Ranks variables by their bytes on the full tiles at the worst step, and compute sets by the state of their vertices
// on these tiles. Proposes two moves for each of the largest variables and compute sets: to the empty tiles, and to all
// tiles of the IPUs. Each move of a variable is proposed for the variable alone, with the compute sets that write the
// variable, and with all compute sets that access the variable. Cost: linear in variables, homes, vertices and edges.
std::vector<Proposal> proposeMoves(const GraphIr &graph, const Variant &v) {
  std::vector<Proposal> out;
  const Places places = placesOf(v);
  if (places.full.empty() || places.empty.empty() || !graph.splits.empty())
    return out;
  std::map<VarId, Bytes> variables; // bytes on the full tiles at the worst step
  std::map<ComputeSetId, Bytes> sets;
  const StepProgram &p = v.program;
  const SourceId source = p.steps[places.step].source;
  const ComputeSetId atWork = source.valid() ? p.sources[source].computeSet : ComputeSetId();
  for (std::uint32_t i = 0; i < p.vars.size(); ++i) {
    const VarId var(i);
    const StepVar &info = p.vars[var];
    if (info.constant || !v.ranges.contains(v.ranges.occupied[var], places.step))
      continue;
    Bytes bytes;
    for (std::uint32_t h = info.firstHome; h < info.firstHome + info.numHomes; ++h)
      if (std::binary_search(places.full.begin(), places.full.end(), p.homes[HomeId(h)].tile) &&
          v.ranges.contains(v.ranges.occupiedOf(var, HomeId(h)), places.step))
        bytes += p.homeBytes(HomeId(h));
    if (bytes == Bytes())
      continue;
    if (info.graphVar >= 0 && graph.vars.raw()[static_cast<std::size_t>(info.graphVar)].split == 0)
      variables[var] = bytes;
    else if (usersComputeSet(graph, p, atWork).valid())
      sets[atWork] += bytes; // messages and similar allocations belong to the vertices that run at the step
  }
  for (const ExecuteStep &execute : p.executes)
    if (usersComputeSet(graph, p, execute.computeSet).valid())
      for (const StepVertex &vertex : verticesOf(p, execute))
        if (std::binary_search(places.full.begin(), places.full.end(), vertex.tile)) {
          const VertexFootprint &f = p.footprints[p.formOf(vertex).footprint];
          sets[execute.computeSet] += f.instanceState + f.fieldData + f.vectorListDescriptor + f.copyDescriptor;
        }
  for (const VarId var : largest(variables, kVariables)) {
    const GraphVarId id(static_cast<std::uint32_t>(p.vars[var].graphVar));
    const Users users = usersOf(graph, id, places);
    std::vector<std::set<ComputeSetId>> together = {{}}; // compute sets that move together with the variable
    for (const auto &added : {users.writers, users.all})
      if (added != together.back())
        together.push_back(added);
    for (const auto &with : together)
      for (const auto *to : {&places.empty, &places.all}) {
        AdviceChange change = move(Kind::MoveVariable, places, *to);
        nameVariable(graph, id, change);
        AdviceChanges changes = {change};
        for (const ComputeSetId set : with) {
          changes.push_back(move(Kind::MoveVertices, places, *to));
          nameComputeSet(graph, set, changes.back());
        }
        out.push_back({"alone", std::move(changes)});
      }
  }
  for (const ComputeSetId set : largest(sets, kComputeSets))
    for (const auto *to : {&places.empty, &places.all}) {
      AdviceChange change = move(Kind::MoveVertices, places, *to);
      nameComputeSet(graph, set, change);
      out.push_back({"alone", {change}});
    }
  return out;
}

// Proposes mappings for the exchanges with most code. For each exchange, takes the variable of which the exchange sends
// most bytes, and proposes to map each sent element to the first tile that receives the element. Leaves out mappings
// with more than kMaxRanges ranges. Cost: linear in the messages of these exchanges, times the ranges of the mapping.
std::vector<Proposal> proposeNearReaders(const GraphIr &graph, const Variant &v) {
  std::vector<Proposal> out;
  const StepProgram &p = v.program;
  if (!graph.splits.empty())
    return out;
  std::map<std::size_t, Bytes> code; // bytes by exchange
  for (std::size_t e = 0; e < p.exchanges.size(); ++e)
    for (std::uint32_t t = p.exchanges[e].firstTile; t < p.exchanges[e].firstTile + p.exchanges[e].numTiles; ++t)
      code[e] += p.exchangeTiles[t].codeBytes;
  const HomeElements elements(p);
  std::set<std::int64_t> seen;
  for (const std::size_t e : largest(code, kExchanges)) {
    const ExchangeStep &exchange = p.exchanges[e];
    std::map<VarId, Bytes> sent;
    for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
      const StepVar &info = p.vars[p.homes[p.messages[m].src].var];
      if (info.graphVar >= 0 && !info.constant)
        sent[p.homes[p.messages[m].src].var] += p.messages[m].bytes;
    }
    const auto most = largest(sent, 1);
    if (most.empty() || !seen.insert(p.vars[most[0]].graphVar).second)
      continue;
    const GraphVarId id(static_cast<std::uint32_t>(p.vars[most[0]].graphVar));
    std::vector<MappedRange> mapping;
    for (std::uint32_t m = exchange.firstMessage + exchange.numMessages; m-- > exchange.firstMessage;) {
      // in reverse order, so that the first tile that receives an element overwrites later tiles
      const Message &message = p.messages[m];
      if (p.homes[message.src].var != most[0])
        continue;
      std::vector<ElementRange> ranges;
      elements.append({message.src, message.srcOffset, message.bytes}, ranges);
      uniteRanges(ranges);
      for (const ElementRange &r : ranges)
        overlayMapping(mapping, {{r.begin, r.end, p.homes[message.dst].tile}});
      if (mapping.size() > kMaxRanges)
        break;
    }
    if (mapping.empty() || mapping.size() > kMaxRanges)
      continue;
    AdviceChange change;
    change.kind = Kind::MoveVariable;
    change.mapping = std::move(mapping);
    nameVariable(graph, id, change);
    out.push_back({"alone", {change}});
  }
  return out;
}

} // namespace popscope
