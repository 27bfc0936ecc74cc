//   Execution:
//
//     Total cycles:                                  54,202 (approx 33.9 microseconds)
//     Total compute cycles (including idle threads): 1,933,324
//   ...
//     Cycles by vertex type:
//       poplar_rt::ShortMemcpy   (73 instances):        5,256
//
// All recorded runs together. Cycles by vertex type are those of the executed steps; instances are those of the graph.
#pragma once
#include "report/summary/Style.hpp"

#include <ostream>
#include <pva/pva.hpp>
#include <vector>

namespace popscope {

struct TypeCyclesRow { std::string name; std::uint64_t instances = 0, cycles = 0; };
struct ExecutionRows {
  bool recorded = false;
  bool needsInstrumentation = false; // an IPU's execution is not recorded unless an option asks for it
  pva::CycleTotals totals;
  std::uint64_t clockHz = 0, tiles = 0;
  std::vector<TypeCyclesRow> byVertexType; // descending
};

[[nodiscard]] ExecutionRows collectExecution(const pva::Report &report);
void printText(std::ostream &out, const ExecutionRows &rows, const Style &style);
/// Rows of a "by vertex type" list: names padded to the longest, instances in a field of `instanceColumns`.
void printTypeCycles(std::ostream &out, const std::vector<TypeCyclesRow> &rows, std::size_t indent,
                     std::size_t instanceColumns);

} // namespace popscope
