// The categories of steps whose times a run records.
#pragma once
#include <cstddef>

namespace popscope {

/// The size of pva::Run::categories for a run that has the times of all steps.
constexpr std::size_t kAllCategories = 6;

} // namespace popscope
