// The section about the passes of the compiler, with the effect of each pass:
//
//   Optimizations:
//     LowerPrograms:             12 -> 15 variables
//     MergeCopies:              120 -> 96 copies
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
