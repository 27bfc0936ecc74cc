// The steps of the recorded runs:
//
//   Steps
//     --- External Sync ---
//     DoExchange (cycles 826 - 946): switchControlBroadcast13/ExchangePre
//       Cycles:                             120 (0 overlapped with previous)
//       Active Tiles:                       1,216 / 1,216
//
// If several runs were recorded, or if a run was left out or cut short, a line marks the beginning of each run. Cycles
// count from this beginning:
//
//     --- run 1: train, from cycle 0 ---
//
// The range in the title extends from the time at which the last tile enters the step to the time at which the last
// active tile leaves the step. The range is empty if this tile leaves before the last tile enters. "Cycles" counts from
// the entry of the first active tile, so this figure includes time in which the previous step still runs on other
// tiles. Total data is half of the bytes sent and received, because each moved byte is sent once and received once.
#pragma once
#include "report/summary/ExecutionView.hpp"

namespace popscope {

struct StepRow {
  pva::Program::Type type = pva::Program::Type::Unknown;
  std::string name;
  std::uint64_t from = 0, to = 0, cycles = 0, overlapped = 0; // in cycles; `from` and `to` count from the start of the
                                                              // run
  std::uint64_t activeTiles = 0, tiles = 0, busyCycles = 0;
  bool cyclesKnown = true, busyKnown = true, timeKnown = true; // false if the counters of a device did not record the
                                                               // figure
  bool threadCyclesKnown = false;
  std::uint64_t threadCycles = 0;
  std::uint64_t dataBothWays = 0, maxTileData = 0; // bytes sent plus bytes received: of all tiles, and the largest
                                                   // number of one tile
  std::vector<TypeCyclesRow> byVertexType;
};
struct StepRows {
  /// The beginning of a run. `step` is the index of the run's first step.
  struct RunBegin {
    std::size_t step = 0;
    std::string title;
  };
  std::vector<StepRow> steps;
  std::vector<RunBegin> runs; // empty if the text does not mark the runs
};

[[nodiscard]] StepRows collectSteps(const pva::Report &report);
void printText(std::ostream &out, const StepRows &rows, const Style &style);

} // namespace popscope
