// Numbers about the memory of one tile. The layout computes these numbers, and profiles contain them.
#pragma once
#include "base/StorageCategory.hpp"
#include "base/Units.hpp"

#include <array>
#include <cstdint>

namespace popscope {

enum class AllocationRegion : std::uint8_t { NonInterleaved, Interleaved, Overflowed };
inline constexpr std::size_t kNumRegions = 3;

struct TileMemory {
  /// Bytes by category, by region, and by overlap: index 1 is for overlapped allocations, index 0 for all others.
  std::array<std::array<std::array<Bytes, 2>, kNumRegions>, kNumStorageCategories> category{};
  std::array<Bytes, kNumStorageCategories>
      usedBy{};                                   // number of addresses, by the category that occupies them; addresses
                                                  // that several categories use at different times count as
                                                  // "multiple"
  std::array<Bytes, kNumRegions> excludingGaps{}; // occupied addresses by region (a shared byte counts once)
  std::array<Bytes, kNumRegions> includingGaps{}; // highest used address within the region, minus the region's start
  Bytes totalExcludingGaps;
  Bytes totalIncludingGaps;    // highest used address
  Bytes afterOverlapping;      // addresses occupied by overlapped allocations
  Bytes lowerBoundOverlapped;  // peak over steps of the occupied bytes of overlapped allocations
  Bytes alwaysLiveBytes;       // bytes of always-live variables and of all allocations that are not variables
  Bytes maxNotAlwaysLiveBytes; // peak over steps of the live bytes of variables that are not always live
};

} // namespace popscope
