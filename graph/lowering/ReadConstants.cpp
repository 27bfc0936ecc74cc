#include "graph/lowering/ReadConstants.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace popscope {
namespace {

class ConstantReads {
public:
  ConstantReads(const GraphIr &graph, const std::vector<GraphVarId> &constants)
      : g_(graph), constants_(constants), kinds_(graph.vars.size(), Kind::Variable) {
    for (std::size_t v = 0; v < kinds_.size(); ++v)
      if (const GraphVar &var = g_.vars.raw()[v]; var.constant)
        kinds_[v] = hasOneValue(var) ? Kind::OneValue : Kind::Held;
  }
  std::vector<ConstantRead> run(const GraphUses &uses) {
    for (const ViewUse &use : uses.views)
      if (use.other == use.view)
        continue; // AssumeEqualAcrossReplicas reads nothing
      else if (!use.write && use.other != nullptr)
        copied(*use.view, *use.other);
      else
        onOwnTiles(*use.view);
    for (const ComputeSetId cs : uses.computeSets)
      for (const VertexId v : g_.computeSets[cs].vertices)
        vertex(g_.vertices[v]);
    unite();
    return std::move(reads_);
  }

private:
  enum class Kind : std::uint8_t { Variable, Held, OneValue };
  [[nodiscard]] Kind kindOf(const ViewRun &run) const { return kinds_[run.var.index()]; }

  void add(GraphVarId constant, TileId tile, std::uint64_t begin, std::uint64_t end) {
    const GraphVarId var = constants_[constant.index()];
    if (!reads_.empty() && reads_.back().var == var && reads_.back().tile == tile &&
        reads_.back().elements.end == begin)
      reads_.back().elements.end = end;
    else
      reads_.push_back({var, tile, {begin, end}});
  }
  void add(const ViewRun &run, std::uint64_t first, std::uint64_t count, TileId tile) {
    if (run.stride == 1)
      return add(run.var, tile, run.begin + first, run.begin + first + count);
    for (std::uint64_t i = first; i < first + (run.stride == 0 ? std::min<std::uint64_t>(count, 1) : count); ++i)
      add(run.var, tile, run.at(i), run.at(i) + 1);
  }

  // A reader that belongs to no tile reads each element on the tile to which the user mapped it.
  void onOwnTiles(const View &view) {
    for (const ViewRun &run : view.runs)
      for (std::uint64_t i = 0; kindOf(run) != Kind::Variable && i < run.count; ++i)
        add(run.var, ownerOf(run.var, run.at(i)), run.at(i), run.at(i) + 1);
  }
  [[nodiscard]] TileId ownerOf(GraphVarId var, std::uint64_t element) const {
    if (isOneHostTile(g_.machine))
      return TileId(0);
    const std::vector<MappedRange> &mapping = g_.vars[var].mapping;
    return (std::upper_bound(mapping.begin(), mapping.end(), element,
                             [](std::uint64_t e, const MappedRange &m) { return e < m.begin; }) -
            1)
        ->tile;
  }

  // Each element is read on its destination tile.
  void copied(const View &from, const View &to) {
    if (std::none_of(from.runs.begin(), from.runs.end(), [&](const ViewRun &run) { return kindOf(run) == Kind::Held; }))
      return;
    auto target = to.runs.begin();
    std::uint64_t used = 0;
    for (const ViewRun &run : from.runs)
      for (std::uint64_t i = 0; i < run.count; ++i, ++used) {
        while (used == target->count)
          ++target, used = 0;
        if (kindOf(run) == Kind::Held)
          add(run, i, 1, ownerOf(target->var, target->at(used)));
      }
  }

  void vertex(const GraphVertex &vertex) {
    for (const GraphEdge &edge : vertex.edges()) {
      const auto isConstant = [&](const ViewRun &run) { return kindOf(run) != Kind::Variable && run.count > 0; };
      if (std::none_of(edge.runs.begin(), edge.runs.end(), isConstant))
        continue;
      const bool filled = joins(vertex, edge);
      for (const ViewRun &run : edge.runs)
        if (kindOf(run) == Kind::Held || (kindOf(run) == Kind::OneValue && !filled))
          add(run, 0, run.count, vertex.tile);
    }
  }
  /// Returns whether the operand joins several tensors and is therefore in a buffer.
  [[nodiscard]] bool joins(const GraphVertex &vertex, const GraphEdge &edge) const {
    const auto other = [&](const ViewRun &run) { return run.var != edge.runs.front().var; };
    if (std::any_of(edge.runs.begin(), edge.runs.end(), other))
      return true;
    return g_.codelets.at(vertex.codelet).fields.at(edge.field).shape == FieldShape::Vector &&
           vertex.edges(edge.field).size() > 1;
  }

  void unite() {
    std::sort(reads_.begin(), reads_.end(), [](const ConstantRead &a, const ConstantRead &b) {
      return std::tie(a.var, a.tile, a.elements.begin) < std::tie(b.var, b.tile, b.elements.begin);
    });
    std::size_t kept = 0;
    for (const ConstantRead &r : reads_) {
      ConstantRead *const last = kept > 0 ? &reads_[kept - 1] : nullptr;
      if (last != nullptr && last->var == r.var && last->tile == r.tile && r.elements.begin <= last->elements.end)
        last->elements.end = std::max(last->elements.end, r.elements.end);
      else
        reads_[kept++] = r;
    }
    reads_.resize(kept);
  }

  const GraphIr &g_;
  const std::vector<GraphVarId> &constants_;
  std::vector<Kind> kinds_;
  std::vector<ConstantRead> reads_;
};

} // namespace

bool hasOneValue(const GraphVar &constant) {
  const std::uint64_t size = elementBytes(constant.type);
  return !constant.replicaIndex && constant.initial.size() >= size &&
         std::memcmp(constant.initial.data(), constant.initial.data() + size, constant.initial.size() - size) == 0;
}

std::vector<GraphVarId> equalConstants(const GraphIr &graph, const std::vector<std::uint8_t> &used) {
  std::vector<GraphVarId> result;
  result.reserve(graph.vars.size());
  std::map<ElementType, std::unordered_map<std::string_view, GraphVarId>> first; // the first constant with the same
                                                                                 // bytes, by these bytes
  for (std::size_t v = 0; v < graph.vars.size(); ++v) {
    const GraphVar &var = graph.vars.raw()[v];
    GraphVarId same = graph.vars.idAt(v);
    if (var.constant && !var.replicaIndex && used[v] != 0) {
      const std::string_view bytes(reinterpret_cast<const char *>(var.initial.data()), var.initial.size());
      same = first[var.type].try_emplace(bytes, same).first->second;
    }
    result.push_back(same);
  }
  return result;
}

std::vector<ConstantRead> readConstants(const GraphIr &graph, const GraphUses &uses,
                                        const std::vector<GraphVarId> &constants) {
  if (std::none_of(graph.vars.begin(), graph.vars.end(), [](const GraphVar &v) { return v.constant; }))
    return {};
  return ConstantReads(graph, constants).run(uses);
}

} // namespace popscope
