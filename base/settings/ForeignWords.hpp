// What options of other profilers are called here: Ascend's profiling_options, MegEngine's Profiler, SynapseAI's and
// Furiosa's variables, Poplar's own tools.
#pragma once
#include <string>
#include <string_view>

namespace popscope {

/// " It is autoReport.directory here." for "output", whatever its case; "" for a word that is none of theirs. For the
/// end of a message.
[[nodiscard]] std::string foreignWord(std::string_view name);

} // namespace popscope
