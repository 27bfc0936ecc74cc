// A program that was compiled with some changes: the results of the compile stages, without a profile.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "liveness/data/LiveRanges.hpp"
#include "target-models/model/TileMachine.hpp"

namespace popscope {

struct Variant {
  TileMachine machine;
  StepProgram program;
  LiveRanges ranges;
  LayoutResult layout;
};

/// Returns the sum over tiles of the bytes past the end of memory. The sum is 0 if the program fits.
[[nodiscard]] inline Bytes bytesPastEnd(const Variant &v) {
  Bytes past;
  for (const TileId tile : v.layout.tilesOutOfMemory)
    past += v.layout.tiles[tile.index()].totalIncludingGaps - Bytes(v.machine.bytesPerTile);
  return past;
}

} // namespace popscope
