// The sections "Target" and "Graph" of the summary:
//
//   Target:
//     Number of IPUs:         1
//     Clock Speed (approx):   1,600.0 MHz
//
//   Graph:
//     Number of vertices:            5,564
#pragma once
#include "report/summary/Style.hpp"

#include <ostream>
#include <pva/pva.hpp>
#include <utility>
#include <vector>

namespace popscope {

struct TargetRows {
  std::vector<std::pair<std::string, std::string>> rows; // (label, text)
};
struct GraphRows {
  std::vector<std::pair<std::string, std::uint64_t>> rows; // (label, count)
};

[[nodiscard]] TargetRows collectTarget(const pva::Report &report);
[[nodiscard]] GraphRows collectGraph(const pva::Report &report);
void printText(std::ostream &out, const TargetRows &rows, const Style &style);
void printText(std::ostream &out, const GraphRows &rows, const Style &style);

} // namespace popscope
