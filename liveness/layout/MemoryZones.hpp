// Where on a tile the different kinds of allocation may go, in order of preference.
//
//   0          dataStart               interleaved           bytesPerTile
//   | code ->  | stack, data ->        | interleaved ->      | overflowed ->
#pragma once
#include "liveness/data/Layout.hpp"
#include "target-models/model/TileMachine.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace popscope {

/// What an allocation asks for. Data may also use interleaved memory when the rest is full.
enum class Placement : std::uint8_t { Stack, Code, Interleaved, Data };
inline constexpr std::size_t kNumPlacements = 4;

/// Addresses [begin, end), offsets from the base of tile memory.
struct Zone {
  std::uint64_t begin = 0, end = 0;
};

struct MemoryZones {
  std::array<std::vector<Zone>, kNumPlacements> of; // by Placement; the last zone is the one past the end of memory
  std::uint64_t memoryEnd = 0;
  std::vector<MemoryRegion> regions;
  std::vector<std::uint64_t> elements; // begins of memory elements, ascending
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
