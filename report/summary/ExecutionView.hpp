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
//     Programs executed:
//
//     <anonymous>.
//
//       Total cycles:                                         6,681,766 (approx 5,023.9 microseconds)
//       Tile average compute cycles (including idle threads): 3,801.8 (0.1% of total)
//
// What the instrumentation of a device did not record is replaced by how to get it.
// The first form: all recorded runs together. Cycles by vertex type are those of the executed steps; instances are those of the graph.
#pragma once
#include "report/summary/Style.hpp"

#include <ostream>
#include <pva/pva.hpp>
#include <vector>

namespace popscope {

struct TypeCyclesRow { std::string name; std::uint64_t instances = 0, cycles = 0; };
struct RunRow { std::string name; pva::CycleTotals totals; std::vector<TypeCyclesRow> byVertexType; };
struct ExecutionRows {
  bool averages = false;             // the form to print
  std::vector<RunRow> runs;          // for averages only
  bool recorded = false;
  bool needsInstrumentation = false; // an IPU's execution is not recorded unless an option asks for it
  pva::CycleTotals totals;
  std::uint64_t clockHz = 0, tiles = 0;
  std::vector<TypeCyclesRow> byVertexType; // descending
};

[[nodiscard]] ExecutionRows collectExecution(const pva::Report &report, bool averages = false);
void printText(std::ostream &out, const ExecutionRows &rows, const Style &style);
/// Rows of a "by vertex type" list: names padded to the longest, instances in a field of `instanceColumns`.
void printTypeCycles(std::ostream &out, const std::vector<TypeCyclesRow> &rows, std::size_t indent,
                     std::size_t instanceColumns);

} // namespace popscope
