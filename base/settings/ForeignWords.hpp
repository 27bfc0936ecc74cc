// Translates option names of other profilers to option names of Popscope: Ascend's profiling_options, MegEngine's
// Profiler, environment variables of SynapseAI and Furiosa, and Poplar's own tools.
#pragma once
#include <string>
#include <string_view>

namespace popscope {

/// Returns a hint for the end of a message, for example " Another profiler's "output" is autoReport.directory here."
/// for "output". Ignores case. Returns "" for other words.
[[nodiscard]] std::string foreignWord(std::string_view name);

} // namespace popscope
