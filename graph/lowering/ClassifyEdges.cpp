#include "graph/lowering/ClassifyEdges.hpp"
#include "base/Parallel.hpp"

#include <algorithm>

namespace popscope {
namespace {

bool overlap(const RunList &a, const RunList &b) {
  const auto contains = [](const ViewRun &r, std::uint64_t e) {
    if (r.stride == 0 || r.count == 1)
      return e == r.begin;
    const std::int64_t offset = static_cast<std::int64_t>(e) - static_cast<std::int64_t>(r.begin),
                       steps = offset / r.stride;
    return offset % r.stride == 0 && steps >= 0 && static_cast<std::uint64_t>(steps) < r.count;
  };
  for (const ViewRun &x : a)
    for (const ViewRun &y : b)
      for (std::uint64_t i = 0; x.var == y.var && i < x.count; ++i)
        if (contains(y, x.begin + static_cast<std::uint64_t>(x.stride * static_cast<std::int64_t>(i))))
          return true;
  return false;
}

class Classifier {
public:
  Classifier(const LoweringContext &context, ComputeSetId cs) : c_(context), cs_(cs) {}

  PlacedVertices run() {
    sortVertices();
    listEdges();
    parallelRanges(c_.options.threads, result_.edges.size(), 1024, [this](std::size_t begin, std::size_t end) {
      std::vector<Fragment> parts;
      for (std::size_t e = begin; e < end; ++e)
        place(result_.edges[e], parts);
    });
    separateSelfOverlaps();
    return std::move(result_);
  }

private:
  void sortVertices() {
    const VertexList &vertices = c_.graph.computeSets[cs_].vertices;
    result_.order.reserve(vertices.size());
    for (const VertexId v : vertices)
      result_.order.push_back(v);
    const auto byTile = [&](VertexId a, VertexId b) { return c_.graph.vertices[a].tile < c_.graph.vertices[b].tile; };
    if (!std::is_sorted(result_.order.begin(), result_.order.end(), byTile)) // mostly they are added by tile
      std::stable_sort(result_.order.begin(), result_.order.end(), byTile);
  }
  void listEdges() {
    std::size_t edges = 0;
    for (const VertexId v : result_.order)
      edges += c_.graph.vertices[v].edges().size();
    result_.edges.reserve(edges);
    result_.firstEdge.reserve(result_.order.size() + 1);
    for (std::uint32_t v = 0; v < result_.order.size(); ++v) {
      const GraphVertex vertex = c_.graph.vertices[result_.order[v]];
      result_.firstEdge.push_back(static_cast<std::uint32_t>(result_.edges.size()));
      const auto &fields = c_.graph.codelets.at(vertex.codelet).fields;
      const EdgeRange all = vertex.edges();
      for (std::size_t e = 0; e < all.size();) {
        const GraphEdge edge = all[e];
        const FieldInfo &field = fields.at(edge.field);
        // A plain vector is one operand: elements connected one by one are put together.
        const std::size_t parts = field.shape == FieldShape::Vector ? vertex.edges(edge.field).size() : 1;
        addEdge(v, vertex, field, edge, parts == 1 ? edge.runs : join(vertex.edges(edge.field)));
        e += parts;
      }
    }
    result_.firstEdge.push_back(static_cast<std::uint32_t>(result_.edges.size()));
  }
  RunList join(const EdgeRange &edges) {
    std::vector<ViewRun> &all = result_.joined.emplace_back();
    for (const GraphEdge &edge : edges)
      all.insert(all.end(), edge.runs.begin(), edge.runs.end());
    return {all.data(), all.size()};
  }
  void addEdge(std::uint32_t v, const GraphVertex &vertex, const FieldInfo &field, const GraphEdge &edge,
               const RunList &view) {
    PlacedEdge placed;
    placed.view = view;
    placed.vertex = v;
    placed.field = edge.field;
    placed.subIndex = edge.subIndex;
    placed.tile = vertex.tile;
    placed.reads = field.direction != FieldDirection::Output;
    placed.writes = field.direction != FieldDirection::Input;
    placed.interleaved =
        field.interleaved && c_.graph.machine.kind != DeviceKind::Cpu; // the host has one kind of memory
    placed.alignment = std::max<std::uint32_t>(1, field.minAlign);
    result_.edges.push_back(placed);
  }
  void place(PlacedEdge &edge, std::vector<Fragment> &parts) const {
    edge.elements = viewCount(edge.view);
    if (edge.elements == 0)
      return;
    c_.fragments(edge.view, parts, 1, edge.tile);
    if (!parts.front().home.valid()) {
      edge.buffered = true; // a value that fills it
      return;
    }
    const HomeBytes bytes = c_.bytesOf(parts.front());
    edge.buffered = parts.size() > 1 || c_.tileOf(bytes.home) != edge.tile || bytes.offset % edge.alignment != 0;
    if (!edge.buffered) {
      edge.home = bytes.home;
      edge.offset = bytes.offset;
    }
  }
  /// A vertex that reads through one field what it writes through another must see the old values: such reads get a
  /// buffer.
  void separateSelfOverlaps() {
    if (c_.selfOverlapping.empty())
      return;
    for (std::size_t v = 0; v < result_.order.size(); ++v) {
      if (!std::binary_search(c_.selfOverlapping.begin(), c_.selfOverlapping.end(), result_.order[v]))
        continue;
      const auto first = result_.edges.begin() + result_.firstEdge[v],
                 last = result_.edges.begin() + result_.firstEdge[v + 1];
      for (auto edge = first; edge != last; ++edge)
        if (!edge->writes && !edge->buffered && edge->elements > 0 &&
            std::any_of(first, last,
                        [&](const PlacedEdge &other) { return other.writes && overlap(edge->view, other.view); })) {
          edge->buffered = true;
          edge->home = HomeId();
          edge->offset = 0;
        }
    }
  }

  const LoweringContext &c_;
  ComputeSetId cs_;
  PlacedVertices result_;
};

} // namespace

PlacedVertices classifyEdges(const LoweringContext &context, ComputeSetId computeSet) {
  return Classifier(context, computeSet).run();
}

} // namespace popscope
