// The execution part of the summary:
//
//   Execution:
//
//     Total cycles:                                  54,202 (approx 33.9 microseconds)
//     Total compute cycles (including idle threads): 1,933,324
//   ...
//     Cycles by vertex type:
//       poplar_rt::ShortMemcpy   (73 instances):        5,256
//
// With executionSummaryStyle=average, for each recorded run:
//
//   Programs executed:
//
//   <anonymous>.
//
//     Total cycles:                                         6,681,766 (approx 5,023.9 microseconds)
//     Tile average compute cycles (including idle threads): 3,801.8 (0.1% of total)
//
// A figure that the instrumentation of a device did not record is replaced by a text that explains how to get it. If
// there are more or fewer runs than one, a first row names the runs of the figures:
//
//     Runs recorded:                                 2 of 5 (0-1); cycles are sums over these
//
// The first form covers all recorded runs together. Its cycles by vertex type count each vertex of the graph once,
// executed or not: its last recorded execution, or else its estimate. The average form counts the vertices that the
// run executed.
#pragma once
#include "report/summary/Style.hpp"

#include <ostream>
#include <pva/pva.hpp>
#include <vector>

namespace popscope {

struct TypeCyclesRow {
  std::string name;
  std::uint64_t instances = 0, known = 0; // number of vertices, and of those that `cycles` counts
  std::uint64_t cycles = 0;
};
struct RunRow {
  std::string name;
  pva::CycleTotals totals;
  std::vector<TypeCyclesRow> byVertexType;
  bool complete = true;
};
/// The calls of Engine::run that the figures cover.
struct RecordedRuns {
  std::vector<std::uint64_t> numbers; // ascending; empty: not known
  std::vector<std::string> cut; // names of runs that did not end: their steps are recorded, but their totals are not
  std::uint64_t recorded = 0, leftOut = 0;
  [[nodiscard]] bool areAll() const { return recorded == 1 && leftOut == 0 && cut.empty(); } // true: no row is needed
};
struct ExecutionRows {
  bool averages = false;    // true: prints the average form
  std::vector<RunRow> runs; // for averages only
  bool recorded = false;
  bool needsInstrumentation = false; // true for an IPU whose execution is not recorded because no option requests it
  RecordedRuns which;
  pva::CycleTotals totals;
  std::uint64_t clockHz = 0, tiles = 0;
  std::vector<TypeCyclesRow> byVertexType; // descending
};

/// Returns "run 3: train", with the label of the scope before the run's own name; without a number if the profile has
/// none.
[[nodiscard]] std::string runTitle(const pva::Run &run);
[[nodiscard]] RecordedRuns collectRecordedRuns(const pva::Report &report);
[[nodiscard]] ExecutionRows collectExecution(const pva::Report &report, bool averages = false);
void printText(std::ostream &out, const ExecutionRows &rows, const Style &style);
/// Prints the rows of a "by vertex type" list: names padded to the longest, instances in a field of `instanceColumns`.
void printTypeCycles(std::ostream &out, const std::vector<TypeCyclesRow> &rows, std::size_t indent,
                     std::size_t instanceColumns);

} // namespace popscope
