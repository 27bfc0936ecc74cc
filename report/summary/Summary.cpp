#include "report/summary/Summary.hpp"

#include "base/ShownText.hpp"
#include "report/summary/ControlFlowView.hpp"
#include "report/summary/Format.hpp"
#include "report/summary/MemoryView.hpp"
#include "report/summary/OptimisationsView.hpp"
#include "report/summary/StepsView.hpp"
#include "report/summary/TargetView.hpp"
#include "report/summary/VarStorageView.hpp"

namespace popscope {
namespace {

constexpr std::size_t kFullestTiles = 3; // tiles whose liveness is shown in addition to that of all tiles

// Prints the provenance of cycles at the very end. The layout of the user guide has no earlier place for the
// provenance, and the sample of the guide stops in the middle of the steps.
void printProvenance(std::ostream &out, const pva::Report &report) {
  const std::string provenance = report.popscope().cycleProvenance();
  if (provenance == "estimated")
    out << "\nCycles are estimates of a model of the machine, not measurements; popscope sources lists where the "
           "cycles of vertices come from.\n";
  else
    out << "\nCycles are " << provenance << ".\n";
}

bool isCpu(const pva::Report &report) { return report.compilation().target().type() == pva::Target::Type::Cpu; }

void printMemory(std::ostream &out, const pva::Report &report, const SummaryOptions &options, const Style &style) {
  const pva::Target target = report.compilation().target();
  out << "\n" << style.heading("Memory on all IPUs:") << "\n";
  if (target.numReplicas() > 1)
    out << "  Of one replica; all " << commas(target.numReplicas()) << " use the same.\n";
  printText(out, collectMemory(report, 0, target.tilesPerReplica()), style);
  out << "\n\n";
  printText(out, collectHistogram(report), style);
  if (options.showPerIpuMemoryUsage) {
    const std::size_t perIpu = target.tilesPerIpu();
    for (std::size_t ipu = 0; ipu < target.ipusPerReplica(); ++ipu) {
      out << "\n" << style.heading("Memory on IPU " + commas(ipu) + ":") << "\n";
      printText(out, collectMemory(report, ipu * perIpu, (ipu + 1) * perIpu), style);
    }
  }
  printText(out, collectOutOfMemory(report), style);
}

} // namespace

void printGraphPart(std::ostream &out, const pva::Report &report, const SummaryOptions &options) {
  const Style style(options.colours);
  if (const std::string ending = report.popscope().ending(); !ending.empty())
    out << "Profile is not complete: it ends " << shownText(ending) << "\n\n";
  printText(out, collectTarget(report), style);
  out << "\n";
  printText(out, collectGraph(report), style);
  if (isCpu(report)) {
    out << "\nA CPU target has no memory or execution profile: use an IPU Model.\n";
    return;
  }
  printMemory(out, report, options, style);
  if (options.showVarStorage) {
    out << "\n\n\n";
    printText(out, collectVarStorage(report), style);
    for (const VarStorageRows &tile : collectVarStorageOfFullestTiles(report, kFullestTiles)) {
      out << "\n";
      printText(out, tile, style);
    }
  }
  if (options.showOptimizations) {
    out << "\n";
    printText(out, collectOptimisations(report), style);
  }
}

void printExecutionPart(std::ostream &out, const pva::Report &report, const SummaryOptions &options) {
  if (isCpu(report))
    return;
  const Style style(options.colours);
  const ExecutionRows rows = collectExecution(report, options.executionAverages);
  printText(out, rows, style);
  if (rows.recorded)
    printText(out, collectControlFlow(report), style);
  if (options.showExecutionSteps && rows.recorded)
    printText(out, collectSteps(report), style);
  if (rows.recorded)
    printProvenance(out, report);
}

void printSummary(std::ostream &out, const pva::Report &report, const SummaryOptions &options) {
  printGraphPart(out, report, options);
  if (isCpu(report))
    return;
  out << "\n";
  printExecutionPart(out, report, options);
}

} // namespace popscope
