// The steps of the recorded runs:
//
//   Steps
//     --- External Sync ---
//     DoExchange (cycles 826 - 946): switchControlBroadcast13/ExchangePre
//       Cycles:                             120 (0 overlapped with previous)
//       Active Tiles:                       1,216 / 1,216
//
// Unless there is exactly one run, a line marks the beginning of each run; cycles count from there:
//
//     --- run 1: train, from cycle 0 ---
//
// The range extends from when the last tile enters the step to when the last tile leaves it. "Cycles" counts from the
// entry of the first active tile, so that it contains time next to the previous step. Total data is half of the bytes
// sent and received: a byte that moves counts once.
#pragma once
#include "report/summary/ExecutionView.hpp"

namespace popscope {

struct StepRow {
  pva::Program::Type type = pva::Program::Type::Unknown;
  std::string name;
  std::uint64_t from = 0, to = 0, cycles = 0, overlapped = 0; // tile cycles since the start of the run
  std::uint64_t activeTiles = 0, tiles = 0, busyCycles = 0;
  bool cyclesKnown = true, busyKnown = true, timeKnown = true; // false on a device whose counters did not record them
  bool threadCyclesKnown = false;
  std::uint64_t threadCycles = 0;
  std::uint64_t dataBothWays = 0, maxTileData = 0; // bytes sent + received
  std::vector<TypeCyclesRow> byVertexType;
};
struct StepRows {
  struct RunBegin {
    std::size_t step = 0;
    std::string title;
  }; // the step before which the run begins
  std::vector<StepRow> steps;
  std::vector<RunBegin> runs; // empty: no marks
};

[[nodiscard]] StepRows collectSteps(const pva::Report &report);
void printText(std::ostream &out, const StepRows &rows, const Style &style);

} // namespace popscope
