// The text report of the user guide, section 10.5, from a profile. Reads pva only.
#pragma once
#include <pva/pva.hpp>

#include <iosfwd>

namespace popscope {

struct SummaryOptions {
  bool showVarStorage = false;
  bool showExecutionSteps = false;
  bool showOptimizations = false;
  bool showPerIpuMemoryUsage = false;
  bool executionAverages = false; // executionSummaryStyle: tile averages by run instead of totals
  bool colours = false;           // decided by decideColour()
};

/// Prints target, graph and memory, then the parts that the options request, then execution. Throws what reading the
/// profile throws.
void printSummary(std::ostream &out, const pva::Report &report, const SummaryOptions &options);
/// Print the part before "Execution:", and the part from there on.
void printGraphPart(std::ostream &out, const pva::Report &report, const SummaryOptions &options);
void printExecutionPart(std::ostream &out, const pva::Report &report, const SummaryOptions &options);

} // namespace popscope
