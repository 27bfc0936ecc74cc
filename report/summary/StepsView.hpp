//   Steps
//     --- External Sync ---
//     DoExchange (cycles 826 - 946): switchControlBroadcast13/ExchangePre
//       Cycles:                             120 (0 overlapped with previous)
//       Active Tiles:                       1,216 / 1,216
//
// Where more or fewer runs than one were there, a line marks where each begins; cycles count from there:
//
//     --- run 1: train, from cycle 0 ---
//
// The range runs from where the last tile enters the step to where the last leaves. "Cycles" counts from the first
// active tile's entry, so that what runs beside the previous step is in it. Total data is half of what is sent and
// received, in bytes: a byte that moves counts once.
#pragma once
#include "report/summary/ExecutionView.hpp"

namespace popscope {

struct StepRow {
  pva::Program::Type type = pva::Program::Type::Unknown;
  std::string name;
  std::uint64_t from = 0, to = 0, cycles = 0, overlapped = 0; // tile cycles since the start of the run
  std::uint64_t activeTiles = 0, tiles = 0, busyCycles = 0;
  bool cyclesKnown = true, busyKnown = true, timeKnown = true; // on a device: what its counters recorded
  bool threadCyclesKnown = false;
  std::uint64_t threadCycles = 0;
  std::uint64_t dataBothWays = 0, maxTileData = 0; // bytes sent + received
  std::vector<TypeCyclesRow> byVertexType;
};
struct StepRows {
  struct RunBegin {
    std::size_t step = 0;
    std::string title;
  }; // before which of the steps
  std::vector<StepRow> steps;
  std::vector<RunBegin> runs; // empty: nothing to be marked
};

[[nodiscard]] StepRows collectSteps(const pva::Report &report);
void printText(std::ostream &out, const StepRows &rows, const Style &style);

} // namespace popscope
