// What a profile is about, on one screen.
//
//   Profile: written by 3.4.0 (popscope 0.1.0), format 1, complete
//
//   Target:
//   ...
//   Runs: 2
//     train: 1,204 steps, 54,202 cycles
#pragma once
#include "report/summary/TargetView.hpp"

namespace popscope {

struct InfoRows {
  struct Run { std::string name; std::uint64_t steps = 0, cycles = 0; bool complete = false; };
  std::string writer;         // version of what wrote the profile
  unsigned format = 0;
  bool complete = false;      // the writer came to its end
  TargetRows target;
  GraphRows graph;
  std::vector<Run> runs;      // recorded ones, in order
};

[[nodiscard]] InfoRows collectInfo(const pva::Report &report);
void printText(std::ostream &out, const InfoRows &rows, const Style &style);
/// A JSON object with the keys writer, format, complete, target and graph (objects by label) and runs (an array; cycles are
/// null for a run that did not end).
[[nodiscard]] std::string toJson(const InfoRows &rows);

} // namespace popscope
