#include "engine/advice/ApplyAdvice.hpp"

#include "base/EditDistance.hpp"
#include "base/settings/EngineOptionTable.hpp"
#include "graph/ir/MappingOps.hpp"
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/explain/PlaceUndefs.hpp"
#include "target-models/costs/CostModel.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace popscope {
namespace {

using Kind = AdviceChange::Kind;

poplar::invalid_option refused(const AdviceChange &change, const std::string &why) {
  return poplar::invalid_option(fmt::format("engine option \"popscope.applyAdvice\": {}: {}", describe(change), why));
}

/// Returns the index of the item that `change` names: the `occurrence`-th item with this name. `nameOf(i)` returns
/// names for i in [0, count).
template <class NameOf>
std::size_t findNamed(const AdviceChange &change, const char *what, std::size_t count, const NameOf &nameOf) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < count; ++i)
    if (nameOf(i) == change.name)
      found.push_back(i);
  if (found.empty()) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < count && known.size() < 10000; ++i)
      known.push_back(nameOf(i));
    throw refused(change, fmt::format("the graph has no {} of that name.{}", what, didYouMean(change.name, known)));
  }
  if (!change.occurrence && found.size() > 1)
    throw refused(change, fmt::format("the graph has {} {}s of that name; select one with \"occurrence\", 0 to {}",
                                      found.size(), what, found.size() - 1));
  const std::uint64_t wanted = change.occurrence.value_or(0);
  if (wanted >= found.size())
    throw refused(change, fmt::format("\"occurrence\" is {}; the graph has {} {}{} of that name", wanted, found.size(),
                                      what, found.size() == 1 ? "" : "s"));
  return found[wanted];
}

GraphVarId variableOf(const AdviceChange &change, const GraphIr &graph) {
  return graph.vars.idAt(findNamed(change, "variable", graph.vars.size(),
                                   [&](std::size_t i) { return graph.names[graph.vars.raw()[i].name]; }));
}

void checkTiles(const AdviceChange &change, const std::vector<TileId> &tiles, const GraphIr &graph) {
  for (const TileId tile : tiles)
    if (tile.index() >= graph.machine.numTiles())
      throw refused(change, fmt::format("there is no tile {}; the device has {} tiles, numbered from 0", tile.index(),
                                        graph.machine.numTiles()));
}

/// Distributes `n` items over the tiles `to`, in order and in equal shares. If the items cannot be divided equally, the
/// size of a share is rounded up to a multiple of `grain`.
class Dealer {
public:
  Dealer(std::uint64_t n, const std::vector<TileId> &to, std::uint64_t grain) : to_(to) {
    share_ = (n + to.size() - 1) / to.size();
    if (n % to.size() != 0)
      share_ = (share_ + grain - 1) / grain * grain;
    share_ = std::max<std::uint64_t>(share_, 1);
  }
  [[nodiscard]] TileId tileOf(std::uint64_t i) const {
    return to_[std::min<std::uint64_t>(i / share_, to_.size() - 1)];
  }
  [[nodiscard]] std::uint64_t endOfShare(std::uint64_t i) const {
    return i / share_ + 1 >= to_.size() ? ~std::uint64_t(0) : (i / share_ + 1) * share_;
  }

private:
  const std::vector<TileId> &to_;
  std::uint64_t share_ = 1;
};

// Changes the mapping of a variable. If the change contains a mapping, each element in a range of this mapping gets the
// tile of the range. Otherwise, the elements on the tiles `from` are distributed over the tiles `to`. Cost: linear in
// the ranges of the mappings, apart from binary searches.
void moveVariable(const AdviceChange &change, GraphIr &graph) {
  GraphVar &var = graph.vars[variableOf(change, graph)];
  if (!change.mapping.empty()) {
    if (change.mapping.back().end > var.elements)
      throw refused(change, fmt::format("\"mapping\" names element {}; the variable has {} elements",
                                        change.mapping.back().end - 1, var.elements));
    for (const MappedRange &range : change.mapping)
      checkTiles(change, {range.tile}, graph);
    overlayMapping(var.mapping, change.mapping);
    return;
  }
  const auto leaves = [&](const MappedRange &range) {
    return std::find(change.from.begin(), change.from.end(), range.tile) != change.from.end();
  };
  std::uint64_t moved = 0;
  for (const MappedRange &range : var.mapping)
    moved += leaves(range) ? range.end - range.begin : 0;
  if (moved == 0)
    throw refused(change, "the variable has no element there");
  const Dealer dealer(moved, change.to, std::max<std::uint64_t>(1, kWideCopyBytes / elementBytes(var.type)));
  std::vector<MappedRange> mapping;
  std::uint64_t item = 0;
  for (const MappedRange &range : var.mapping) {
    if (!leaves(range)) {
      overlayMapping(mapping, {range});
      continue;
    }
    for (std::uint64_t at = range.begin; at < range.end;) {
      const std::uint64_t count = std::min(range.end - at, dealer.endOfShare(item) - item);
      overlayMapping(mapping, {{at, at + count, dealer.tileOf(item)}});
      at += count;
      item += count;
    }
  }
  var.mapping = std::move(mapping);
}

void moveVertices(const AdviceChange &change, GraphIr &graph) {
  const std::size_t set = findNamed(change, "compute set", graph.computeSets.size(),
                                    [&](std::size_t i) { return graph.names[graph.computeSets.raw()[i].name]; });
  std::vector<VertexId> moved;
  for (const VertexId v : graph.computeSets.raw()[set].vertices)
    if (std::find(change.from.begin(), change.from.end(), graph.vertices[v].tile) != change.from.end())
      moved.push_back(v);
  if (moved.empty())
    throw refused(change,
                  "the compute set has no vertex on the tiles of \"from\"; give tiles on which it has vertices");
  std::stable_sort(moved.begin(), moved.end(),
                   [&](VertexId a, VertexId b) { return graph.vertices[a].tile < graph.vertices[b].tile; });
  const Dealer dealer(moved.size(), change.to, 1);
  for (std::size_t i = 0; i < moved.size(); ++i)
    graph.vertices.setTile(moved[i], dealer.tileOf(i));
}

/// The name of a step in the member "before" of a change: the name of the step's source or, for a step without a
/// source, the kind and the name of the step.
struct PlaceName {
  std::string kind, name;
};
PlaceName placeName(const StepProgram &program, const Step &step) {
  if (step.source.valid())
    return {"source", program.names[program.sources[step.source].name]};
  return {stepKindName(step.kind), program.names[step.name]};
}

/// Returns whether the step is a place that "before" can name: the first step of a source, or a step without a source.
bool beginsPlace(const LargeTable<Step> &steps, std::size_t s) {
  return !steps[s].source.valid() || s == 0 || steps[s - 1].source != steps[s].source;
}

StepIndex placeOf(const AdviceChange &change, const StepProgram &program) {
  const auto &steps = program.steps.raw();
  std::uint64_t seen = 0;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const PlaceName place = placeName(program, steps[s]);
    if (place.kind == change.beforeKind && place.name == change.beforeName && beginsPlace(steps, s) &&
        seen++ == change.beforeOccurrence)
      return program.steps.idAt(s);
  }
  throw refused(change, fmt::format("the program has {} of that kind and name", seen));
}

} // namespace

const std::vector<std::string> &adviceOptions() {
  static const std::vector<std::string> kOptions = {"popscope.elideCopies", "opt.maxCopyMergeSize",
                                                    "target.workerStackSizeInBytes"};
  return kOptions;
}

void applyOptions(const AdviceChanges &changes, EngineSettings &settings) {
  for (const AdviceChange &change : changes) {
    if (change.kind != Kind::Option)
      continue;
    const auto &known = adviceOptions();
    if (std::find(known.begin(), known.end(), change.name) == known.end())
      throw refused(change, fmt::format("a change can set only {}", fmt::join(known, ", ")));
    setAdviceOption(change.name, change.value, settings);
    for (OptionRecord &option : settings.all)
      if (option.key == change.name) {
        option.value = change.value;
        option.isDefault = false;
      }
  }
}

bool hasMoves(const AdviceChanges &changes) {
  return std::any_of(changes.begin(), changes.end(), [](const AdviceChange &c) {
    return c.kind == Kind::MoveVariable || c.kind == Kind::MoveVertices;
  });
}

void applyMoves(const AdviceChanges &changes, GraphIr &graph) {
  for (const AdviceChange &change : changes) {
    if (change.kind != Kind::Option && !graph.splits.empty())
      throw refused(change, "the graph has replicated parts, which share their mapping; change the program instead");
    checkTiles(change, change.from, graph);
    checkTiles(change, change.to, graph);
    if (change.kind == Kind::MoveVariable)
      moveVariable(change, graph);
    else if (change.kind == Kind::MoveVertices)
      moveVertices(change, graph);
  }
}

void applyUndefs(const AdviceChanges &changes, const GraphIr &graph, Threads threads, StepProgram &program) {
  std::vector<std::pair<VarId, StepIndex>> undefs;
  std::optional<ExplainContext> context;
  for (const AdviceChange &change : changes) {
    if (change.kind != Kind::WriteUndef)
      continue;
    if (!graph.splits.empty())
      throw refused(change, "the graph has replicated parts; change the program instead");
    const auto wanted = static_cast<std::int64_t>(variableOf(change, graph).index());
    const auto &vars = program.vars.raw();
    const auto var = std::find_if(vars.begin(), vars.end(), [&](const StepVar &v) { return v.graphVar == wanted; });
    if (var == vars.end())
      throw refused(change, "the program does not use the variable");
    const VarId id = program.vars.idAt(static_cast<std::size_t>(var - vars.begin()));
    const StepIndex before = placeOf(change, program);
    if (!context)
      context.emplace(program, threads);
    if (!mayUndef(*context, id, before))
      throw refused(change, "a WriteUndef there would discard a value that is read later, or the place is not between "
                            "two programs of a Sequence");
    undefs.emplace_back(id, before);
  }
  context.reset(); // the context refers to the program, which changes below
  if (!undefs.empty())
    program = withUndefSteps(program, std::move(undefs));
}

bool namePlace(const StepProgram &program, StepIndex step, AdviceChange &change) {
  const auto &steps = program.steps.raw();
  if (step.index() >= steps.size() || !beginsPlace(steps, step.index()))
    return false;
  const PlaceName name = placeName(program, steps[step.index()]);
  change.beforeKind = name.kind;
  change.beforeName = name.name;
  change.beforeOccurrence = 0;
  for (std::size_t s = 0; s < step.index(); ++s) {
    const PlaceName other = placeName(program, steps[s]);
    if (other.kind == name.kind && other.name == name.name && beginsPlace(steps, s))
      ++change.beforeOccurrence;
  }
  return true;
}

namespace {

/// Sets the name of row `id`, and its occurrence if other rows share the name.
template <class Rows, class Id> void nameRow(const GraphIr &graph, const Rows &rows, Id id, AdviceChange &change) {
  change.name = graph.names[rows[id].name];
  std::uint64_t before = 0, all = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (graph.names[rows.raw()[i].name] == change.name) {
      before += i < id.index() ? 1 : 0;
      ++all;
    }
  change.occurrence = all > 1 ? std::optional(before) : std::nullopt;
}

} // namespace

void nameVariable(const GraphIr &graph, GraphVarId var, AdviceChange &change) {
  nameRow(graph, graph.vars, var, change);
}

void nameComputeSet(const GraphIr &graph, ComputeSetId set, AdviceChange &change) {
  nameRow(graph, graph.computeSets, set, change);
}

} // namespace popscope
