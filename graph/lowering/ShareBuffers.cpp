#include "graph/lowering/ShareBuffers.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory_resource>
#include <numeric>
#include <tuple>

namespace popscope {
namespace {

constexpr int kMaxCandidates = 4; // the number of buffers that are tried for an operand; more would cost time and find
                                  // little

bool isDense(const ViewRun &run) { return run.stride == 1 || run.count == 1; }

/// A place in a list of runs.
struct Cursor {
  RunList runs;
  std::size_t run = 0;
  std::uint64_t used = 0; // elements used of that run
  void settle() {
    while (run < runs.size() && used == runs.data()[run].count)
      ++run, used = 0;
  }
  [[nodiscard]] bool atEnd() const { return run == runs.size(); }
};

/// Walks both lists until one list ends. Returns false if the lists differ before that.
bool walk(Cursor &a, Cursor &b) {
  for (a.settle(), b.settle(); !a.atEnd() && !b.atEnd(); a.settle(), b.settle()) {
    const ViewRun &x = a.runs.data()[a.run], &y = b.runs.data()[b.run];
    if (x.var != y.var)
      return false;
    std::uint64_t count = std::min(x.count - a.used, y.count - b.used);
    if (isDense(x) && isDense(y)) {
      if (x.begin + a.used != y.begin + b.used)
        return false;
    } else {
      if (a.used != 0 || b.used != 0 || x.begin != y.begin || x.count != y.count || x.stride != y.stride)
        return false;
      count = x.count;
    }
    a.used += count;
    b.used += count;
  }
  return true;
}

SharedBuffer bufferOf(const PlacedEdge &edge) {
  SharedBuffer buffer;
  buffer.tile = edge.tile;
  buffer.reads = edge.reads;
  buffer.writes = edge.writes;
  buffer.interleaved = edge.interleaved;
  buffer.alignment = edge.alignment;
  buffer.only = edge.only;
  if (edge.view.size() == 1)
    buffer.first = edge.view.front();
  else
    buffer.several.assign(edge.view.begin(), edge.view.end());
  return buffer;
}

/// The operands of one tile.
class TileBuffers {
public:
  TileBuffers(const LoweringContext &context, std::span<const PlacedEdge> edges, BufferPlace *places)
      : c_(context), edges_(edges), places_(places) {
    std::vector<std::uint32_t> order(edges.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keyOf(a) < keyOf(b); });
    for (const std::uint32_t e : order)
      place(e);
    sortByFirstEdge();
  }
  std::vector<SharedBuffer> take() { return std::move(buffers_); }

private:
  using Start = std::pair<std::uint32_t, std::uint64_t>; // variable, element
  struct Entry {
    std::uint32_t buffer;
    std::size_t run;
    std::uint64_t position;
  };

  [[nodiscard]] const ViewRun &firstRun(std::uint32_t e) const {
    return *std::find_if(edges_[e].view.data(), edges_[e].view.data() + edges_[e].view.size(),
                         [](const ViewRun &r) { return r.count > 0; });
  }
  [[nodiscard]] std::tuple<std::uint32_t, std::uint64_t, std::uint64_t> keyOf(std::uint32_t e) const {
    const ViewRun &first = firstRun(e);
    return {first.var.index(), first.begin, ~edges_[e].elements}; // the longest of several operands with the same start
                                                                  // comes first
  }
  /// Returns whether a part of the view is a constant. Depending on the operand's other parts, a tile holds a constant
  /// or fills the constant in. So only equal operands share a buffer with constants.
  [[nodiscard]] bool hasConstant(const RunList &view) const {
    return std::any_of(view.begin(), view.end(), [&](const ViewRun &r) { return r.count > 0 && c_.varOf(r).constant; });
  }
  void place(std::uint32_t e) {
    if (edges_[e].writes || !findPlace(e))
      makeBuffer(e);
  }
  bool findPlace(std::uint32_t e) {
    const ViewRun &first = firstRun(e);
    const Start start{first.var.index(), first.begin};
    int tried = 0;
    for (auto it = starts_.upper_bound(start); it != starts_.begin() && tried < kMaxCandidates; ++tried) {
      --it;
      const Entry &entry = it->second;
      const ViewRun &run = buffers_[entry.buffer].run(entry.run);
      if (run.var != first.var)
        break;
      const std::uint64_t skip = first.begin - run.begin;
      if (skip == 0 || (isDense(run) && isDense(first) && skip < run.count))
        if (join(e, entry, skip))
          return true;
    }
    return false;
  }
  bool join(std::uint32_t e, const Entry &entry, std::uint64_t skip) {
    const PlacedEdge &edge = edges_[e];
    SharedBuffer &buffer = buffers_[entry.buffer];
    const std::uint64_t element = entry.position + skip;
    if (element * elementBytes(c_.storedType(edge.view)) % edge.alignment != 0)
      return false;
    Cursor have{buffer.view(), entry.run, skip}, wanted{edge.view, 0, 0};
    if (!walk(have, wanted))
      return false;
    const std::uint64_t elements = viewCount(buffer.view());
    const bool equal = element == 0 && wanted.atEnd() && have.atEnd();
    if (!equal && (hasConstant(buffer.view()) || hasConstant(edge.view)))
      return false;
    if (!wanted.atEnd())
      extend(entry.buffer, wanted, elements);
    buffer.interleaved = buffer.interleaved || edge.interleaved;
    buffer.alignment = std::max(buffer.alignment, edge.alignment);
    buffer.firstEdge = std::min(buffer.firstEdge, e);
    places_[e] = {entry.buffer, element};
    return true;
  }
  void extend(std::uint32_t b, const Cursor &rest, std::uint64_t elements) {
    SharedBuffer &buffer = buffers_[b];
    if (buffer.several.empty())
      buffer.several.push_back(buffer.first);
    std::vector<ViewRun> &runs = buffer.several;
    buffer.only = {};
    const std::size_t from = runs.size();
    ViewRun cut = rest.runs.data()[rest.run];
    cut.begin += rest.used; // only a dense run is cut
    cut.count -= rest.used;
    runs.push_back(cut);
    runs.insert(runs.end(), rest.runs.data() + rest.run + 1, rest.runs.data() + rest.runs.size());
    enter(b, from, elements);
  }
  void enter(std::uint32_t b, std::size_t from, std::uint64_t position) {
    const SharedBuffer &buffer = buffers_[b];
    for (std::size_t r = from; r < buffer.numRuns(); ++r) {
      const ViewRun &run = buffer.run(r);
      if (run.count > 0)
        starts_.emplace(Start{run.var.index(), run.begin}, Entry{b, r, position});
      position += run.count;
    }
  }
  void makeBuffer(std::uint32_t e) {
    const PlacedEdge &edge = edges_[e];
    const auto b = static_cast<std::uint32_t>(buffers_.size());
    buffers_.push_back(bufferOf(edge));
    buffers_.back().firstEdge = e;
    places_[e] = {b, 0};
    if (!edge.writes)
      enter(b, 0, 0);
  }
  /// Sorts buffers by their first edge. Before this call, places name buffers by their order of creation.
  void sortByFirstEdge() {
    std::vector<std::uint32_t> made(buffers_.size()), number(buffers_.size());
    std::iota(made.begin(), made.end(), 0u);
    std::sort(made.begin(), made.end(),
              [&](std::uint32_t a, std::uint32_t b) { return buffers_[a].firstEdge < buffers_[b].firstEdge; });
    std::vector<SharedBuffer> sorted;
    sorted.reserve(made.size());
    for (std::uint32_t b = 0; b < made.size(); ++b) {
      number[made[b]] = b;
      sorted.push_back(std::move(buffers_[made[b]]));
    }
    buffers_ = std::move(sorted);
    for (std::size_t e = 0; e < edges_.size(); ++e)
      places_[e].buffer = number[places_[e].buffer];
  }

  const LoweringContext &c_;
  std::span<const PlacedEdge> edges_;
  BufferPlace *places_;
  std::vector<SharedBuffer> buffers_;
  // Allocates nodes one after another, because most are appended at the end and all are freed together.
  std::pmr::monotonic_buffer_resource nodes_;
  std::pmr::multimap<Start, Entry> starts_{&nodes_};
};

} // namespace

void shareBuffers(const LoweringContext &context, std::span<const PlacedEdge> edges, std::vector<SharedBuffer> &buffers,
                  BufferPlace *places) {
  const auto before = static_cast<std::uint32_t>(buffers.size());
  if (edges.size() == 1) {
    buffers.push_back(bufferOf(edges.front()));
    places[0] = {before, 0};
    return;
  }
  std::vector<SharedBuffer> made = TileBuffers(context, edges, places).take();
  for (std::size_t e = 0; e < edges.size(); ++e)
    places[e].buffer += before;
  std::move(made.begin(), made.end(), std::back_inserter(buffers));
}

} // namespace popscope
