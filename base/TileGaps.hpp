// The causes of the free bytes below the highest used address of a tile. Only gapsOf() assigns causes. Three texts show
// the result of gapsOf(): the output of popscope oom, the output of popscope gap, and the exception text for a program
// that does not fit.
//
//   at the worst step   |code|....|stack|data|..|data|::::::|data|......|data|
//                            region rules     alignment  fragm.      element
//
//   .  unused at every step    :  unused at the worst step, but used at another step
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace popscope {

/// An allocation of a tile at the addresses [begin, end), as offsets from the base of tile memory.
struct PlacedBytes {
  std::uint64_t begin = 0, end = 0, alignment = 1;
  bool code = false, interleaved = false; // code: contains code. interleaved: begins in interleaved memory or above it
  bool atWorst = false;                   // occupied at the worst step
};

/// Bytes of gaps by cause. A gap that no allocation uses at any step has the first of these causes that applies:
/// - alignment: the gap is shorter than the alignment of the allocation above it;
/// - regions: of the two allocations next to the gap, only one is code, or only one is in interleaved memory. The cause
///   is also regions in two other cases: nothing lies below the gap, or the gap ends where memory ends. If the gap ends
///   where memory ends, the packer could not meet a demand of the allocation above the gap, and placed this allocation
///   past the end of memory;
/// - elements: the gap ends where a memory element begins, as in front of operands that must be in different elements.
/// All other free bytes are fragmentation: they lie between allocations, or are occupied at another step.
struct TileGaps {
  std::uint64_t alignment = 0, elements = 0, regions = 0, fragmentation = 0;
  [[nodiscard]] std::uint64_t sum() const { return alignment + elements + regions + fragmentation; }
};

/// The size of a tile's memory and of one memory element, in bytes. A size of 0 is unknown.
struct TileSizes {
  std::uint64_t memory = 0, element = 0;
};

/// Returns whether the allocations of the storage category with this key contain code.
[[nodiscard]] bool isCodeCategory(std::string_view key);
/// Returns the bytes of the gaps of a tile, by cause. `places` are sorted by `begin`; none of them is empty. Invariant:
/// the bytes of the gaps and the bytes that are occupied at the worst step add up to the highest `end` in `places`.
[[nodiscard]] TileGaps gapsOf(std::span<const PlacedBytes> places, TileSizes sizes);

} // namespace popscope
