// Peaks of live variable bytes, tile by tile, from live ranges alone: no addresses, no code.
#pragma once
#include "base/Parallel.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

struct TilePeak {
  Bytes bytes;       // always-live variables included, whether or not anything reads them
  StepIndex step{0}; // the first with this peak
};
TilePeak peakOfTile(const StepProgram &program, const LiveRanges &ranges, TileId tile);
/// By tile. Parallel over tiles; n log n in homes times intervals.
std::vector<TilePeak> peakOfTiles(const StepProgram &program, const LiveRanges &ranges, Threads threads = {});
/// Of all tiles together.
Bytes peakOfDevice(const LiveRanges &ranges);

} // namespace popscope
