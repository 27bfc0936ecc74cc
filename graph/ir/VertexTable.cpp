#include "graph/ir/VertexTable.hpp"

#include "base/Check.hpp"
#include "graph/ir/ViewOps.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <limits>

namespace popscope {

namespace {

constexpr std::size_t kGrowsFrom = 16; // if at least this many edges of a vertex move, the vertex gets a quarter more
                                       // space
constexpr std::uint64_t kInlineBytes = 8;

template <class Table> std::uint64_t tableBytes(const Table &table) {
  return table.empty() ? 0 : table.size() * sizeof(table[0]);
}

std::uint32_t rowNumber(std::size_t n) {
  if (n >= std::numeric_limits<std::uint32_t>::max() - 2)
    throw poplar::poplar_error(fmt::format("A graph has more than {} vertices, edges or field values.", n - 1));
  return static_cast<std::uint32_t>(n);
}

} // namespace

// ------------------------------------------------------------------ vertices

VertexId VertexTable::add(int codelet, ComputeSetId computeSet, TileId tile, SplitIndex split) {
  constexpr std::uint32_t kCodelets = 1u << (32 - kCountBits);
  if (static_cast<std::uint32_t>(codelet) >= kCodelets)
    throw poplar::poplar_error(fmt::format("A graph has vertices of more than {} vertex types.", kCodelets));
  const VertexId id(rowNumber(rows_.size()));
  rows_.push_back({computeSet.index(), tile.index(), 0, static_cast<std::uint32_t>(codelet) << kCountBits});
  if (split != 0)
    setSparse(splits_, id, split, SplitIndex(0));
  return id;
}

void VertexTable::removeLast() {
  const VertexId v(static_cast<std::uint32_t>(rows_.size() - 1));
  const std::size_t first = firstEdge(v), count = edgeCount(v);
  if (count != 0 && first + count == edges_.size()) {
    edges_.truncate(first);
  } else {
    for (std::size_t i = first; i != first + count; ++i)
      edges_[i].var = kGarbage;
    garbage_ += count;
  }
  manyEdges_.erase(v.index());
  elementSizes_.erase(v.index());
  const auto cut = [&v](auto &column) { column.resize(std::min<std::size_t>(column.size(), v.index())); };
  cut(firstExtra_);
  cut(splits_);
  cut(cycles_);
  cut(flops_);
  rows_.truncate(v.index());
}

VertexId VertexTable::addLike(VertexId of, ComputeSetId computeSet, TileId tile) {
  const GraphVertex vertex = (*this)[of];
  const VertexId id = add(vertex.codelet, computeSet, tile);
  const std::size_t first = firstEdge(of), count = edgeCount(of), begin = edges_.size();
  (void)rowNumber(begin + count);
  for (std::size_t i = first; i != first + count; ++i)
    edges_.push_back(edges_[i]);
  setEdges(id, begin, count);
  for (std::uint32_t row = firstExtra(of); row != kNone; row = extras_[row].next) {
    const Extra from = extras_[row];
    if (from.kind == ExtraKind::Size) {
      setFieldSize(id, from.field, from.elements);
      continue;
    }
    const std::span<const std::uint8_t> bytes = bytesOf(extras_[row]);
    const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
    std::copy(copy.begin(), copy.end(), writeState(id, from.field, from.elements, copy.size()).begin());
  }
  if (const auto sizes = elementSizes_.find(of.index()); sizes != elementSizes_.end()) {
    const std::vector<GraphElementSize> copy = sizes->second;
    elementSizes_.emplace(id.index(), copy);
  }
  if (vertex.cycleEstimate() >= 0)
    setEstimate(id, vertex.cycleEstimate(), vertex.flopEstimate());
  return id;
}

void VertexTable::setEstimate(VertexId v, std::int64_t cycles, std::int64_t flops) {
  setSparse(cycles_, v, cycles + (flops == 0 ? kZeroFlops : 0), std::int64_t(-1));
  if (flops > 0 || v.index() < flops_.size()) // most estimates have no operations, and then there is no column
    setSparse(flops_, v, flops, std::int64_t(-1));
  anyFlops_ = anyFlops_ || flops >= 0;
}

std::uint64_t VertexTable::bytes() const {
  std::uint64_t sizes = 0;
  for (const auto &row : elementSizes_)
    sizes += tableBytes(row.second);
  return tableBytes(rows_) + tableBytes(edges_) + tableBytes(wide_) + tableBytes(wideRuns_) + tableBytes(firstExtra_) +
         tableBytes(splits_) + tableBytes(cycles_) + tableBytes(flops_) + tableBytes(extras_) +
         tableBytes(stateBytes_) + sizes;
}

// ------------------------------------------------------------------ edges

std::size_t VertexTable::lowerEdge(VertexId v, std::uint64_t key) const {
  const std::size_t first = firstEdge(v), count = edgeCount(v);
  if (count == 0 || keyOf(edges_[first + count - 1]) < key) // usually edges come in their order
    return first + count;
  std::size_t low = first, high = first + count;
  while (low != high) {
    const std::size_t middle = low + (high - low) / 2;
    if (keyOf(edges_[middle]) < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

VertexTable::EdgeRow VertexTable::rowOf(std::uint16_t field, std::uint32_t subIndex, const RunList &runs) {
  constexpr std::uint64_t kNarrow = std::numeric_limits<std::uint32_t>::max();
  std::size_t used = 0;
  ViewRun one;
  checkListable(runs);
  for (const ViewRun &run : runs)
    if (run.count != 0) {
      one = run;
      ++used;
    }
  if (used <= 1 && (one.stride == 1 || one.count <= 1) && !one.ofWhole && one.begin <= kNarrow &&
      one.count <= kNarrow && field < (1u << (32 - kSubBits)) && subIndex < (1u << kSubBits))
    return {static_cast<std::uint32_t>(field) << kSubBits | subIndex, used == 0 ? 0 : one.var.index(),
            static_cast<std::uint32_t>(one.begin), static_cast<std::uint32_t>(one.count)};
  const WideEdge wide{edgeKey(field, subIndex), wideRuns_.size(), used};
  const std::uint32_t row = rowNumber(wide_.size());
  for (const ViewRun &run : runs)
    if (run.count != 0)
      wideRuns_.push_back(run);
  wide_.push_back(wide);
  return {0, kWide, row, 0};
}

void VertexTable::setEdges(VertexId v, std::size_t first, std::size_t count) {
  Row &row = rows_[v.index()];
  row.firstEdge = static_cast<std::uint32_t>(first);
  row.codeletAndEdges =
      (row.codeletAndEdges & ~kManyEdges) | static_cast<std::uint32_t>(std::min<std::size_t>(count, kManyEdges));
  if (count >= kManyEdges)
    manyEdges_[v.index()] = count;
}

bool VertexTable::connect(VertexId v, std::uint16_t field, std::uint32_t subIndex, const RunList &runs) {
  const std::uint64_t key = edgeKey(field, subIndex);
  std::size_t at = lowerEdge(v, key) - firstEdge(v);
  if (at != edgeCount(v) && keyOf(edges_[firstEdge(v) + at]) == key)
    return false;
  const EdgeRow row = rowOf(field, subIndex, runs);
  growEdges(v);
  at += firstEdge(v);
  for (std::size_t i = firstEdge(v) + edgeCount(v) - 1; i != at; --i)
    edges_[i] = edges_[i - 1];
  edges_[at] = row;
  return true;
}

void VertexTable::growEdges(VertexId v) {
  (void)rowNumber(edges_.size());
  const std::size_t count = edgeCount(v);
  if (count == 0) {
    setEdges(v, edges_.size(), 1);
    edges_.push_back(EdgeRow());
    return;
  }
  if (std::size_t end = firstEdge(v) + count; end != edges_.size() && edges_[end].var < kSlack) {
    if (garbage_ > edges_.size() / 8 + rows_.size() / 64 + 64)
      closeUp();
    moveToEnd(v);
  }
  const std::size_t first = firstEdge(v), end = first + count;
  if (end == edges_.size()) {
    edges_.push_back(EdgeRow());
  } else {
    garbage_ -= edges_[end].var == kGarbage ? 1 : 0;
    slack_ -= edges_[end].var == kSlack ? 1 : 0;
  }
  setEdges(v, first, count + 1);
}

void VertexTable::moveToEnd(VertexId v) {
  const std::size_t first = firstEdge(v), count = edgeCount(v), to = edges_.size();
  const std::size_t room = count + 1 + (count >= kGrowsFrom ? count / 4 : 0);
  (void)rowNumber(to + room);
  for (std::size_t i = first; i != first + count; ++i) {
    edges_.push_back(edges_[i]);
    edges_[i].var = kGarbage;
  }
  garbage_ += count;
  for (std::size_t i = first + count; i != to && edges_[i].var == kSlack; ++i) { // spare rows of this vertex
    edges_[i].var = kGarbage;
    ++garbage_;
    --slack_;
  }
  for (; edges_.size() != to + room; ++slack_)
    edges_.push_back({0, kSlack, 0, 0});
  setEdges(v, to, count);
}

void VertexTable::closeUp() {
  ChunkedTable<EdgeRow> edges;
  slack_ = 0;
  for (std::uint32_t i = 0; i != rows_.size(); ++i) {
    const VertexId v(i);
    const std::size_t first = firstEdge(v), count = edgeCount(v), to = edges.size();
    if (count == 0)
      continue;
    std::size_t end = first + count;
    while (end != edges_.size() && edges_[end].var == kSlack)
      ++end;
    slack_ += end - first - count;
    for (std::size_t e = first; e != end; ++e)
      edges.push_back(edges_[e]);
    setEdges(v, to, count);
  }
  garbage_ = 0;
  edges_ = std::move(edges);
}

void VertexTable::replaceRuns(VertexId v, std::size_t edge, const RunList &runs) {
  const std::size_t at = firstEdge(v) + edge;
  const GraphEdge old = readEdge(at);
  const EdgeRow row = rowOf(old.field, old.subIndex, runs);
  edges_[at] = row;
}

// ------------------------------------------------------------------ what the user set

std::uint32_t VertexTable::nextOf(ExtraKind kind, std::uint32_t row) const {
  while (row != kNone && extras_[row].kind != kind)
    row = extras_[row].next;
  return row;
}

VertexTable::Extra &VertexTable::extra(VertexId v, ExtraKind kind, std::uint16_t field) {
  std::uint32_t before = kNone, row = firstExtra(v);
  const auto precedes = [&](const Extra &e) {
    return kind == ExtraKind::State ? e.kind == ExtraKind::State && e.field < field
                                    : e.kind == ExtraKind::State || e.field != field;
  };
  while (row != kNone && precedes(extras_[row])) {
    before = row;
    row = extras_[row].next;
  }
  if (row != kNone && extras_[row].kind == kind && extras_[row].field == field)
    return extras_[row];
  const std::uint32_t made = rowNumber(extras_.size());
  Extra fresh;
  fresh.next = row;
  fresh.field = field;
  fresh.kind = kind;
  extras_.push_back(fresh);
  if (before == kNone)
    setSparse(firstExtra_, v, made, kNone);
  else
    extras_[before].next = made;
  return extras_[made];
}

std::span<std::uint8_t> VertexTable::writeState(VertexId v, std::uint16_t field, std::uint64_t elements,
                                                std::size_t bytes) {
  Extra &row = extra(v, ExtraKind::State, field);
  row.elements = elements;
  if (row.bytes != bytes) {
    const std::uint32_t wanted = rowNumber(bytes);
    std::vector<std::uint8_t> old(bytesOf(row).begin(), bytesOf(row).end());
    old.resize(bytes, 0);
    row.bytes = wanted;
    row.value = 0;
    if (bytes > kInlineBytes) {
      row.value = stateBytes_.size();
      stateBytes_.insert(stateBytes_.end(), old.begin(), old.end());
    } else {
      std::copy(old.begin(), old.end(), reinterpret_cast<std::uint8_t *>(&row.value));
    }
  }
  return {bytes <= kInlineBytes ? reinterpret_cast<std::uint8_t *>(&row.value) : stateBytes_.data() + row.value, bytes};
}

void VertexTable::setFieldSize(VertexId v, std::uint16_t field, std::uint64_t elements) {
  extra(v, ExtraKind::Size, field).elements = elements;
}

void VertexTable::setElementSize(VertexId v, std::uint16_t field, std::uint32_t subIndex, std::uint64_t elements) {
  std::vector<GraphElementSize> &sizes = elementSizes_[v.index()];
  const auto at = std::lower_bound(sizes.begin(), sizes.end(), edgeKey(field, subIndex), precedesKey);
  if (at != sizes.end() && at->field == field && at->subIndex == subIndex)
    at->elements = elements;
  else
    sizes.insert(at, {field, subIndex, elements});
}

// ------------------------------------------------------------------ reading

std::span<const std::uint8_t> VertexTable::bytesOf(const Extra &row) const {
  return {row.bytes <= kInlineBytes ? reinterpret_cast<const std::uint8_t *>(&row.value)
                                    : stateBytes_.data() + row.value,
          row.bytes};
}

GraphState StateRows::read(std::size_t row) const {
  const VertexTable::Extra &e = table->extras_[row];
  return {e.field, e.elements, table->bytesOf(e)};
}

EdgeRange GraphVertex::edges(std::uint16_t field) const {
  return {EdgeRows{table_}, table_->lowerEdge(id_, VertexTable::edgeKey(field, 0)),
          table_->lowerEdge(id_, VertexTable::edgeKey(field, 0) + (std::uint64_t(1) << 32))};
}

std::optional<GraphEdge> GraphVertex::edge(std::uint16_t field, std::uint32_t sub) const {
  const std::uint64_t key = VertexTable::edgeKey(field, sub);
  const std::size_t at = table_->lowerEdge(id_, key);
  if (at == table_->firstEdge(id_) + table_->edgeCount(id_) || table_->keyOf(table_->edges_[at]) != key)
    return std::nullopt;
  return table_->readEdge(at);
}

std::optional<GraphState> GraphVertex::state(std::uint16_t field) const {
  for (const GraphState &s : states())
    if (s.field == field)
      return s;
  return std::nullopt;
}

std::optional<std::uint64_t> GraphVertex::fieldSize(std::uint16_t field) const {
  for (const GraphFieldSize &s : fieldSizes())
    if (s.field == field)
      return s.elements;
  return std::nullopt;
}

const std::vector<GraphElementSize> &GraphVertex::elementSizes() const {
  static const std::vector<GraphElementSize> none;
  const auto sizes = table_->elementSizes_.find(id_.index());
  return sizes == table_->elementSizes_.end() ? none : sizes->second;
}

std::optional<std::uint64_t> GraphVertex::elementSize(std::uint16_t field, std::uint32_t sub) const {
  const std::vector<GraphElementSize> &sizes = elementSizes();
  const std::uint64_t key = VertexTable::edgeKey(field, sub);
  const auto at = std::lower_bound(sizes.begin(), sizes.end(), key, VertexTable::precedesKey);
  if (at == sizes.end() || VertexTable::edgeKey(at->field, at->subIndex) != key)
    return std::nullopt;
  return at->elements;
}

} // namespace popscope
