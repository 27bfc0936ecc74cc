// Translates option names of other profilers to Popscope's: Ascend's profiling_options, MegEngine's Profiler, the
// variables of SynapseAI and Furiosa, Poplar's own tools.
#pragma once
#include <string>
#include <string_view>

namespace popscope {

/// Returns " Another profiler's "output" is autoReport.directory here." for "output", ignoring case; "" for other
/// words. Callers append the result to a message.
[[nodiscard]] std::string foreignWord(std::string_view name);

} // namespace popscope
