#include "graph/api/FieldView.hpp"

#include "graph/api/Describe.hpp"
#include "graph/codelets/TileLayout.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace popscope {

const FieldInfo &FieldView::info() const { return fieldInfo(*graph, vertex, field); }

std::string FieldView::name() const { return describe(*graph, vertex, field); }

EdgeRange FieldView::edges() const { return graph->ir.vertices[vertex].edges(field); }

std::optional<GraphEdge> FieldView::edgeAt(std::uint32_t subIndex) const {
  return graph->ir.vertices[vertex].edge(field, subIndex);
}

std::optional<GraphState> FieldView::state() const { return graph->ir.vertices[vertex].state(field); }

bool FieldView::nested() const {
  return info().shape == FieldShape::VectorOfVectors || info().shape == FieldShape::VectorList;
}

void FieldView::checkDim(std::uint64_t size, unsigned dim, const char *operation) const {
  if (size <= kEveryFieldDim)
    return;
  const std::uint64_t most = maxDimOf(*graph, info(), dim);
  if (size > most)
    throw poplar::graph_connection_error(
        fmt::format("{}: {} is given {} elements; its representation on a tile ({}) holds {} at most "
                    "(Graph::getMaxFieldDim).",
                    operation, name(), size, graph->ir.machine.architecture, most));
}

std::uint64_t maxDimOf(const GraphShared &graph, const FieldInfo &field, unsigned dim) {
  if (graph.ir.machine.kind == DeviceKind::Cpu)
    return std::numeric_limits<std::uint32_t>::max(); // a CPU stores sizes in full words
  return std::min<std::uint64_t>(maxFieldDim(field, dim, graph.ir.machine.architecture),
                                 std::numeric_limits<std::uint32_t>::max());
}

std::optional<std::uint64_t> FieldView::size() const {
  if (info().shape == FieldShape::Scalar)
    return 1;
  if (const auto size = graph->ir.vertices[vertex].fieldSize(field))
    return size;
  if (const auto s = state())
    return s->elements;
  const EdgeRange all = edges();
  if (all.empty())
    return std::nullopt;
  if (info().shape == FieldShape::Vector)
    return all[0].elements();
  return std::uint64_t(all[all.size() - 1].subIndex) + 1;
}

} // namespace popscope
