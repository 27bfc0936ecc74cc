// Where the cycles of vertices came from in the recorded runs:
//
//   Compute set    Vertex type    Source      Vertices
//   forward        Dot            estimator        392
//   update         Step           unknown            8  no stand-in: Step.cpp:3:10: ...
//
// Sources from the most direct to the least: estimate (setPerfEstimate), estimator (registered), codelet
// (getCycleEstimate), stand-in (instructions counted), last known (of an earlier execution), runtime (copy vertices).
#pragma once
#include "report/summary/Style.hpp"

#include <ostream>
#include <pva/pva.hpp>
#include <string>
#include <vector>

namespace popscope {

struct SourceRow {
  std::string computeSet, vertexType, source, reason;
  std::uint64_t vertices = 0;
};
struct SourceRows {
  std::vector<SourceRow> rows; // by compute set, vertex type, source
};

[[nodiscard]] SourceRows collectSources(const pva::Report &report);
void printText(std::ostream &out, const SourceRows &rows, const Style &style);
void printJson(std::ostream &out, const SourceRows &rows);

} // namespace popscope
