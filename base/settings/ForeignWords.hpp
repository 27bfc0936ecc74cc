// Translates names of options and variables of other profilers to options, commands and variables of Popscope. The
// other profilers belong to Ascend (profiling_options and msprof), MegEngine, SynapseAI and Furiosa.
#pragma once
#include <string>
#include <string_view>

namespace popscope {

/// Returns a hint for the end of a message, for example " Another profiler's "output" is autoReport.directory here."
/// for "output". Ignores case. Returns "" for a word that Popscope does not know from another profiler.
[[nodiscard]] std::string foreignWord(std::string_view name);

} // namespace popscope
