// Explains why a tile is out of memory: finds the bytes past the end of memory, the causes, and the bytes that must
// leave the tile. To find the bytes that must leave, the measurement packs the tile repeatedly, each time without some
// bytes.
#pragma once
#include "base/TileGaps.hpp"
#include "liveness/layout/PlaceAllocations.hpp"

#include <vector>

namespace popscope {

struct HomeCut {
  HomeId home;
  Bytes bytes;
};
struct TileOverflow {
  StepIndex worstStep; // the step with the most occupied bytes; the first step if several are equal
  Bytes bytesThere;    // bytes occupied at worstStep
  Bytes over;          // highest used address minus the size of the tile's memory
  TileGaps gaps;       // bytes below the highest used address that no allocation occupies at worstStep, by cause
  /// Bytes of variables and constants that must leave the tile so that the tile fits. The first attempt removes, at
  /// each step, the bytes that exceed the memory. If the tile then fits, this attempt is the result. If each variable
  /// is occupied during only one interval, the sum of the removed bytes is minimal, apart from the rounding of each cut
  /// up to whole elements. If the tile does not fit after the first attempt, bisection finds the smallest cut after
  /// which first fit packs the tile. The result of the bisection is exact to 4 bytes. A few further attempts with the
  /// packing search may make the cut smaller. The largest cut comes first. The list is empty if the tile does not fit
  /// even without any variable or constant.
  std::vector<HomeCut> mustGo;
};

/// Measures the tile, which must be in tilesOutOfMemory of `layout`. `layout` must be the result of placeAllocations()
/// for the other arguments. Packs the tile up to some thirty times, and repeats some packings with the search.
TileOverflow measureOverflow(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                             const LayoutOptions &options, const LayoutResult &layout, TileId tile);

} // namespace popscope
