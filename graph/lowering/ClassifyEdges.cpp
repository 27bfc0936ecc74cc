#include "graph/lowering/ClassifyEdges.hpp"
#include "base/Parallel.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace popscope {
namespace {

constexpr std::size_t kClassifiedPerTask = 1024;

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

/// An operand before it is placed.
struct Operand {
  const FieldInfo *field;
  std::uint16_t fieldIndex;
  std::uint32_t subIndex;
  RunList view;
  [[nodiscard]] bool reads() const { return field->direction != FieldDirection::Output; }
  [[nodiscard]] bool writes() const { return field->direction != FieldDirection::Input; }
};

/// Calls use(operand) for each operand of a vertex. A plain vector is one operand: elements connected one by one are
/// put together, in `joined`.
template <class Use>
void eachOperand(const CodeletSet &codelets, const GraphVertex &vertex, std::deque<std::vector<ViewRun>> &joined,
                 const Use &use) {
  const auto &fields = codelets.at(vertex.codelet).fields;
  const EdgeRange all = vertex.edges();
  for (std::size_t e = 0, next = 0; e < all.size(); e = next) {
    const GraphEdge edge = all[e];
    const FieldInfo &field = fields.at(edge.field);
    next = e + 1;
    if (field.shape == FieldShape::Vector)
      while (next < all.size() && all[next].field == edge.field)
        ++next;
    if (next == e + 1) {
      use(Operand{&field, edge.field, edge.subIndex, edge.runs});
      continue;
    }
    std::vector<ViewRun> &runs = joined.emplace_back();
    for (std::size_t i = e; i < next; ++i) {
      const GraphEdge part = all[i];
      runs.insert(runs.end(), part.runs.begin(), part.runs.end());
    }
    use(Operand{&field, edge.field, edge.subIndex, {runs.data(), runs.size()}});
  }
}

std::uint32_t countOperands(const CodeletSet &codelets, const GraphVertex &vertex) {
  const EdgeRange all = vertex.edges();
  auto count = static_cast<std::uint32_t>(all.size());
  const auto &fields = codelets.at(vertex.codelet).fields;
  for (std::size_t e = 1; e < all.size(); ++e)
    if (const std::uint16_t field = all[e].field;
        field == all[e - 1].field && fields.at(field).shape == FieldShape::Vector)
      --count;
  return count;
}

/// The operands of some vertices.
class TaskClassifier {
public:
  TaskClassifier(const LoweringContext &context, VertexEdge *operands) : c_(context), operands_(operands) {}

  void add(VertexId id, std::uint32_t first) {
    at_ = first;
    firstOfVertex_ = first;
    const GraphVertex vertex = c_.graph.vertices[id];
    const auto &separate = c_.selfOverlapping;
    if (!separate.empty() && std::binary_search(separate.begin(), separate.end(), id))
      return addSeparately(vertex);
    eachOperand(c_.graph.codelets, vertex, joined, [&](const Operand &o) { place(o, vertex.tile, false); });
  }
  std::vector<PlacedEdge> edges;
  std::vector<HomeDemand> demands;
  std::deque<std::vector<ViewRun>> joined;

private:
  /// What the vertex reads through one field and writes through another gets a buffer: it must see the old values.
  void addSeparately(const GraphVertex &vertex) {
    std::vector<Operand> all;
    eachOperand(c_.graph.codelets, vertex, joined, [&](const Operand &o) { all.push_back(o); });
    for (const Operand &o : all)
      place(o, vertex.tile, !o.writes() && std::any_of(all.begin(), all.end(), [&](const Operand &other) {
              return other.writes() && overlap(o.view, other.view);
            }));
  }
  void place(const Operand &o, TileId tile, bool apart) {
    VertexEdge &out = operands_[at_];
    out.field = o.fieldIndex;
    out.subIndex = o.subIndex;
    out.reads = o.reads();
    out.writes = o.writes();
    out.elements = viewCount(o.view);
    const std::uint32_t alignment = std::max<std::uint32_t>(1, o.field->minAlign);
    const bool interleaved =
        o.field->interleaved && c_.graph.machine.kind != DeviceKind::Cpu; // the host has one kind of memory
    if (out.elements != 0 && !(!apart && findInPlace(o.view, tile, alignment, out)))
      edges.push_back({o.view, at_, tile, out.reads, out.writes, interleaved, alignment, out.elements});
    else if (out.home.valid() && (alignment > kWordBytes || interleaved))
      demands.push_back({out.home, alignment, interleaved});
    ++at_;
  }
  bool findInPlace(const RunList &view, TileId tile, std::uint32_t alignment, VertexEdge &out) {
    Fragment found;
    // Neighbouring vertices mostly find the same operand in the same piece.
    if (!c_.findInPiece(view, hints_[(at_ - firstOfVertex_) % hints_.size()], found)) {
      c_.fragments(view, parts_, 1, tile);
      if (parts_.size() > 1 || !parts_.front().home.valid()) // several runs, or a value that fills the operand
        return false;
      found = parts_.front();
    }
    const HomeBytes bytes = c_.bytesOf(found);
    if (c_.tileOf(bytes.home) != tile || bytes.offset % alignment != 0)
      return false;
    out.home = bytes.home;
    out.offset = bytes.offset;
    return true;
  }

  const LoweringContext &c_;
  VertexEdge *operands_;
  std::uint32_t at_ = 0, firstOfVertex_ = 0;
  std::array<std::uint32_t, 8> hints_{};
  std::vector<Fragment> parts_;
};

std::vector<VertexId> verticesByTile(const GraphIr &graph, ComputeSetId cs) {
  const VertexList &vertices = graph.computeSets[cs].vertices;
  std::vector<VertexId> order;
  order.reserve(vertices.size());
  for (const VertexId v : vertices)
    order.push_back(v);
  const auto byTile = [&](VertexId a, VertexId b) { return graph.vertices[a].tile < graph.vertices[b].tile; };
  if (!std::is_sorted(order.begin(), order.end(), byTile)) // mostly they are added by tile
    std::stable_sort(order.begin(), order.end(), byTile);
  return order;
}

} // namespace

PlacedVertices classifyEdges(const LoweringContext &c, ComputeSetId cs, std::vector<VertexEdge> &operands) {
  PlacedVertices result;
  result.order = verticesByTile(c.graph, cs);
  const std::size_t numVertices = result.order.size();
  result.firstOperand.resize(numVertices + 1);
  result.firstOperand.front() = static_cast<std::uint32_t>(operands.size());
  parallelRanges(c.options.threads, numVertices, kClassifiedPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      result.firstOperand[v + 1] = countOperands(c.graph.codelets, c.graph.vertices[result.order[v]]);
  });
  std::partial_sum(result.firstOperand.begin(), result.firstOperand.end(), result.firstOperand.begin());
  operands.resize(result.firstOperand.back());
  const std::size_t tasks = (numVertices + kClassifiedPerTask - 1) / kClassifiedPerTask;
  std::vector<TaskClassifier> done(tasks, TaskClassifier(c, operands.data()));
  parallelFor(c.options.threads, tasks, [&](std::size_t t) {
    for (std::size_t v = t * kClassifiedPerTask; v < std::min(numVertices, (t + 1) * kClassifiedPerTask); ++v)
      done[t].add(result.order[v], result.firstOperand[v]);
  });
  std::size_t edges = 0;
  for (const TaskClassifier &task : done)
    edges += task.edges.size();
  result.edges.reserve(edges);
  for (TaskClassifier &task : done) {
    result.edges.insert(result.edges.end(), task.edges.begin(), task.edges.end());
    result.demands.insert(result.demands.end(), task.demands.begin(), task.demands.end());
    result.joined.push_back(std::move(task.joined));
  }
  return result;
}

} // namespace popscope
