#include "report/summary/WhyNoRun.hpp"

#include <fmt/format.h>

namespace popscope {
namespace {

bool isTrue(const pva::Report &report, const char *option) {
  for (const pva::Option &one : report.compilation().engineOptions())
    if (one.key == option)
      return one.value == "true";
  return false;
}
bool isChosen(const pva::Report &report, const char *option) {
  for (const pva::Option &one : report.compilation().engineOptions())
    if (one.key == option)
      return !one.isDefault;
  return false;
}

} // namespace

std::string whyNoRun(const pva::Report &report) {
  const auto spans = report.execution().pausedSpans();
  if (!spans.empty()) {
    std::uint64_t runs = 0;
    std::string reasons;
    for (const pva::PausedSpan &span : spans) {
      runs += span.runs;
      if (reasons.find(span.reason) == std::string::npos)
        reasons += (reasons.empty() ? "" : ", ") + span.reason;
    }
    return fmt::format("{} {} left out ({}); popscope runs lists which.", runs, runs == 1 ? "run was" : "runs were",
                       reasons);
  }
  constexpr const char *kExecution = "autoReport.outputExecutionProfile";
  const bool wants = isTrue(report, kExecution);
  const pva::Target target = report.compilation().target();
  const bool isIpu = target.type() == pva::Target::Type::Ipu;
  if (report.popscope().couldNotRun())
    return isIpu ? "It does not fit, so no program could run."
                 : "It does not fit, so no program could run. With the engine option debug.allowOutOfMemory, an IPU "
                   "Model runs it anyway.";
  const bool mayCount = isTrue(report, "debug.instrument") || isTrue(report, "debug.instrumentCompute") ||
                        isTrue(report, "debug.instrumentExternalExchange") ||
                        isTrue(report, "debug.instrumentControlFlow");
  if (isIpu && !mayCount && wants)
    return "An IPU device knows its cycles by counters, and the program was compiled without them: compile it with "
           "debug.instrument set to \"true\". An executable from a file keeps the counters with which it was compiled.";
  const bool counts = !isIpu || mayCount;
  if (counts && !report.popscope().complete()) // the engine's own profile contains every run, whatever the options
    return "The program has not run yet, was stopped before the end of its first run, or discarded its runs with "
           "Engine::resetExecutionProfile.";
  if (!wants && isChosen(report, kExecution)) // also the first state of the profiles of popscope.profile in Python
    return "This file has no runs: autoReport.outputExecutionProfile is \"false\", or the program did not call "
           "Engine::run. If it did, set the option to \"true\". "
           "(popscope.profile in Python sets it to \"false\" and adds the runs at the end of its region.)";
  if (!counts)
    return "An IPU device knows its cycles by counters, and the program did not request them: set "
           "autoReport.outputExecutionProfile to \"true\".";
  if (!wants)
    return "The engine options request only the profile of the compilation: set autoReport.outputExecutionProfile to "
           "\"true\".";
  return "No run reached this file: the program did not call Engine::run, or compileGraph wrote the file, and an "
         "engine that ran wrote another file or did not end.";
}

} // namespace popscope
