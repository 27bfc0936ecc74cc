#include "base/settings/ForeignWords.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace popscope {

// Returns a sentence with Popscope's name for another profiler's name, or "" for an unknown name. Ignores case.
std::string foreignWord(std::string_view name) {
  constexpr const char *kRuns = "autoReport.outputExecutionProfile";
  constexpr const char *kHost = "PVTI_OPTIONS='{\"enable\":\"true\"}' in the environment";
  static const std::map<std::string, std::string, std::less<>> words = {
      // Ascend: profiling_options and msprof
      {"output", "autoReport.directory"},
      {"training_trace", kRuns},
      {"task_trace", kRuns},
      {"task_time", kRuns},
      {"aicpu", kRuns},
      {"hccl", kRuns},
      {"aic_metrics", "popscope.profileCategories"},
      {"fp_point", "popscope export --fp-point"},
      {"bp_point", "popscope export --bp-point"},
      {"runtime_api", kHost},
      {"msproftx", kHost},
      {"host_sys", "popscope.sampleHost"},
      {"host_sys_usage", "popscope.sampleHost"},
      {"host_sys_usage_freq", "popscope.sampleHost"},
      {"sys_hardware_mem_freq", "popscope.sampleMemory"},
      {"profiling_mode", "POPSCOPE_PROFILE=1 in the environment"},
      {"enable_profiling", "POPSCOPE_PROFILE=1 in the environment"},
      {"profiling_options", "\"engine\" of a configuration (POPSCOPE_CONFIG)"},
      // MegEngine
      {"path", "autoReport.directory"},
      {"format", "\"formats\" of a configuration (POPSCOPE_CONFIG)"},
      {"sample_rate", "popscope.sampleMemory"},
      {"profile_device", kRuns},
      // SynapseAI, Furiosa
      {"habana_profile", "POPSCOPE_PROFILE in the environment"},
      {"habana_prof_config", "POPSCOPE_CONFIG in the environment"},
      {"furiosa_profiler_output_path", "POPSCOPE_TRACE in the environment"},
  };
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found = words.find(lower);
  return found == words.end() ? "" : " Another profiler's \"" + std::string(name) + "\" is " + found->second + " here.";
}

} // namespace popscope
