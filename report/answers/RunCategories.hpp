// The number of categories of steps. A run may record the times of only some categories.
#pragma once
#include <cstddef>

namespace popscope {

/// The size of pva::Run::categories for a run that has the times of all steps.
constexpr std::size_t kAllCategories = 6;

} // namespace popscope
