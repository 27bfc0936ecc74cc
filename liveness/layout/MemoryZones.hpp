// The addresses of a tile at which each kind of allocation may lie, in order of preference.
//
//                 0          dataStart               interleaved           bytesPerTile
//   Apart         | code ->  | stack, data ->        | interleaved ->      | overflowed ->
//   AcrossRegions | code ->  | stack, data ->                             -> overflowed ->
//   FromZero      | code -> stack, data ->                                -> overflowed ->
//
// Apart is for tiles with enough memory. AcrossRegions and FromZero are for tiles that do not fit with Apart. With
// AcrossRegions and FromZero, addresses continue over the border of two regions and past the end of memory. So an
// allocation without a required region may lie across these borders. With Apart, stacks and data lie across the border
// of two regions only if the rest of each region is too small.
#pragma once
#include "liveness/data/Layout.hpp"
#include "target-models/model/TileMachine.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace popscope {

/// The kind of an allocation, which decides the zones of the allocation. Stacks and data may also lie in interleaved
/// memory if the memory that is not interleaved is full.
enum class Placement : std::uint8_t { Stack, Code, Interleaved, Data };
inline constexpr std::size_t kNumPlacements = 4;

/// Addresses [begin, end), as offsets from the base of tile memory.
struct Zone {
  std::uint64_t begin = 0, end = 0;
};

/// A row of the picture above: where stacks and data may lie. The zones of code and of interleaved data are the same
/// for all values of Spread.
enum class Spread : std::uint8_t { Apart, AcrossRegions, FromZero };
inline constexpr std::size_t kNumSpreads = 3;
using ZoneTable =
    std::array<std::vector<Zone>, kNumPlacements>; // one list per Placement; the last zone of a list has no end

struct MemoryZones {
  std::array<ZoneTable, kNumSpreads> spread;
  [[nodiscard]] const ZoneTable &of(Spread s) const { return spread[static_cast<std::size_t>(s)]; }
  std::uint64_t memoryEnd = 0;
  std::vector<MemoryRegion> regions;
  std::vector<std::uint64_t> elements; // first addresses of the memory elements, ascending
  /// Returns the numbers of the first and the last element that [begin, end) touches. Numbers begin with 1; 0 stands
  /// for the addresses before all elements.
  [[nodiscard]] std::pair<std::size_t, std::size_t> elementsOf(std::uint64_t begin, std::uint64_t end) const;
};

/// Builds the zones of a tile. A machine without regions gets one endless region that is not interleaved.
MemoryZones buildZones(const TileMachine &machine);

/// The region of a byte, and the beginning and end of that region. The end of Overflowed lies above all addresses in
/// use.
struct RegionSpan {
  AllocationRegion region = AllocationRegion::Overflowed;
  std::uint64_t begin = 0, end = 0;
};
RegionSpan regionAt(const MemoryZones &zones, std::uint64_t address);
/// Returns the start of the first region of this kind, or the end of memory if there is no such region. On a machine
/// without regions, NonInterleaved starts at 0.
std::uint64_t regionStart(const MemoryZones &zones, AllocationRegion region);

} // namespace popscope
