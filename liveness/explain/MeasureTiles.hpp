// Peaks of live variable bytes per tile, from live ranges alone: without addresses and code.
#pragma once
#include "base/Parallel.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

struct TilePeak {
  Bytes bytes;       // includes always-live variables, read or not
  StepIndex step{0}; // the first step with this peak
};
TilePeak peakOfTile(const StepProgram &program, const LiveRanges &ranges, TileId tile);
/// Returns the peaks per tile. Runs in parallel over tiles; n log n in homes times intervals.
std::vector<TilePeak> peakOfTiles(const StepProgram &program, const LiveRanges &ranges, Threads threads = {});
/// Returns the peak of all tiles together.
Bytes peakOfDevice(const LiveRanges &ranges);

} // namespace popscope
