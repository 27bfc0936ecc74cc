// VertexTable: the vertices of a graph, their connections, and the values and sizes of fields that the user set. The
// flat columns are made for tens of millions of vertices. A vertex takes 16 bytes. An edge takes 16 bytes if the edge
// consists of consecutive elements of one variable, and if the edge's sub-index, begin and count fit into the row.
// Nearly all edges are of this kind. The runs of other edges are in a separate table. Properties that few vertices have
// take little or no memory for the other vertices.
//
//   vertices   compute set | tile | first edge | codelet, edges
//   edges      (field, sub-index) | variable | begin | count       edges of a vertex adjacent, sorted by (field, sub)
//
// The user may add edges in any order, to any vertex. If the edges of a vertex are at the end of the table, or if a
// free or reserved row follows these edges, a further edge of this vertex takes the next row. Otherwise the edges of
// the vertex move to the end. Before a move, the table removes all free rows if more than about an eighth of all rows
// are free. So free rows add about 2 bytes to an edge of 16 bytes, whatever the order in which edges are added. If the
// edges of a vertex with 16 or more edges move, the table also reserves further rows after these edges: one row for
// every four edges.
#pragma once
#include "graph/ir/ChunkedTable.hpp"
#include "graph/ir/View.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace popscope {

using VertexId = Id<struct VertexIdTag>;
/// The split (ReplicaSplit) to which an object belongs: an index into GraphIr::splits plus one. 0 means that the object
/// belongs to the whole graph.
using SplitIndex = std::uint32_t;

class VertexTable;

/// One edge of a vertex as a list of runs. Every edge can be read in this form.
struct GraphEdge {
  std::uint16_t field = 0;
  std::uint32_t subIndex = 0;
  RunList runs; // no runs for an edge without elements
  [[nodiscard]] std::uint64_t elements() const { return runs.elements(); }
};
/// An edge that consists of consecutive elements of one variable. Nearly all edges have this form. For any other edge,
/// and for an edge without elements, `var` is invalid.
struct PlainEdge {
  std::uint16_t field = 0;
  std::uint32_t subIndex = 0;
  GraphVarId var;
  std::uint32_t begin = 0, count = 0; // count > 0 where var is valid
};
/// Initial values of a state field.
struct GraphState {
  std::uint16_t field = 0;
  std::uint64_t elements = 1;
  std::span<const std::uint8_t> bytes;
};
/// The size that setFieldSize set for a field: a number of elements or, for a nested field, a number of edges.
struct GraphFieldSize {
  std::uint16_t field = 0;
  std::uint64_t elements = 0;
};
/// The number of elements that setFieldSize set for edge `subIndex` of a nested field.
struct GraphElementSize {
  std::uint16_t field = 0;
  std::uint32_t subIndex = 0;
  std::uint64_t elements = 0;
};

/// A range over the rows with the numbers `first`, next(first), ... An iterator converts a row to a value when the
/// value is read.
template <class Value, class Rows> class ReadRange {
public:
  class iterator {
  public:
    using value_type = Value;
    using reference = Value;
    using pointer = void;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    iterator(const Rows &rows, std::size_t at) : rows_(&rows), at_(at) {}
    Value operator*() const { return rows_->read(at_); }
    iterator &operator++() {
      at_ = rows_->next(at_);
      return *this;
    }
    bool operator==(const iterator &o) const { return at_ == o.at_; }

  private:
    const Rows *rows_;
    std::size_t at_;
  };
  ReadRange(Rows rows, std::size_t first, std::size_t last) : rows_(rows), first_(first), last_(last) {}
  [[nodiscard]] iterator begin() const { return {rows_, first_}; }
  [[nodiscard]] iterator end() const { return {rows_, last_}; }
  [[nodiscard]] bool empty() const { return first_ == last_; }
  /// Returns the number of rows. Call size() only for rows without gaps (edges).
  [[nodiscard]] std::size_t size() const { return last_ - first_; }
  [[nodiscard]] Value operator[](std::size_t i) const { return rows_.read(first_ + i); }
  /// Returns the i-th edge as a PlainEdge. Reading a PlainEdge is cheaper than reading a GraphEdge.
  [[nodiscard]] auto plain(std::size_t i) const { return rows_.plain(first_ + i); }

private:
  Rows rows_;
  std::size_t first_, last_;
};

struct EdgeRows {
  const VertexTable *table;
  [[nodiscard]] GraphEdge read(std::size_t row) const;
  [[nodiscard]] PlainEdge plain(std::size_t row) const;
  static std::size_t next(std::size_t row) { return row + 1; }
};
struct StateRows {
  const VertexTable *table;
  [[nodiscard]] GraphState read(std::size_t row) const;
  [[nodiscard]] std::size_t next(std::size_t row) const;
};
struct FieldSizeRows {
  const VertexTable *table;
  [[nodiscard]] GraphFieldSize read(std::size_t row) const;
  [[nodiscard]] std::size_t next(std::size_t row) const;
};
using EdgeRange = ReadRange<GraphEdge, EdgeRows>;
using StateRange = ReadRange<GraphState, StateRows>;
using FieldSizeRange = ReadRange<GraphFieldSize, FieldSizeRows>;

/// A read-only view of one vertex in a few words of memory. The view is valid until the table changes.
class GraphVertex {
public:
  int codelet; // index into codelets
  ComputeSetId computeSet;
  TileId tile; // invalid if the vertex is unmapped

  [[nodiscard]] VertexId id() const { return id_; }
  [[nodiscard]] SplitIndex split() const;
  [[nodiscard]] EdgeRange edges() const;                    // sorted by (field, sub-index)
  [[nodiscard]] EdgeRange edges(std::uint16_t field) const; // the edges of one field
  [[nodiscard]] std::optional<GraphEdge> edge(std::uint16_t field, std::uint32_t sub) const; // empty if not connected
  [[nodiscard]] StateRange states() const;                                                   // sorted by field
  [[nodiscard]] std::optional<GraphState> state(std::uint16_t field) const;
  [[nodiscard]] FieldSizeRange fieldSizes() const; // in the order in which the sizes were first set
  [[nodiscard]] std::optional<std::uint64_t> fieldSize(std::uint16_t field) const;
  [[nodiscard]] const std::vector<GraphElementSize> &elementSizes() const; // sorted by (field, sub-index)
  [[nodiscard]] std::optional<std::uint64_t> elementSize(std::uint16_t field, std::uint32_t sub) const;
  [[nodiscard]] std::int64_t cycleEstimate() const; // -1 if the vertex has none
  [[nodiscard]] std::int64_t flopEstimate() const;  // -1 if the vertex has none

private:
  friend class VertexTable;
  GraphVertex(const VertexTable &table, VertexId id, int c, ComputeSetId cs, TileId t)
      : codelet(c), computeSet(cs), tile(t), table_(&table), id_(id) {}
  const VertexTable *table_;
  VertexId id_;
};

class VertexTable {
public:
  // ---- reading
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] VertexId idAt(std::size_t i) const { return VertexId(static_cast<std::uint32_t>(i)); }
  [[nodiscard]] GraphVertex operator[](VertexId v) const {
    const Row &row = rows_[v.index()];
    return {*this, v, static_cast<int>(row.codeletAndEdges >> kCountBits), ComputeSetId(row.computeSet),
            TileId(row.tile)};
  }
  [[nodiscard]] bool anyFlops() const { return anyFlops_; } // whether some vertex has or once had a flopEstimate
  [[nodiscard]] std::uint64_t numEdges() const { return edges_.size() - garbage_ - slack_; }
  /// Returns the bytes in the tables, without the reserved capacity of vectors and without the nodes of hash tables.
  [[nodiscard]] std::uint64_t bytes() const;

  // ---- building. Each function throws poplar_error if a table of vertices, edges or field values would get more than
  // 2^32 - 3 rows.
  /// Adds a vertex. Throws poplar_error if the number of the codelet is 2^20 or higher.
  VertexId add(int codelet, ComputeSetId computeSet, TileId tile = TileId(), SplitIndex split = 0);
  /// Removes the vertex that was added last, with its connections and values.
  void removeLast();
  void setTile(VertexId v, TileId tile) { rows_[v.index()].tile = tile.index(); }
  /// Connects an edge. If the vertex already has an edge of this field and sub-index, changes nothing and returns
  /// false.
  [[nodiscard]] bool connect(VertexId v, std::uint16_t field, std::uint32_t subIndex, const RunList &runs);
  /// Replaces the elements of edge number `edge` of the vertex.
  void replaceRuns(VertexId v, std::size_t edge, const RunList &runs);
  /// Returns the initial values of a state field for writing: the previous values, cut to the new size or extended by
  /// zeros. The result is valid until the next change of the table.
  std::span<std::uint8_t> writeState(VertexId v, std::uint16_t field, std::uint64_t elements, std::size_t bytes);
  void setFieldSize(VertexId v, std::uint16_t field, std::uint64_t elements);
  void setElementSize(VertexId v, std::uint16_t field, std::uint32_t subIndex, std::uint64_t elements);
  /// Sets the estimated cycles and floating-point operations of one execution of the vertex. Neither number may exceed
  /// 2^48. If `flops` is -1, the operations are unknown.
  void setEstimate(VertexId v, std::int64_t cycles, std::int64_t flops);
  /// Adds a vertex like `of` in another compute set and on another tile, outside any split. The caller replaces the
  /// edges of the new vertex.
  VertexId addLike(VertexId of, ComputeSetId computeSet, TileId tile);

private:
  friend class GraphVertex;
  friend struct EdgeRows;
  friend struct StateRows;
  friend struct FieldSizeRows;

  static constexpr unsigned kCountBits = 12; // the low bits of codeletAndEdges, which hold the number of edges
  static constexpr std::uint32_t kManyEdges = (1u << kCountBits) - 1;
  static constexpr std::uint32_t kNone = ~std::uint32_t(0);
  static constexpr std::int64_t kZeroFlops = std::int64_t(1) << 62;

  struct Row {
    std::uint32_t computeSet, tile, firstEdge,
        codeletAndEdges; // high bits: the codelet; low kCountBits bits: the number of edges, or kManyEdges if
                         // manyEdges_ has the number
  };
  // Values of EdgeRow::var that are not variables:
  static constexpr std::uint32_t kGarbage = kNone;   // a free row
  static constexpr std::uint32_t kSlack = kNone - 1; // a row reserved for further edges of the vertex whose edges
                                                     // precede this row
  static constexpr std::uint32_t kWide = kNone - 2;  // `begin` is a row number of wide_; the row has the key and runs
  struct EdgeRow {
    std::uint32_t key, var, begin, count; // key: the sub-index in the kSubBits low bits, the field in the higher bits
  };
  static constexpr unsigned kSubBits = 22;
  struct WideEdge {
    std::uint64_t key = 0; // as edgeKey() returns it
    std::uint64_t firstRun = 0, numRuns = 0;
  };
  enum class ExtraKind : std::uint8_t { State, Size };
  /// The value or the size that the user set for a field. The rows of one vertex form a chain. In this chain, values
  /// come before sizes. Values are sorted by field; sizes are in the order in which the sizes were first set.
  struct Extra {
    std::uint32_t next = kNone, bytes = 0;
    std::uint64_t elements = 0;
    std::uint64_t value = 0; // the value if it has at most 8 bytes; else the position in stateBytes_
    std::uint16_t field = 0;
    ExtraKind kind = ExtraKind::State;
  };

  static std::uint64_t edgeKey(std::uint16_t field, std::uint32_t subIndex) {
    return std::uint64_t(field) << 32 | subIndex;
  }
  static bool precedesKey(const GraphElementSize &size, std::uint64_t key) {
    return edgeKey(size.field, size.subIndex) < key;
  }
  [[nodiscard]] std::uint64_t keyOf(const EdgeRow &row) const {
    return row.var == kWide ? wide_[row.begin].key
                            : std::uint64_t(row.key >> kSubBits) << 32 | (row.key & ((1u << kSubBits) - 1));
  }
  [[nodiscard]] std::size_t firstEdge(VertexId v) const { return rows_[v.index()].firstEdge; }
  [[nodiscard]] std::size_t edgeCount(VertexId v) const {
    const std::uint32_t n = rows_[v.index()].codeletAndEdges & kManyEdges;
    return n != kManyEdges ? n : manyEdges_.at(v.index());
  }
  /// Returns the row of the vertex's first edge whose key is not below `key`.
  [[nodiscard]] std::size_t lowerEdge(VertexId v, std::uint64_t key) const;
  [[nodiscard]] EdgeRow rowOf(std::uint16_t field, std::uint32_t subIndex, const RunList &runs);
  [[nodiscard]] GraphEdge readEdge(std::size_t row) const;
  [[nodiscard]] PlainEdge readPlain(std::size_t row) const;
  void setEdges(VertexId v, std::size_t first, std::size_t count);
  void growEdges(VertexId v);
  void moveToEnd(VertexId v);
  void closeUp();

  [[nodiscard]] std::uint32_t firstExtra(VertexId v) const {
    return v.index() < firstExtra_.size() ? firstExtra_[v.index()] : kNone;
  }
  /// Returns the first row of the kind in the chain from `row` on, or kNone if the chain has no such row.
  [[nodiscard]] std::uint32_t nextOf(ExtraKind kind, std::uint32_t row) const;
  [[nodiscard]] std::span<const std::uint8_t> bytesOf(const Extra &row) const;
  /// Returns the row of `field` and `kind` for the vertex. Adds the row if it is missing.
  Extra &extra(VertexId v, ExtraKind kind, std::uint16_t field);

  template <class T> static void setSparse(std::vector<T> &column, VertexId v, const T &value, const T &none) {
    if (column.size() <= v.index())
      column.resize(v.index() + std::size_t(1), none);
    column[v.index()] = value;
  }
  template <class T> static T sparse(const std::vector<T> &column, VertexId v, const T &none) {
    return v.index() < column.size() ? column[v.index()] : none;
  }

  ChunkedTable<Row> rows_;
  ChunkedTable<EdgeRow> edges_;
  std::uint64_t garbage_ = 0, slack_ = 0; // numbers of kGarbage and kSlack rows in edges_
  std::vector<WideEdge> wide_;
  std::vector<ViewRun> wideRuns_;
  std::unordered_map<std::uint32_t, std::size_t> manyEdges_; // lookup only
  // firstExtra_, splits_, cycles_ and flops_ have one entry per vertex, up to the last vertex with a value.
  std::vector<std::uint32_t> firstExtra_;
  std::vector<SplitIndex> splits_;
  std::vector<std::int64_t> cycles_, flops_; // kZeroFlops is added to cycles_ if the operations are known to be 0
  bool anyFlops_ = false;
  std::vector<Extra> extras_;
  std::vector<std::uint8_t> stateBytes_;
  std::unordered_map<std::uint32_t, std::vector<GraphElementSize>> elementSizes_; // lookup only
};

/// The vertices of a compute set in the order of addition. The list stores ranges of ids, because most vertices are
/// added consecutively.
class VertexList {
public:
  class iterator {
  public:
    using value_type = VertexId;
    using reference = VertexId;
    using pointer = void;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    iterator(const VertexList &list, std::size_t range) : list_(&list), range_(range) { enter(); }
    VertexId operator*() const { return VertexId(id_); }
    iterator &operator++() {
      if (++id_ == list_->ranges_[range_].end) {
        ++range_;
        enter();
      }
      return *this;
    }
    bool operator==(const iterator &o) const { return range_ == o.range_ && id_ == o.id_; }

  private:
    void enter() { id_ = range_ < list_->ranges_.size() ? list_->ranges_[range_].begin : 0; }
    const VertexList *list_;
    std::size_t range_;
    std::uint32_t id_ = 0;
  };
  void push_back(VertexId v) {
    if (!ranges_.empty() && ranges_.back().end == v.index())
      ++ranges_.back().end;
    else
      ranges_.push_back({v.index(), v.index() + 1});
    ++size_;
  }
  void removeLast() {
    if (--ranges_.back().end == ranges_.back().begin)
      ranges_.pop_back();
    --size_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] iterator begin() const { return {*this, 0}; }
  [[nodiscard]] iterator end() const { return {*this, ranges_.size()}; }

private:
  struct Range {
    std::uint32_t begin, end; // half-open
  };
  std::vector<Range> ranges_;
  std::size_t size_ = 0;
};

inline GraphEdge EdgeRows::read(std::size_t row) const { return table->readEdge(row); }
inline PlainEdge EdgeRows::plain(std::size_t row) const { return table->readPlain(row); }
inline std::size_t StateRows::next(std::size_t row) const {
  return table->nextOf(VertexTable::ExtraKind::State, table->extras_[row].next);
}
inline std::size_t FieldSizeRows::next(std::size_t row) const {
  return table->nextOf(VertexTable::ExtraKind::Size, table->extras_[row].next);
}
inline GraphFieldSize FieldSizeRows::read(std::size_t row) const {
  return {table->extras_[row].field, table->extras_[row].elements};
}

inline GraphEdge VertexTable::readEdge(std::size_t row) const {
  const EdgeRow &edge = edges_[row];
  if (edge.var == kWide) {
    const WideEdge &wide = wide_[edge.begin];
    return {static_cast<std::uint16_t>(wide.key >> 32), static_cast<std::uint32_t>(wide.key),
            RunList(wideRuns_.data() + wide.firstRun, wide.numRuns)};
  }
  return {static_cast<std::uint16_t>(edge.key >> kSubBits), edge.key & ((1u << kSubBits) - 1),
          edge.count == 0 ? RunList() : RunList(ViewRun(GraphVarId(edge.var), edge.begin, 1, edge.count))};
}
inline PlainEdge VertexTable::readPlain(std::size_t row) const {
  const EdgeRow &edge = edges_[row];
  if (edge.var == kWide) {
    const std::uint64_t key = wide_[edge.begin].key;
    return {static_cast<std::uint16_t>(key >> 32), static_cast<std::uint32_t>(key), GraphVarId(), 0, 0};
  }
  return {static_cast<std::uint16_t>(edge.key >> kSubBits), edge.key & ((1u << kSubBits) - 1),
          edge.count == 0 ? GraphVarId() : GraphVarId(edge.var), edge.begin, edge.count};
}
inline SplitIndex GraphVertex::split() const { return VertexTable::sparse(table_->splits_, id_, SplitIndex(0)); }
inline EdgeRange GraphVertex::edges() const {
  const std::size_t first = table_->firstEdge(id_);
  return {EdgeRows{table_}, first, first + table_->edgeCount(id_)};
}
inline StateRange GraphVertex::states() const {
  return {StateRows{table_}, table_->nextOf(VertexTable::ExtraKind::State, table_->firstExtra(id_)),
          VertexTable::kNone};
}
inline FieldSizeRange GraphVertex::fieldSizes() const {
  return {FieldSizeRows{table_}, table_->nextOf(VertexTable::ExtraKind::Size, table_->firstExtra(id_)),
          VertexTable::kNone};
}
inline std::int64_t GraphVertex::cycleEstimate() const {
  const std::int64_t cycles = VertexTable::sparse(table_->cycles_, id_, std::int64_t(-1));
  return cycles < VertexTable::kZeroFlops ? cycles : cycles - VertexTable::kZeroFlops;
}
inline std::int64_t GraphVertex::flopEstimate() const {
  return VertexTable::sparse(table_->cycles_, id_, std::int64_t(-1)) >= VertexTable::kZeroFlops
             ? 0
             : VertexTable::sparse(table_->flops_, id_, std::int64_t(-1));
}

} // namespace popscope
