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
// With executionSummaryStyle=average, the execution part has this second form for each recorded run:
//
//   Programs executed:
//
//   <anonymous>.
//
//     Total cycles:                                         6,681,766 (approx 5,023.9 microseconds)
//     Tile average compute cycles (including idle threads): 3,801.8 (0.1% of total)
//
// If a figure is unknown, the summary leaves out its row, or prints a text in place of the figure. The text names the
// option that records the figure, or states that the cycles of some vertices are unknown. If several runs were
// recorded, or if a run was left out or cut short, a first row states which runs the figures cover:
//
//     Runs recorded:                                 2 of 5 (0-1); cycles are sums over these
//
// The first form covers all recorded runs together. In the first form's list of cycles by vertex type, each vertex of
// the graph counts once. The cycles of a vertex are those of its last recorded execution, or its estimate if no
// execution was recorded. The list of the second form counts only vertices that the run executed and whose cycles are
// known.
#pragma once
#include "report/summary/Style.hpp"

#include <ostream>
#include <pva/pva.hpp>
#include <vector>

namespace popscope {

struct TypeCyclesRow {
  std::string name;
  std::uint64_t instances = 0, known = 0; // number of listed vertices of the type, and number of the vertices that
                                          // `cycles` covers
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
  std::vector<std::uint64_t> numbers; // numbers of the recorded runs, ascending; empty if unknown
  std::vector<std::string> cut;       // titles of runs that were cut short: the profile has the steps of these runs,
                                      // but no total includes these steps
  std::uint64_t recorded = 0, leftOut = 0;
  /// Returns whether exactly one run was recorded, and no run was left out or cut short. If this is true, the summary
  /// prints no row about the runs.
  [[nodiscard]] bool areAll() const { return recorded == 1 && leftOut == 0 && cut.empty(); }
};
struct ExecutionRows {
  bool averages = false;    // true: printText prints the second form
  std::vector<RunRow> runs; // filled for the second form only
  bool recorded = false;
  std::uint64_t replicas = 1;
  std::string whyNoRun; // empty if a run was recorded
  RecordedRuns which;
  pva::CycleTotals totals;
  std::uint64_t clockHz = 0, tiles = 0;
  std::vector<TypeCyclesRow> byVertexType; // most cycles first
};

/// Returns the title of a run, for example "run 3: train". The label of the scope, if there is one, precedes the run's
/// own name: "run 3: warm-up: train". The title has no number if the profile does not contain the number.
[[nodiscard]] std::string runTitle(const pva::Run &run);
[[nodiscard]] RecordedRuns collectRecordedRuns(const pva::Report &report);
[[nodiscard]] ExecutionRows collectExecution(const pva::Report &report, bool averages = false);
void printText(std::ostream &out, const ExecutionRows &rows, const Style &style);
/// Prints the rows of a "by vertex type" list. Names are padded to the longest name; instances are aligned in a field
/// of `instanceColumns` characters.
void printTypeCycles(std::ostream &out, const std::vector<TypeCyclesRow> &rows, std::size_t indent,
                     std::size_t instanceColumns);

} // namespace popscope
