// The part of the execution summary with the control-flow counters of an IPU:
//
//     Control flow (last execution):
//       RepeatWhile: converge     12 iterations       3,456 cycles
//       If: maybe                          false         17 cycles
//       Cycles are those of tile 1,471, which waits for other tiles only at a sync or an exchange.
//
// If the values of tensors decide which programs run, and the profile has no counters, the summary explains how to
// record the counters. The summary of an IPU Model has no part about control flow.
#pragma once
#include "report/summary/Style.hpp"

#include <ostream>
#include <pva/pva.hpp>
#include <string>
#include <vector>

namespace popscope {

struct ControlFlowRow {
  std::string title, taken;
  std::uint64_t cycles = 0;
};
struct ControlFlowRows {
  std::vector<ControlFlowRow> rows; // sorted by run, then program
  std::string tile;                 // number of the tile that records control flow (debug.branchRecordTile)
  bool missing = false;             // true: values decide which programs run, and the device did not record which
                                    // programs ran
};

[[nodiscard]] ControlFlowRows collectControlFlow(const pva::Report &report);
void printText(std::ostream &out, const ControlFlowRows &rows, const Style &style);

} // namespace popscope
