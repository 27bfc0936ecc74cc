// What instrumentation cost, from the profile alone:
//
//   Instrumentation: compute by tile, external exchange, control flow
//     Results:        4,864 B on 1,216 tiles
//     Control code:   24,320 B more than without counters
//     Counter reads:  12,160 tile cycles in 1 run(s), 0.1% of all tile cycles
//     Control flow:   17 tile cycles in 1 run(s), 0.0% of all tile cycles
//
// Bytes of results are the allocations of category instrumentationResults.
#pragma once
#include "report/summary/Style.hpp"

#include <cstdint>
#include <ostream>
#include <pva/pva.hpp>
#include <string>

namespace popscope {

struct OverheadRows {
  bool instrumented = false;
  std::string what;
  std::uint64_t resultBytes = 0, tiles = 0, codeBytes = 0, readCycles = 0, controlCycles = 0, tileCycles = 0, runs = 0;
};

[[nodiscard]] OverheadRows collectOverhead(const pva::Report &report);
void printText(std::ostream &out, const OverheadRows &rows, const Style &style);
void printJson(std::ostream &out, const OverheadRows &rows);

} // namespace popscope
