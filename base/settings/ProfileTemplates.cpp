#include "base/settings/ProfileTemplates.hpp"

namespace popscope {

// The table of templates; the first is the default. Costs are measured, see docs/CONFIGURATION.md.
const std::vector<ProfileTemplate> &profileTemplates() {
  static const std::vector<ProfileTemplate> templates = {
      {"default",
       "the whole profile, and its summary as text",
       "time x 1.0; 1.1 MB",
       {{"autoReport.all", "true"}, {"debug.instrument", "true"}},
       "",
       true},
      {"memory",
       "where every byte is and why it is live, with pictures; no execution",
       "time x 1.2; 1.2 MB",
       {{"autoReport.outputGraphProfile", "true"},
        {"autoReport.outputLoweredVars", "true"},
        {"autoReport.outputLivenessExplanation", "true"}},
       "svg,md",
       true},
      {"cycles",
       "where the time goes, as tables",
       "time x 1.1; 3.0 MB",
       {{"autoReport.outputGraphProfile", "true"},
        {"autoReport.outputExecutionProfile", "true"},
        {"debug.instrument", "true"}},
       "csv,folded",
       true},
      {"trace",
       "every execution of every step, as a trace for Perfetto",
       "time x 1.0; 1.7 MB, the trace included",
       {{"autoReport.outputGraphProfile", "true"},
        {"autoReport.outputExecutionProfile", "true"},
        {"popscope.recordEveryExecution", "true"},
        {"debug.instrument", "true"}},
       "chrome",
       false},
      {"full",
       "the whole profile with every execution and samples, in every format",
       "time x 1.2; 48 MB",
       {{"autoReport.all", "true"},
        {"autoReport.outputDebugInfo", "true"},
        {"popscope.recordEveryExecution", "true"},
        {"popscope.recordCompilePhases", "true"},
        {"popscope.sampleMemory", "1"},
        {"popscope.sampleHost", "100"},
        {"popscope.sampleHostMetrics", "cpu,memory,disk"},
        {"debug.instrument", "true"}},
       "chrome,perfetto,csv,jsonl,folded,speedscope,dot,svg,md,latex,sqlite",
       true},
      {"light",
       "memory per tile, and one run of each program; no list of allocations",
       "time x 0.6 (one run of each program, not two); 1.0 MB",
       {{"autoReport.outputGraphProfile", "true"},
        {"autoReport.outputExecutionProfile", "true"},
        {"autoReport.executionProfileProgramRunCount", "1"}},
       "",
       false},
      {"ci",
       "the metrics of popscope check and diff, and tables for a pull request",
       "time x 0.7 (one run of each program, not two); 1.0 MB",
       {{"autoReport.outputGraphProfile", "true"},
        {"autoReport.outputExecutionProfile", "true"},
        {"autoReport.executionProfileProgramRunCount", "1"},
        {"debug.instrument", "true"}},
       "md",
       false},
  };
  return templates;
}

const ProfileTemplate *findProfileTemplate(const std::string &name) {
  for (const ProfileTemplate &one : profileTemplates())
    if (name == one.name)
      return &one;
  return nullptr;
}

} // namespace popscope
