// Memory of tiles. <pva/pva.hpp> includes this header. All sizes are in bytes.
#ifndef PVA_MEMORY_HPP
#define PVA_MEMORY_HPP

#include <pva/Program.hpp>

namespace pva {

struct MemorySize {
  MemorySize() : includingGaps_(0), excludingGaps_(0) {}
  MemorySize(std::uint64_t includingGaps, std::uint64_t excludingGaps)
      : includingGaps_(includingGaps), excludingGaps_(excludingGaps) {}
  /// Returns the address after the highest used byte, counted from the start of the memory or, for a region, from the
  /// start of the region.
  std::uint64_t includingGaps() const { return includingGaps_; }
  /// Returns the number of occupied bytes.
  std::uint64_t excludingGaps() const { return excludingGaps_; }

private:
  std::uint64_t includingGaps_, excludingGaps_;
};

/// Bytes of one category in one region.
class CategoryRegion {
public:
  CategoryRegion() : nonOverlapped_(0), overlapped_(0) {}
  CategoryRegion(std::uint64_t nonOverlapped, std::uint64_t overlapped)
      : nonOverlapped_(nonOverlapped), overlapped_(overlapped) {}
  std::uint64_t nonOverlapped() const { return nonOverlapped_; }
  /// Returns the bytes of allocations that share addresses with other allocations at other times.
  std::uint64_t overlapped() const { return overlapped_; }

private:
  std::uint64_t nonOverlapped_, overlapped_;
};

class Category {
public:
  Category() {}
  Category(CategoryRegion nonInterleaved, CategoryRegion interleaved, CategoryRegion overflowed)
      : nonInterleaved_(nonInterleaved), interleaved_(interleaved), overflowed_(overflowed) {}
  CategoryRegion nonInterleaved() const { return nonInterleaved_; }
  CategoryRegion interleaved() const { return interleaved_; }
  CategoryRegion overflowed() const { return overflowed_; }
  /// Returns the sum of the overlapped and the not overlapped bytes of all regions.
  std::uint64_t total() const;

private:
  CategoryRegion nonInterleaved_, interleaved_, overflowed_;
};

class Categories {
public:
  Categories() : tile_(0) {}
  Categories(detail::Owner model, std::size_t tile) : model_(model), tile_(tile) {}
  Category constant() const;
  Category controlCode() const;
  Category controlId() const;
  Category controlTable() const;
  Category copyDescriptor() const;
  Category globalExchangeCode() const;
  Category globalExchangePacketHeader() const;
  Category globalMessage() const;
  Category hostExchangeCode() const;
  Category hostExchangePacketHeader() const;
  Category hostMessage() const;
  Category instrumentationResults() const;
  Category internalExchangeCode() const;
  Category message() const;
  Category multiple() const;
  Category outputEdge() const;
  Category rearrangement() const;
  Category sharedCodeStorage() const;
  Category sharedDataStorage() const;
  Category stack() const;
  Category variable() const;
  Category vectorListDescriptor() const;
  Category vertexCode() const;
  Category vertexFieldData() const;
  Category vertexInstanceState() const;
  /// Extension: returns a category by its position, from 0, in table 10.1 of Poplar's user guide (see
  /// storageCategoryNames()). Throws std::out_of_range if the table has no such position.
  Category byIndex(std::size_t index) const;

private:
  detail::Owner model_;
  std::size_t tile_;
};

/// Extension: returns the names of the 25 storage categories, in the order of byIndex().
std::vector<std::string> storageCategoryNames();

class VertexType {
public:
  VertexType() : id_(0) {}
  VertexType(detail::Owner model, std::size_t id) : model_(model), id_(id) {}
  std::size_t _id() const { return id_; }
  std::string name() const;
  /// Returns the state bytes of one instance.
  std::uint64_t size() const;
  /// Extension: returns the number of vertices of this type.
  std::uint64_t instances() const;
  /// Extension: returns the bytes of the vertices' state, field data and descriptors, plus the code of the type on each
  /// tile with vertices of the type.
  std::uint64_t memoryBytes() const;
  /// Extension: returns the least direct source (see CycleSource) of the vertices' cycles in the recorded runs:
  /// "estimate", "estimator", "codelet", "stand-in", "last known", "runtime", or "" if no source is known.
  std::string cycleProvenance() const;
  friend bool operator==(const VertexType &a, const VertexType &b) { return a.id_ == b.id_ && a.model_ == b.model_; }
  friend bool operator!=(const VertexType &a, const VertexType &b) { return !(a == b); }

private:
  detail::Owner model_;
  std::size_t id_;
};

/// Vertices of one type on one tile.
class VertexOnTile {
public:
  VertexOnTile() : row_(0) {}
  VertexOnTile(detail::Owner model, std::size_t row) : model_(model), row_(row) {}
  VertexType type() const;
  std::uint64_t count() const;
  /// Returns the bytes of the type's code on this tile, independent of the number of instances.
  std::uint64_t codeBytes() const;
  std::uint64_t vertexDataBytes() const; // internal state
  std::uint64_t edgePtrBytes() const;
  std::uint64_t copyPtrBytes() const;
  std::uint64_t paddingBytes() const;
  std::uint64_t descriptorBytes() const;

private:
  detail::Owner model_;
  std::size_t row_;
};

class TileMemory {
public:
  TileMemory() : tile_(0) {}
  TileMemory(detail::Owner model, std::size_t tile) : model_(model), tile_(tile) {}
  MemorySize total() const;
  MemorySize nonInterleaved() const;
  MemorySize interleaved() const;
  MemorySize overflowed() const;
  std::uint64_t alwaysLiveBytes() const;
  /// Returns the maximum over all steps of the live bytes, without always-live bytes.
  std::uint64_t notAlwaysLiveBytes() const;
  Categories category() const;
  /// Extension: returns how many addresses each category occupies, in the order of storageCategoryNames(). An address
  /// that several categories occupy at different times counts for `multiple` alone, so that the values add up to
  /// total().excludingGaps().
  std::vector<std::uint64_t> occupiedByCategory() const;
  List<VertexOnTile> vertices() const;
  /// Extension: returns the number of addresses that overlapped allocations occupy.
  std::uint64_t afterOverlappingBytes() const;
  /// Extension: returns the maximum over steps of the occupied bytes of overlapped allocations.
  std::uint64_t lowerBoundOverlappedBytes() const;

private:
  detail::Owner model_;
  std::size_t tile_;
};

class Tile {
public:
  Tile() : tile_(0) {}
  Tile(detail::Owner model, std::size_t tile) : model_(model), tile_(tile) {}
  TileMemory memory() const { return TileMemory(model_, tile_); }

private:
  detail::Owner model_;
  std::size_t tile_;
};

} // namespace pva
#endif
