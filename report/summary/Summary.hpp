// Prints the text report that section 10.5 of Poplar's user guide describes, from the data of a profile. Uses only the
// pva API.
#pragma once
#include <pva/pva.hpp>

#include <iosfwd>

namespace popscope {

struct SummaryOptions {
  bool showVarStorage = false;
  bool showExecutionSteps = false;
  bool showOptimizations = false;
  bool showPerIpuMemoryUsage = false;
  bool executionAverages = false; // executionSummaryStyle=average: averages per tile for each run, instead of totals
  bool colours = false;           // result of decideColour()
};

/// Prints target, graph and memory, then the requested parts about variables and optimizations, then the execution and,
/// if requested, its steps. For a CPU target, prints only target and graph. Throws the exceptions of the getters of
/// `report`.
void printSummary(std::ostream &out, const pva::Report &report, const SummaryOptions &options);
/// printGraphPart() prints the part of the summary before "Execution:", and printExecutionPart() prints the rest.
void printGraphPart(std::ostream &out, const pva::Report &report, const SummaryOptions &options);
void printExecutionPart(std::ostream &out, const pva::Report &report, const SummaryOptions &options);

} // namespace popscope
