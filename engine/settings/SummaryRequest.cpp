#include "engine/settings/SummaryRequest.hpp"

#include "base/Environment.hpp"
#include "base/settings/OptionTable.hpp"
#include "report/summary/Style.hpp"

#include <iostream>
#include <optional>
#include <unistd.h>

namespace popscope {
namespace {

const OptionTable &summaryOptionTable() {
  const auto flag = [](const char *key, const char *help) {
    return OptionRow{key, OptionKind::Bool, "false", "", help, "1.0"};
  };
  static const OptionTable table(
      "profile summary", {
                             flag("showVarStorage", "Show liveness information for each program"),
                             flag("showExecutionSteps", "Show execution steps"),
                             flag("showOptimizations", "Show optimisation information"),
                             flag("showPerIpuMemoryUsage", "Report the memory usage for each IPU"),
                             OptionRow{"executionSummaryStyle",
                                       OptionKind::Enumeration,
                                       "total",
                                       "",
                                       "Show cycles of each run as totals over tiles, or averaged over tiles",
                                       "1.0",
                                       {"total", "average"}},
                             flag("colours", "Use colours; if not given: colours on a terminal that supports them"),
                         });
  return table;
}

/// Returns true for std::cout, std::cerr and std::clog if they are connected to a terminal.
bool isTerminal(const std::ostream &out) {
  if (out.rdbuf() == std::cout.rdbuf())
    return isatty(STDOUT_FILENO) == 1;
  if (out.rdbuf() == std::cerr.rdbuf() || out.rdbuf() == std::clog.rdbuf())
    return isatty(STDERR_FILENO) == 1;
  return false;
}

} // namespace

SummaryOptions readSummaryOptions(const poplar::OptionFlags &options, const std::ostream &out) {
  const OptionValues values = summaryOptionTable().parse(options);
  SummaryOptions s;
  s.showVarStorage = values.getBool("showVarStorage");
  s.showExecutionSteps = values.getBool("showExecutionSteps");
  s.showOptimizations = values.getBool("showOptimizations");
  s.showPerIpuMemoryUsage = values.getBool("showPerIpuMemoryUsage");
  s.executionAverages = values.getString("executionSummaryStyle") == "average";
  const std::optional<bool> wish =
      values.isSet("colours") ? std::optional<bool>(values.getBool("colours")) : std::nullopt;
  s.colours = decideColour(wish, isTerminal(out), environmentVariable);
  return s;
}

} // namespace popscope
