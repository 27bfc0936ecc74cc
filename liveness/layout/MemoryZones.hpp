// Where on a tile the different kinds of allocation may go, in order of preference.
//
//                 0          dataStart               interleaved           bytesPerTile
//   Apart         | code ->  | stack, data ->        | interleaved ->      | overflowed ->
//   AcrossRegions | code ->  | stack, data ->                             -> overflowed ->
//   FromZero      | code -> stack, data ->                                -> overflowed ->
//
// Apart is how tiles with room to spare look. The others are for tiles that would not fit: addresses run on over the
// border of two regions and over the end, so that what asks for nothing lies across them.
#pragma once
#include "liveness/data/Layout.hpp"
#include "target-models/model/TileMachine.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace popscope {

/// What an allocation asks for. Data may also use interleaved memory when the rest is full.
enum class Placement : std::uint8_t { Stack, Code, Interleaved, Data };
inline constexpr std::size_t kNumPlacements = 4;

/// Addresses [begin, end), offsets from the base of tile memory.
struct Zone {
  std::uint64_t begin = 0, end = 0;
};

/// How strictly kinds keep to places of their own.
enum class Spread : std::uint8_t { Apart, AcrossRegions, FromZero };
inline constexpr std::size_t kNumSpreads = 3;
using ZoneTable = std::array<std::vector<Zone>, kNumPlacements>; // by Placement; the last zone has no end

struct MemoryZones {
  std::array<ZoneTable, kNumSpreads> spread;
  [[nodiscard]] const ZoneTable &of(Spread s) const { return spread[static_cast<std::size_t>(s)]; }
  std::uint64_t memoryEnd = 0;
  std::vector<MemoryRegion> regions;
  std::vector<std::uint64_t> elements; // begins of memory elements, ascending
  /// The elements that [begin, end) touches, as numbers first and last; 0 is what lies before all of them.
  [[nodiscard]] std::pair<std::size_t, std::size_t> elementsOf(std::uint64_t begin, std::uint64_t end) const;
};

/// A machine without regions (the CPU) has one endless region that is not interleaved.
MemoryZones buildZones(const TileMachine &machine);

/// The region of the byte at `address`, and where that region begins and ends (end of Overflowed: the largest address).
struct RegionSpan {
  AllocationRegion region = AllocationRegion::Overflowed;
  std::uint64_t begin = 0, end = 0;
};
RegionSpan regionAt(const MemoryZones &zones, std::uint64_t address);
/// Where the first region of this kind starts; the end of memory for Overflowed.
std::uint64_t regionStart(const MemoryZones &zones, AllocationRegion region);

} // namespace popscope
