// The section about the passes of the compiler, with the effect of each pass:
//
//   Optimizations:
//     Merged copies:         120 -> 96 programs
#pragma once
#include "report/summary/Style.hpp"

#include <ostream>
#include <pva/pva.hpp>

namespace popscope {

struct OptimisationRows {
  std::vector<pva::Optimization> rows;
};

[[nodiscard]] OptimisationRows collectOptimisations(const pva::Report &report);
void printText(std::ostream &out, const OptimisationRows &rows, const Style &style);

} // namespace popscope
