// Computes peaks of live or occupied variable bytes per tile from live ranges alone. The peaks include neither code nor
// gaps.
#pragma once
#include "base/Parallel.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

struct TilePeak {
  Bytes bytes;       // includes all always-live variables, even variables that no step reads
  StepIndex step{0}; // the first step with this peak
};
/// The bytes that a peak counts: live bytes or occupied bytes. A value that is written and never read occupies bytes
/// without being live.
enum class PeakOf : bool { Live, Occupied };
TilePeak peakOfTile(const StepProgram &program, const LiveRanges &ranges, TileId tile, PeakOf what = PeakOf::Live);
/// Returns the peaks of live bytes per tile. Runs in parallel over tiles. Cost: O(n log n), where n is the number of
/// intervals of all homes.
std::vector<TilePeak> peakOfTiles(const StepProgram &program, const LiveRanges &ranges, Threads threads = {});
/// Adds up the live bytes of all tiles at each step, and returns the highest of these sums. Includes always-live
/// variables, but not code, stacks and other data that belong to no variable.
Bytes peakOfDevice(const LiveRanges &ranges);

} // namespace popscope
