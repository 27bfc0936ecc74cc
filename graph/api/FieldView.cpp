#include "graph/api/FieldView.hpp"

#include "graph/api/Describe.hpp"
#include "graph/codelets/TileLayout.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace popscope {

const FieldInfo &FieldView::info() const { return fieldInfo(*graph, vertex, field); }

namespace {
struct ByField {
  bool operator()(const GraphEdge &e, std::uint16_t f) const { return e.field < f; }
  bool operator()(std::uint16_t f, const GraphEdge &e) const { return f < e.field; }
};
} // namespace

const GraphEdge *FieldView::edgesBegin() const {
  const std::vector<GraphEdge> &edges = graph->ir.vertices[vertex].edges;
  return edges.data() + (std::lower_bound(edges.begin(), edges.end(), field, ByField()) - edges.begin());
}
const GraphEdge *FieldView::edgesEnd() const {
  const std::vector<GraphEdge> &edges = graph->ir.vertices[vertex].edges;
  return edges.data() + (std::upper_bound(edges.begin(), edges.end(), field, ByField()) - edges.begin());
}

const GraphEdge *FieldView::edgeAt(std::uint32_t subIndex) const {
  const GraphEdge *end = edgesEnd();
  const GraphEdge *at =
      std::lower_bound(edgesBegin(), end, subIndex, [](const GraphEdge &e, std::uint32_t i) { return e.subIndex < i; });
  return at != end && at->subIndex == subIndex ? at : nullptr;
}

const GraphState *FieldView::state() const {
  for (const GraphState &s : graph->ir.vertices[vertex].states)
    if (s.field == field)
      return &s;
  return nullptr;
}

bool FieldView::nested() const {
  return info().shape == FieldShape::VectorOfVectors || info().shape == FieldShape::VectorList;
}

void FieldView::checkDim(std::uint64_t size, unsigned dim, const char *operation) const {
  const std::uint64_t most = maxDimOf(*graph, info(), dim);
  if (size > most)
    throw poplar::graph_connection_error(
        fmt::format("{}: {} is given {} elements; its representation on a tile ({}) holds {} at most "
                    "(Graph::getMaxFieldDim).",
                    operation, describe(*graph, vertex, field), size, graph->ir.machine.architecture, most));
}

std::uint64_t maxDimOf(const GraphShared &graph, const FieldInfo &field, unsigned dim) {
  if (graph.ir.machine.kind == DeviceKind::Cpu)
    return std::numeric_limits<std::uint32_t>::max(); // sizes are full words there
  return std::min<std::uint64_t>(maxFieldDim(field, dim, graph.ir.machine.architecture),
                                 std::numeric_limits<std::uint32_t>::max());
}

std::optional<std::uint64_t> FieldView::size() const {
  if (info().shape == FieldShape::Scalar)
    return 1;
  for (const auto &sized : graph->ir.vertices[vertex].fieldSizes)
    if (sized.first == field)
      return sized.second;
  if (const GraphState *s = state())
    return s->elements;
  const GraphEdge *begin = edgesBegin(), *end = edgesEnd();
  if (begin == end)
    return std::nullopt;
  if (info().shape == FieldShape::Vector)
    return begin->view.elements();
  return std::uint64_t((end - 1)->subIndex) + 1;
}

} // namespace popscope
