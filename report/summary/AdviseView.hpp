// Where a WriteUndef saves memory, and which variables are live for nothing.
//
//   Highest peak: tile 3, with 5,024 B of live variables at step 12 OnTileExecute: forward
//     live for nothing there: 1,024 B (20.4%)
//   WriteUndef placements: 9 possible, 9 tried, 1 saves memory
//      1. WriteUndef("v") before step 14 OnTileExecute: patch: saves 512 B on tile 3, 2,048 B on all tiles
//     all tried together: 5,024 B -> 4,512 B on tile 3
//   Live for nothing, by bytes times steps:
//     v                      2,048 B at most, 1,024 B of it on tile 3, at 12 steps
#pragma once
#include "report/summary/WhyView.hpp"

namespace popscope {

struct PlacementRow {
  std::string variable;
  StepName before;
  std::uint64_t savedOnWorstTile = 0, savedOnDevice = 0;
}; // bytes
struct WastedRow {
  std::string variable;
  std::uint64_t bytes = 0, bytesOnWorstTile = 0, steps = 0, byteSteps = 0;
};
struct AdviseRows {
  std::size_t worstTile = 0;
  StepName worstStep;
  std::uint64_t worstPeak = 0, falseLiveAtPeak = 0, worstPeakAfterAll = 0; // bytes
  std::uint64_t candidates = 0, tried = 0;
  std::vector<PlacementRow> placements; // best first
  std::vector<WastedRow> wasted;        // most byte-steps first
};

/// Throws std::runtime_error when the profile explains nothing.
[[nodiscard]] AdviseRows collectAdvise(const pva::Report &report);
void printText(std::ostream &out, const AdviseRows &rows, const Style &style);
/// All rows, also those that the text leaves out.
void printJson(std::ostream &out, const AdviseRows &rows);

} // namespace popscope
