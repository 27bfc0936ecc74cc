// Explains a tile that is out of memory: how many bytes lie past the end of memory, the causes, and how many bytes must
// leave the tile. The measurement packs the tile repeatedly, with fewer and fewer kinds of placement demands or without
// some bytes.
#pragma once
#include "liveness/layout/PlaceAllocations.hpp"

#include <array>
#include <vector>

namespace popscope {

/// The causes of gaps, in the order in which the measurement removes them. `Lives` stands for the remaining gaps, which
/// exist because variables live at different times.
enum class GapCause : std::uint8_t { Alignment, Elements, Reach, Interleaved, Executable, Lives };
inline constexpr std::size_t kNumGapCauses = 6;

struct HomeCut {
  HomeId home;
  Bytes bytes;
};
struct TileOverflow {
  StepIndex worstStep; // the step with the most occupied bytes; the first step if several are equal
  Bytes bytesThere;    // bytes occupied at worstStep
  Bytes over;          // highest used address minus the size of the tile's memory
  Bytes gaps;          // addresses below the highest used address that no allocation occupies at worstStep
  std::array<Bytes, kNumGapCauses> overBecause{}; // per cause, in bytes; the sum is `over` minus the bytes by which
                                                  // bytesThere exceeds the memory
  /// Bytes of variables and constants that must leave the tile so that the tile fits. The first attempt removes, at
  /// each step, the bytes that exceed the memory. If the tile then fits, this attempt is the result. The sum of its
  /// bytes is minimal if each variable is occupied during only one interval, except that each cut rounds up to whole
  /// elements. If the tile does not fit after the first attempt, bisection finds the smallest cut after which first fit
  /// packs the tile, exact to 4 bytes. A few further attempts with the packing search may make the cut smaller. The
  /// largest cut comes first. The list is empty if the tile does not fit even without any variable or constant.
  std::vector<HomeCut> mustGo;
};

/// Measures the tile, which must be in tilesOutOfMemory of `layout`. `layout` must be the result of placeAllocations()
/// for the other arguments. Packs the tile up to some thirty times, and repeats some packings with the search.
TileOverflow measureOverflow(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                             const LayoutOptions &options, const LayoutResult &layout, TileId tile);

} // namespace popscope
