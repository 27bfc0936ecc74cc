// LayoutResult: the owner and the address of every object in the memory of each tile. The structs are plain data that
// liveness/layout produces.
//
// Invariants:
// A1 Two allocations of a tile that share an address are never occupied at the same step. LiveRanges defines when a
//    home is occupied.
// A2 address % alignment == 0.
// A3 If an allocation begins inside memory, these rules hold: executable code lies in executable regions, and
//    interleaved data lies in the interleaved region. Data lies at or above TileMachine::dataStartOffset if the packer
//    found a packing with this property that fits into memory.
// A4 Each total in TileMemory equals the sum that the name of the total states.
// A5 totalIncludingGaps = highest used address (0 if the tile is empty).
// A6 Every allocation has a reference, and every reference has an allocation.
// A7 The bytes of a home that lie inside memory are below the address limit of the home's variable.
// A8 Two homes that must lie in different memory elements touch no element in common, unless one of the two homes is
//    overflowed.
//
// Identities of each tile:
// - sum over regions of excludingGaps = totalExcludingGaps
// - sum over categories of bytes not overlapped + afterOverlapping = totalExcludingGaps
// - afterOverlapping >= lowerBoundOverlapped
// - sum of usedBy = totalExcludingGaps
// TileMemory::category counts bytes of allocations: each byte counts in the category of its allocation and in the
// region in which the byte lies. The entry for StorageCategory::Multiple, however, counts addresses. TileMemory::usedBy
// counts addresses only. An address counts as Multiple if allocations of several categories occupy the address at
// different times.
#pragma once
#include "base/Ids.hpp"
#include "base/TileMemory.hpp"
#include "base/Words.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace popscope {

enum class OwnerKind : std::uint8_t {
  Home,
  Vertex,
  CopyVertex,
  VertexCode,
  LibraryCode,
  Runtime,
  Control,
  InternalExchange,
  HostExchange,
  GlobalExchange,
  HostHeader,
  GlobalHeader,
  Stack,
  Instrumentation,
  ControlTable,
  SharedData
};
inline constexpr std::size_t kNumOwnerKinds = 16;

/// One object in a tile's memory. The position in LayoutResult::allocations implies the tile (LayoutResult::ofTile). An
/// Allocation is limited to 20 bytes, because a layout may have hundreds of millions of allocations.
struct Allocation {
  static constexpr std::uint32_t kMaxAlignment = (1U << 19) - 1;
  StorageCategory category : 6 = StorageCategory::Variable;
  AllocationRegion region : 2 = AllocationRegion::NonInterleaved; // region of the first byte
  OwnerKind owner : 4 = OwnerKind::Home;
  bool overlapped : 1 = false; // shares the address of at least one byte with another allocation
  std::uint32_t alignment : 19 = kWordBytes;
  /// The meaning of this index depends on the owner. Home: HomeId. Vertex: index in StepProgram::vertices. CopyVertex:
  /// index in StepProgram::copies. VertexCode: VertexTypeId. LibraryCode: index in StepProgram::libraryCode.
  /// SharedData: index in StepProgram::sharedData. Exchanges, headers, tables, instrumentation: StepIndex. Control: the
  /// first step whose code the allocation holds; the code continues to the first step of the tile's next Control
  /// allocation, or to the end of the tree. Runtime: 0 for the vertex runtime, 1 for the table runner. Stack: 0.
  std::uint32_t ownerIndex = 0;
  std::uint32_t address = 0; // offset from the base of tile memory
  Bytes32 bytes;
  LiveClassId occupied{1}; // class 1 = always
  /// Returns the address after the last byte of the allocation.
  [[nodiscard]] std::uint64_t end() const { return std::uint64_t(address) + bytes.count(); }
};
static_assert(sizeof(Allocation) == 20 && kNumOwnerKinds <= 1U << 4 && kNumRegions <= 1U << 2 &&
              kNumStorageCategories <= 1U << 6);

struct LayoutResult {
  LargeTable<Allocation> allocations;     // sorted by tile, then address, then order of creation
  std::vector<std::uint32_t> firstOfTile; // numTiles + 1 entries
  std::vector<TileMemory> tiles;
  std::vector<TileId> tilesOutOfMemory; // by descending totalIncludingGaps, then by ascending tile
  std::uint64_t distinctProblems = 0;

  [[nodiscard]] std::span<const Allocation> ofTile(TileId tile) const {
    return {allocations.data() + firstOfTile[tile.index()], allocations.data() + firstOfTile[tile.index() + 1]};
  }
};

} // namespace popscope
