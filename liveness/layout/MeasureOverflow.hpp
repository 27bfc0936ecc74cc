// What a tile out of memory has too much, why, and the least that must go. Each answer is found by packing the tile
// again, with a demand or some bytes less.
#pragma once
#include "liveness/layout/PlaceAllocations.hpp"

#include <array>
#include <vector>

namespace popscope {

/// What makes holes, in the order in which they are taken away. Lives: what is left, places that lives leave free in
/// turn.
enum class HoleCause : std::uint8_t { Alignment, Elements, Reach, Interleaved, Executable, Lives };
inline constexpr std::size_t kNumHoleCauses = 6;

struct HomeCut {
  HomeId home;
  Bytes bytes;
};
struct TileOverflow {
  StepIndex worstStep;                             // most bytes occupied; the first of equals
  Bytes bytesThere;                                // occupied at that step
  Bytes over;                                      // highest address less the tile's memory
  Bytes holes;                                     // addresses below the highest that nothing occupies at that step
  std::array<Bytes, kNumHoleCauses> overBecause{}; // sums up to over less what bytesThere has more than the tile
  /// Bytes of variables and constants without which the tile fits. Where lives and alignment leave no holes there is no
  /// less; otherwise it is what first fit finds, to 4 bytes, and a few searches below that. Empty: it does not fit with
  /// all of them elsewhere.
  std::vector<HomeCut> mustGo;
};

/// `layout` was made from the others; `tile` is in its tilesOutOfMemory. Packs the tile some twenty times.
TileOverflow measureOverflow(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                             const LayoutOptions &options, const LayoutResult &layout, TileId tile);

} // namespace popscope
