#include "engine/advice/SmallestSet.hpp"

#include "engine/advice/ApplyAdvice.hpp"

#include <algorithm>
#include <set>

namespace popscope {
namespace {

using Kind = AdviceChange::Kind;

constexpr std::size_t kMaxTilesTried = 16; // more tiles are not examined
constexpr const char *kStackOption = "target.workerStackSizeInBytes";

} // namespace

ComputeSetId usersComputeSet(const GraphIr &graph, const StepProgram &program, ComputeSetId set) {
  const bool users = set.valid() && set.index() < graph.computeSets.size() &&
                     set.index() < program.computeSets.size() &&
                     graph.names[graph.computeSets[set].name] == program.names[program.computeSets[set]];
  return users ? set : ComputeSetId();
}

TooFew::TooFew(const GraphIr &graph, const Variant &unchanged) : graph_(graph), v_(unchanged) {
  if (v_.machine.rules.renamingCopies != RenamingCopies::Copied || !graph.splits.empty())
    return;
  const auto &tiles = v_.layout.tilesOutOfMemory;
  for (std::size_t i = 0; i < std::min(tiles.size(), kMaxTilesTried); ++i)
    if (Full full = fullest(tiles[i]); full.bytes > Bytes(v_.machine.bytesPerTile))
      full_.push_back(std::move(full));
}

// Returns the compute set of the user during which the user's variables take most bytes on the tile. Also returns the
// bytes of each variable. Time: steps with compute sets times homes on the tile.
TooFew::Full TooFew::fullest(TileId tile) const {
  const StepProgram &p = v_.program;
  struct Part {
    VarId var;
    HomeId home;
    Bytes bytes;
  };
  std::vector<Part> parts; // homes of the user's variables on the tile
  for (std::uint32_t i = 0; i < p.vars.size(); ++i) {
    const VarId var(i);
    const StepVar &info = p.vars[var];
    if (info.constant || info.graphVar < 0)
      continue;
    for (std::uint32_t h = info.firstHome; h < info.firstHome + info.numHomes; ++h)
      if (const HomeId home(h); p.homes[home].tile == tile && p.homeBytes(home) != Bytes())
        parts.push_back({var, home, p.homeBytes(home)});
  }
  const auto isThere = [&](const Part &part, StepIndex step) {
    return v_.ranges.contains(v_.ranges.occupiedOf(part.var, part.home), step);
  };
  Full full;
  std::optional<StepIndex> worst;
  for (std::uint32_t s = 0; s < p.steps.size(); ++s) {
    const StepIndex step(s);
    const SourceId source = p.steps[step].source;
    if (p.steps[step].kind != StepKind::OnTileExecute || !source.valid())
      continue;
    const ComputeSetId set = usersComputeSet(graph_, p, p.sources[source].computeSet);
    if (!set.valid())
      continue;
    Bytes bytes;
    for (const Part &part : parts)
      bytes += isThere(part, step) ? part.bytes : Bytes();
    if (bytes > full.bytes) {
      full.bytes = bytes;
      full.atWork = set;
      worst = step;
    }
  }
  for (const Part &part : parts)
    if (worst && isThere(part, *worst))
      full.byVariable[GraphVarId(static_cast<std::uint32_t>(p.vars[part.var].graphVar))] += part.bytes;
  return full;
}

GraphVarId TooFew::variableOf(const AdviceChange &change) const {
  std::uint64_t before = 0;
  for (std::uint32_t i = 0; i < graph_.vars.size(); ++i)
    if (graph_.names[graph_.vars[GraphVarId(i)].name] == change.name && before++ == change.occurrence.value_or(0))
      return GraphVarId(i);
  return GraphVarId();
}

bool TooFew::excludes(const AdviceChanges &changes) const {
  std::set<GraphVarId> touched;
  std::set<ComputeSetId> moved;
  for (const AdviceChange &change : changes)
    switch (change.kind) {
    case Kind::WriteUndef:
    case Kind::MoveVariable:
      if (const GraphVarId var = variableOf(change); var.valid())
        touched.insert(var);
      else
        return false;
      break;
    case Kind::MoveVertices:
      for (const Full &full : full_)
        if (graph_.names[graph_.computeSets[full.atWork].name] == change.name) // any compute set of that name
          moved.insert(full.atWork);
      break;
    case Kind::Option:
      if (change.name != kStackOption)
        return false;
    }
  return std::any_of(full_.begin(), full_.end(), [&](const Full &full) {
    if (moved.count(full.atWork) != 0)
      return false;
    Bytes left = full.bytes;
    for (const GraphVarId var : touched)
      if (const auto at = full.byVariable.find(var); at != full.byVariable.end())
        left -= at->second;
    return left > Bytes(v_.machine.bytesPerTile);
  });
}

// Enumerates the sets by size. `extend` adds changes in ascending order, so that no set comes twice.
bool forEachSmaller(const AdviceChanges &changes, std::size_t size,
                    const std::function<bool(const AdviceChanges &)> &visit) {
  std::uint64_t visited = 0;
  bool whole = true;
  for (std::size_t count = 1; count < size && count <= changes.size(); ++count) {
    AdviceChanges set;
    const std::function<bool(std::size_t)> extend = [&](std::size_t from) {
      if (set.size() == count) {
        whole = ++visited <= kMaxSets;
        return whole && visit(set);
      }
      for (std::size_t i = from; i < changes.size(); ++i) {
        if (changes[i].kind != Kind::WriteUndef &&
            std::any_of(set.begin(), set.end(), [&](const AdviceChange &c) { return sameObject(c, changes[i]); }))
          continue;
        set.push_back(changes[i]);
        const bool on = extend(i + 1);
        set.pop_back();
        if (!on)
          return false;
      }
      return true;
    };
    if (!extend(0))
      return whole;
  }
  return true;
}

} // namespace popscope
