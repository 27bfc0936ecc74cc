// Graph::clone and cloneN: new variables with the mapping, and perhaps the order and aliasing, of a tensor.
#include "base/CheckedSize.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/api/MapElements.hpp"
#include "graph/api/TensorChecks.hpp"
#include "graph/ir/MappingOps.hpp"
#include "graph/ir/Replicas.hpp"

#include "base/Check.hpp"
#include "base/PublicTypes.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

using popscope::GraphAccess;
using popscope::GraphShared;
using popscope::GraphVar;
using popscope::GraphVarId;
using popscope::MappedRange;
using popscope::TensorData;
using popscope::TileId;
using popscope::View;
using popscope::ViewRun;

namespace poplar {

namespace {

/// Elements [begin, end) of a source variable, all on one tile or all unmapped, and the place of their copies. With
/// several copies, copy k of the range begins at newBegin + k * (end - begin).
struct ClonedRange {
  GraphVarId var;
  std::uint64_t begin = 0, end = 0;
  TileId tile;
  GraphVarId newVar;
  std::uint64_t newBegin = 0;
  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

/// Returns the elements that a view touches, each once, sorted by variable and element.
std::vector<ClonedRange> rangesOf(const TensorData &t) {
  std::vector<ClonedRange> ranges;
  for (const popscope::VarInterval &i : popscope::joinedIntervals(t.view)) {
    std::uint64_t done = i.begin;
    popscope::forEachMapped(t.graph->ir.vars[i.var].mapping, {i.var, i.begin, 1, i.end - i.begin}, i.begin,
                            [&](std::uint64_t begin, std::uint64_t end, TileId tile) {
                              if (done < begin)
                                ranges.push_back({i.var, done, begin, TileId(), GraphVarId(), 0});
                              ranges.push_back({i.var, begin, end, tile, GraphVarId(), 0});
                              done = end;
                            });
    if (done < i.end)
      ranges.push_back({i.var, done, i.end, TileId(), GraphVarId(), 0});
  }
  return ranges;
}

class Cloner {
public:
  Cloner(const TensorData &source, popscope::ElementType type, std::string name)
      : source_(source), graph_(*source.graph), type_(type), name_(std::move(name)), ranges_(rangesOf(source)) {}

  /// Returns views of `copies` clones. If `byTile` is true, creates one variable ordered by tile. Otherwise, creates
  /// one variable for each source variable.
  std::vector<View> clone(std::uint64_t copies, bool byTile) {
    place(copies, byTile);
    std::vector<View> views;
    for (std::uint64_t k = 0; k < copies; ++k)
      views.push_back(copyView(k));
    return views;
  }

private:
  void place(std::uint64_t copies, bool byTile) {
    std::vector<std::size_t> order(ranges_.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    if (byTile) // unmapped elements (invalid tile) come last
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return ranges_[a].tile < ranges_[b].tile; });
    GraphVarId previous, current;
    for (const std::size_t i : order) {
      ClonedRange &s = ranges_[i];
      if (!current.valid() || (!byTile && s.var != previous))
        current = newVariable(s.var);
      previous = s.var;
      s.newVar = current;
      GraphVar &var = graph_.ir.vars[current];
      s.newBegin = var.elements;
      var.elements += s.size() * copies;
      if (s.tile.valid())
        popscope::overlayMapping(var.mapping, {{s.newBegin, var.elements, s.tile}});
    }
  }

  GraphVarId newVariable(GraphVarId like) {
    GraphVar var;
    var.name = name_.empty() ? graph_.ir.vars[like].name : graph_.ir.names.intern(name_);
    var.type = type_;
    return graph_.ir.vars.push(std::move(var));
  }

  [[nodiscard]] const ClonedRange &rangeAt(GraphVarId var, std::uint64_t element) const {
    const auto it = std::partition_point(ranges_.begin(), ranges_.end(), [&](const ClonedRange &s) {
      return std::tie(s.var, s.end) <= std::tie(var, element);
    });
    POPSCOPE_CHECK(it != ranges_.end() && it->var == var && it->begin <= element, "element {} was not cloned", element);
    return *it;
  }

  [[nodiscard]] View copyView(std::uint64_t k) const {
    popscope::RunBuilder builder;
    for (const ViewRun &run : source_.view.runs)
      for (std::uint64_t i = 0; i < run.count;)
        i += copyPiece(run, i, k, builder);
    return {type_, source_.view.shape, builder.take()};
  }

  /// Copies those elements of `run`, from i on, that lie in one range. Returns the number of copied elements.
  std::uint64_t copyPiece(const ViewRun &run, std::uint64_t i, std::uint64_t k, popscope::RunBuilder &out) const {
    const ClonedRange &s = rangeAt(run.var, run.at(i));
    const std::uint64_t n = popscope::lengthWithin(run, i, s.begin, s.end);
    out.append({s.newVar, s.newBegin + k * s.size() + (run.at(i) - s.begin), run.stride, n});
    return n;
  }

  const TensorData &source_;
  GraphShared &graph_;
  popscope::ElementType type_;
  std::string name_;
  std::vector<ClonedRange> ranges_;
};

/// Implements CREATE_NEW_ORDER: one variable in the order of the view. An element that occurs twice becomes two
/// elements.
View cloneInViewOrder(const TensorData &t, popscope::ElementType type, const std::string &name) {
  GraphVar var;
  var.type = type;
  var.elements = t.view.elements();
  var.name = t.graph->ir.names.intern(name.empty() ? popscope::variableNames(t, ",") : name);
  std::vector<MappedRange> mapping;
  std::uint64_t position = 0;
  for (const ViewRun &run : t.view.runs) {
    popscope::forEachMapped(t.graph->ir.vars[run.var].mapping, run, position,
                            [&](std::uint64_t begin, std::uint64_t end, TileId tile) {
                              mapping.push_back({begin, end, tile});
                            });
    position += run.count;
  }
  popscope::overlayMapping(var.mapping, mapping);
  const GraphVarId id = t.graph->ir.vars.push(std::move(var));
  return popscope::wholeVariable(id, type, t.view.shape);
}

const TensorData &sourceOf(const Graph &graph, const Tensor &t) {
  const TensorData &data = popscope::ownTensor(graph, t, "clone");
  popscope::settleMappings(*data.graph);
  return data;
}

/// Creates the clone's variables in the other replicas, if the source or the cloning graph is replicated.
void replicate(const Graph &graph, const TensorData &source, const View &view) {
  popscope::GraphIr &ir = source.graph->ir;
  popscope::SplitIndex split = GraphAccess::handle(graph).split;
  for (const ViewRun &run : source.view.runs)
    split = split == 0 ? ir.vars[run.var].split : split;
  for (const ViewRun &run : view.runs)
    if (ir.vars[run.var].replicas.empty())
      popscope::replicateVariable(ir, run.var, split);
}

/// Returns the element type of a clone named `name`.
popscope::ElementType cloneType(const Type &type, const TensorData &source, const std::string &name) {
  const popscope::ElementType element = popscope::elementType(type);
  if (element == popscope::ElementType::Invalid)
    throw tensor_creation_error(fmt::format("The clone \"{}\" of {} has no element type: a default-constructed Type "
                                            "was given.",
                                            name, popscope::describe(source)));
  return element;
}

bool createsNewOrder(const TensorData &t, TensorCloneMethod method) {
  return method == TensorCloneMethod::CREATE_NEW_ORDER ||
         (method == TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES && popscope::containsAliases(t.view));
}

bool gathersByTile(TensorCloneMethod method) {
  return method == TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES;
}

/// Returns the tensor of a clone. A clone of type QUARTER has the metadata of its source, if the source has metadata.
Tensor tensorOfClone(const Type &type, const TensorData &source, View view) {
  const Tensor result = GraphAccess::tensor(source.graph, std::move(view));
  return type == QUARTER && source.metadata ? result.associateMetadata(GraphAccess::tensor(source.metadata)) : result;
}

} // namespace

Tensor Graph::clone(const Type &type, const Tensor &t, const DebugContext &dc, TensorCloneMethod method) {
  const TensorData &source = sourceOf(*this, t);
  const popscope::ElementType element = cloneType(type, source, dc.getPathName());
  View view = createsNewOrder(source, method)
                  ? cloneInViewOrder(source, element, dc.getPathName())
                  : Cloner(source, element, dc.getPathName()).clone(1, gathersByTile(method)).front();
  replicate(*this, source, view);
  return tensorOfClone(type, source, std::move(view));
}

Tensor Graph::clone(const Tensor &t, const DebugContext &dc, TensorCloneMethod method) {
  return clone(t.elementType(), t, dc, method);
}

Tensor Graph::cloneN(const Tensor &t, std::size_t N, const DebugContext &dc, TensorCloneMethod method,
                     TensorCloneDuplicationMethod dup) {
  return cloneN(t.elementType(), t, N, dc, method, dup);
}

Tensor Graph::cloneN(const Type &type, const Tensor &t, std::size_t N, const DebugContext &dc, TensorCloneMethod method,
                     TensorCloneDuplicationMethod dup) {
  const TensorData &source = sourceOf(*this, t);
  if (N == 0)
    return clone(type, t, dc, method).expand({0}).slice(0, 0, 0u);
  std::vector<std::size_t> shape = source.view.shape;
  shape.insert(shape.begin(), N);
  popscope::checkResultShape(source, shape, "cloneN");
  if (N > popscope::kMaxRuns)
    popscope::throwShape(source,
                         fmt::format("cloneN: {} clones are requested; a tensor has at most {} (2^26) separate parts.",
                                     N, popscope::kMaxRuns));
  std::vector<Tensor> clones;
  if (dup == TensorCloneDuplicationMethod::DUPLICATE_BY_TILE_CONTIGUOUS_REGION && !createsNewOrder(source, method)) {
    std::vector<View> views =
        Cloner(source, cloneType(type, source, dc.getPathName()), dc.getPathName()).clone(N, gathersByTile(method));
    for (View &view : views) {
      replicate(*this, source, view);
      clones.push_back(tensorOfClone(type, source, std::move(view)).expand({0}));
    }
  } else {
    for (std::size_t i = 0; i < N; ++i)
      clones.push_back(clone(type, t, dc, method).expand({0}));
  }
  return concat(clones);
}

} // namespace poplar
