#include "graph/lowering/PrepareExecute.hpp"
#include "base/Parallel.hpp"
#include "graph/lowering/CountFlops.hpp"
#include "graph/lowering/ReceiveWords.hpp"
#include "graph/lowering/ShareBuffers.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

namespace popscope {
namespace {

constexpr std::size_t kVerticesPerTask = 1024;
constexpr std::size_t kVerticesAhead = 32768; // the number of vertices that are prepared at a time, per thread

std::vector<VertexId> verticesByTile(const GraphIr &graph, ComputeSetId cs) {
  const VertexList &vertices = graph.computeSets[cs].vertices;
  std::vector<VertexId> order;
  order.reserve(vertices.size());
  for (const VertexId v : vertices)
    order.push_back(v);
  const auto byTile = [&](VertexId a, VertexId b) { return graph.vertices[a].tile < graph.vertices[b].tile; };
  if (!std::is_sorted(order.begin(), order.end(), byTile)) // usually vertices are added in the order of tiles
    std::stable_sort(order.begin(), order.end(), byTile);
  return order;
}

class VertexPreparer {
public:
  VertexPreparer(const LoweringContext &context, PreparedVertices &out)
      : c_(context), out_(out), classifier_(context, out.operands), forms_(out.forms, out.operandKinds) {}

  void run(std::span<const VertexId> vertices) {
    out_.vertices.reserve(vertices.size());
    for (const VertexId v : vertices)
      addVertex(c_.graph.vertices[v]);
    shareEdges();
    for (std::size_t b = 0; b < shared_.size(); ++b)
      addBuffer(b);
    for (std::size_t e = 0; e < classifier_.edges.size(); ++e) {
      EdgePlace &operand = out_.operands[classifier_.edges[e].operand];
      operand.home = localHome(places_[e].buffer);
      operand.offset = narrow(places_[e].element * sizeOf(shared_[places_[e].buffer]));
    }
    out_.demands = std::move(classifier_.demands);
    out_.numBuffered = classifier_.edges.size();
  }

private:
  void addVertex(const GraphVertex &vertex) {
    StepVertex &step = out_.vertices.emplace_back();
    const auto id = vertex.id().index();
    step.type = VertexTypeId(numberOfCodelet(vertex.codelet));
    step.tile = vertex.tile;
    step.id = id;
    step.estimate = vertex.cycleEstimate();
    VertexForm form;
    form.footprint = numberOfShape(vertex);
    form.saysFlops = estimatedFlops(vertex, c_.estimates.flops) >= 0;
    if (step.estimate < 0 && id < c_.estimates.cycles.size()) {
      step.estimate = c_.estimates.cycles[id];
      form.fromEstimator = step.estimate >= 0;
    }
    step.firstState = static_cast<std::uint32_t>(out_.states.size());
    c_.addStates(vertex, out_.states, out_.data);
    form.numState = static_cast<std::uint16_t>(out_.states.size() - step.firstState);
    step.firstEdge = static_cast<std::uint32_t>(out_.operands.size());
    classifier_.add(vertex);
    step.form = forms_.numberOf(form, classifier_.kinds);
  }
  std::uint32_t numberOfCodelet(int codelet) {
    if (lastCodelet_ < out_.codelets.size() && out_.codelets[lastCodelet_] == codelet)
      return lastCodelet_;
    const auto known = std::find(out_.codelets.begin(), out_.codelets.end(), codelet);
    lastCodelet_ = static_cast<std::uint32_t>(known - out_.codelets.begin());
    if (known == out_.codelets.end()) {
      out_.codelets.push_back(codelet);
      shapeOfCodelet_.push_back(kNotKnown);
    }
    return lastCodelet_;
  }
  /// Returns the index in out_.shapes of the vertex's shape. The last call of numberOfCodelet() must have been for the
  /// vertex's codelet.
  std::uint32_t numberOfShape(const GraphVertex &vertex) {
    const bool bySize = c_.footprintDependsOnSizes(vertex.codelet);
    if (!bySize && shapeOfCodelet_[lastCodelet_] != kNotKnown)
      return shapeOfCodelet_[lastCodelet_];
    const auto next = static_cast<std::uint32_t>(out_.shapes.size());
    if (!bySize) {
      shapeOfCodelet_[lastCodelet_] = next;
    } else {
      c_.shapeOf(vertex, shape_);
      const auto [known, isNew] = shapes_.try_emplace(shape_, next);
      if (!isNew)
        return known->second;
    }
    out_.shapes.push_back(vertex.id());
    return next;
  }

  void shareEdges() {
    const std::vector<PlacedEdge> &edges = classifier_.edges;
    places_.resize(edges.size());
    shared_.reserve(edges.size());
    for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
      while (end < edges.size() && edges[end].tile == edges[begin].tile)
        ++end;
      shareBuffers(c_, std::span(edges).subspan(begin, end - begin), shared_, places_.data() + begin);
    }
  }
  [[nodiscard]] Bytes sizeOf(const SharedBuffer &buffer) const {
    return Bytes(elementBytes(c_.storedType(buffer.view())));
  }
  /// Adds the row of a buffer, and the moves to and from it.
  void addBuffer(std::size_t number) {
    const SharedBuffer &buffer = shared_[number];
    const RunList view = buffer.view();
    if (buffer.only.home.valid())
      parts_.assign(1, buffer.only);
    else
      c_.fragments(view, parts_, ~std::size_t(0), buffer.tile);
    LoweringContext::Buffer row;
    row.type = c_.storedType(view);
    const Bytes size(elementBytes(row.type));
    row.category = categoryOf(buffer, size);
    row.tile = buffer.tile;
    row.elements = viewCount(view);
    row.alignment = buffer.alignment;
    row.interleaved = buffer.interleaved;
    out_.buffers.push_back(row);
    out_.sources.push_back(view.front().var);
    Bytes at; // offset in the buffer
    for (const Fragment &part : parts_) {
      const bool fill = !part.home.valid();
      const Bytes bytes = part.count * size, from = fill ? Bytes(part.element) : part.element * size;
      POPSCOPE_CHECK(fill || size == c_.elementSize(part.home), "a move between elements of {} and {} bytes",
                     c_.elementSize(part.home).count(), size.count());
      const bool local = fill || c_.tileOf(part.home) == buffer.tile;
      const HomeId home = localHome(number);
      if (buffer.reads) {
        (local ? out_.gather : out_.receive).push_back({{from, part.home, home, narrow(at), narrow(bytes)}, 0});
        out_.anyPieces = out_.anyPieces || (!local && !betweenWords(from, at));
      }
      if (buffer.writes)
        (local ? out_.scatter : out_.send).push_back({{at, home, part.home, narrow(from), narrow(bytes)}, 0});
      at += bytes;
    }
  }
  /// Returns the category of the buffer to which `parts_` are moved. `size` is the size of an element.
  [[nodiscard]] StorageCategory categoryOf(const SharedBuffer &buffer, Bytes size) const {
    bool anyLocal = false, anyRemote = false, otherIpu = false;
    Bytes at; // offset in the buffer
    for (const Fragment &part : parts_) {
      const TileId tile = part.home.valid() ? c_.tileOf(part.home) : buffer.tile;
      // true: the data arrives at another place, and is then copied into the buffer
      const bool copied = part.home.valid() && !betweenWords(part.element * size, at);
      at += part.count * size;
      anyLocal = anyLocal || copied || tile == buffer.tile;
      anyRemote = anyRemote || tile != buffer.tile;
      otherIpu = otherIpu || c_.ipuOf(tile) != c_.ipuOf(buffer.tile);
    }
    if (!buffer.reads)
      return anyRemote ? StorageCategory::OutputEdge : StorageCategory::Rearrangement;
    if (anyLocal)
      return StorageCategory::Rearrangement;
    return otherIpu ? StorageCategory::GlobalMessage : StorageCategory::Message;
  }

  static constexpr std::uint32_t kNotKnown = ~std::uint32_t(0);
  const LoweringContext &c_;
  PreparedVertices &out_;
  EdgeClassifier classifier_;
  FormTable forms_;
  std::uint32_t lastCodelet_ = kNotKnown;
  // The shape of each codelet whose vertices all have one shape, by the number of the codelet in out_.codelets.
  std::vector<std::uint32_t> shapeOfCodelet_;
  std::unordered_map<std::vector<std::uint64_t>, std::uint32_t, LoweringContext::ShapeHash> shapes_; // lookup only
  std::vector<std::uint64_t> shape_;
  std::vector<SharedBuffer> shared_;
  std::vector<BufferPlace> places_; // by edge
  std::vector<Fragment> parts_;     // fragments of the current buffer
};

} // namespace

std::size_t PreparedExecute::numVertices() const {
  std::size_t n = 0;
  for (const PreparedVertices &part : parts)
    n += part.vertices.size();
  return n;
}

ExecutePreparer::ExecutePreparer(const LoweringContext &context, std::vector<ComputeSetId> order)
    : c_(context), order_(std::move(order)), position_(context.graph.computeSets.size()),
      states_(context.graph.computeSets.size()), ready_(context.graph.computeSets.size()) {
  for (std::size_t i = order_.size(); i-- != 0;)
    position_[order_[i].index()] = static_cast<std::uint32_t>(i);
}

PreparedExecute ExecutePreparer::take(ComputeSetId computeSet) {
  const std::size_t index = computeSet.index();
  if (states_[index] != State::Ready) {
    std::vector<ComputeSetId> sets{computeSet};
    std::size_t vertices = c_.graph.computeSets[computeSet].vertices.size();
    const std::size_t most = c_.options.threads.count() > 1 ? kVerticesAhead * c_.options.threads.count() : 0;
    if (states_[index] == State::Waiting)
      for (std::size_t i = position_[index] + std::size_t(1); i < order_.size() && vertices < most; ++i)
        if (states_[order_[i].index()] == State::Waiting) {
          sets.push_back(order_[i]);
          vertices += c_.graph.computeSets[order_[i]].vertices.size();
        }
    prepare(sets);
  }
  states_[index] = State::Taken;
  return std::move(ready_[index]);
}

void ExecutePreparer::prepare(const std::vector<ComputeSetId> &sets) {
  std::vector<std::vector<VertexId>> orders(sets.size());
  parallelFor(c_.options.threads, sets.size(), [&](std::size_t s) { orders[s] = verticesByTile(c_.graph, sets[s]); });
  struct Task {
    std::span<const VertexId> vertices;
    PreparedVertices *out;
  };
  std::vector<Task> tasks;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const std::vector<VertexId> &order = orders[s];
    const std::size_t first = tasks.size();
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      end = std::min(order.size(), begin + kVerticesPerTask);
      while (end < order.size() && c_.graph.vertices[order[end]].tile == c_.graph.vertices[order[end - 1]].tile)
        ++end;
      tasks.push_back({std::span(order).subspan(begin, end - begin), nullptr});
    }
    std::vector<PreparedVertices> &parts = ready_[sets[s].index()].parts;
    parts.resize(tasks.size() - first);
    for (std::size_t t = first; t < tasks.size(); ++t)
      tasks[t].out = &parts[t - first];
    states_[sets[s].index()] = State::Ready;
  }
  parallelFor(c_.options.threads, tasks.size(),
              [&](std::size_t t) { VertexPreparer(c_, *tasks[t].out).run(tasks[t].vertices); });
  for (const Task &task : tasks) {
    newRows_.vertices += task.out->vertices.size();
    newRows_.operands += task.out->operands.size();
    newRows_.buffers += task.out->buffers.size();
    newRows_.messages += task.out->receive.size() + task.out->send.size();
  }
}

} // namespace popscope
