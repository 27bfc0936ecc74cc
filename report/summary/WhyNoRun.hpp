// The reason why a profile has no recorded run, for the summary and all answers.
#pragma once
#include <pva/pva.hpp>
#include <string>

namespace popscope {

/// Returns the most specific reason that the profile contains.
[[nodiscard]] std::string whyNoRun(const pva::Report &report);

} // namespace popscope
