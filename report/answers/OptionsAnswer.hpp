// popscope options: lists the engine options, without a profile. The text format shows three lines per option
// (optionText) instead of a table.
#pragma once
#include "report/answers/Rows.hpp"

#include <cstddef>

namespace popscope {

/// Returns the options. `name` is a part of a key, or a pattern with * and ?. If `name` is "", returns all options.
/// `count` is the maximum number of options.
[[nodiscard]] Rows collectOptionsAnswer(const std::string &name, std::size_t count);

} // namespace popscope
