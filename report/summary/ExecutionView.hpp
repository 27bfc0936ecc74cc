//   Execution:
//
//     Total cycles:                                  54,202 (approx 33.9 microseconds)
//     Total compute cycles (including idle threads): 1,933,324
//   ...
//     Cycles by vertex type:
//       poplar_rt::ShortMemcpy   (73 instances):        5,256
//
// and with executionSummaryStyle=average, for each recorded run:
//
//   Programs executed:
//
//   <anonymous>.
//
//     Total cycles:                                         6,681,766 (approx 5,023.9 microseconds)
//     Tile average compute cycles (including idle threads): 3,801.8 (0.1% of total)
//
// What the instrumentation of a device did not record is replaced by how to get it.
// Where more or fewer runs than one were there, a first row says which ones the figures are of:
//
//     Runs recorded:                                 2 of 5 (0-1); cycles are sums over these
//
// The first form: all recorded runs together. Cycles by vertex type count each vertex of the graph once, executed or
// not: its last recorded execution, else its estimate. In the average form: the vertices that the run executed.
#pragma once
#include "report/summary/Style.hpp"

#include <ostream>
#include <pva/pva.hpp>
#include <vector>

namespace popscope {

struct TypeCyclesRow {
  std::string name;
  std::uint64_t instances = 0, known = 0; // vertices, and those of them that `cycles` counts
  std::uint64_t cycles = 0;
};
struct RunRow {
  std::string name;
  pva::CycleTotals totals;
  std::vector<TypeCyclesRow> byVertexType;
  bool complete = true;
};
/// Which calls of Engine::run the figures are of.
struct RecordedRuns {
  std::vector<std::uint64_t> numbers; // ascending; empty: not known
  std::vector<std::string> cut; // what to call those that did not end: their steps are there, their totals are not
  std::uint64_t recorded = 0, leftOut = 0;
  [[nodiscard]] bool areAll() const { return recorded == 1 && leftOut == 0 && cut.empty(); } // nothing to be said
};
struct ExecutionRows {
  bool averages = false;    // the form to print
  std::vector<RunRow> runs; // for averages only
  bool recorded = false;
  bool needsInstrumentation = false; // an IPU's execution is not recorded unless an option asks for it
  RecordedRuns which;
  pva::CycleTotals totals;
  std::uint64_t clockHz = 0, tiles = 0;
  std::vector<TypeCyclesRow> byVertexType; // descending
};

/// "run 3: train"; the label of the scope before the run's own name. Without a number where the profile has none.
[[nodiscard]] std::string runTitle(const pva::Run &run);
[[nodiscard]] RecordedRuns collectRecordedRuns(const pva::Report &report);
[[nodiscard]] ExecutionRows collectExecution(const pva::Report &report, bool averages = false);
void printText(std::ostream &out, const ExecutionRows &rows, const Style &style);
/// Rows of a "by vertex type" list: names padded to the longest, instances in a field of `instanceColumns`.
void printTypeCycles(std::ostream &out, const std::vector<TypeCyclesRow> &rows, std::size_t indent,
                     std::size_t instanceColumns);

} // namespace popscope
