// The contents of an IPU's counters of control flow, a part of the execution's summary:
//
//     Control flow (last execution):
//       RepeatWhile: converge     12 iterations       3,456 cycles
//       If: maybe                       not true         17 cycles
//
// If values decide the path and there are no counters, the summary explains how to get them. The summary of an IPU
// Model has no such part.
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
  bool missing = false;             // values decide the path, and the device does not record it
};

[[nodiscard]] ControlFlowRows collectControlFlow(const pva::Report &report);
void printText(std::ostream &out, const ControlFlowRows &rows, const Style &style);

} // namespace popscope
