// What an IPU's counters of control flow hold, a part of the execution's summary:
//
//     Control flow (last execution):
//       RepeatWhile: converge     12 iterations       3,456 cycles
//       If: maybe                       not true         17 cycles
//
// Without the counters, and where values decide the way, it says how to get them. An IPU Model's summary has no such
// part.
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
  std::vector<ControlFlowRow> rows; // by run, then program
  bool missing = false;             // values decide the way, and the device does not record it
};

[[nodiscard]] ControlFlowRows collectControlFlow(const pva::Report &report);
void printText(std::ostream &out, const ControlFlowRows &rows, const Style &style);

} // namespace popscope
