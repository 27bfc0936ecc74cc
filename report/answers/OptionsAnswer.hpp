// The engine options, as `popscope options` lists them, without a profile. Text shows three lines per option instead of
// a table.
#pragma once
#include "report/answers/Rows.hpp"

#include <cstddef>

namespace popscope {

/// Returns the options. `name`: a part of a key, or a pattern with * and ?; "" = all. `count`: the maximum number.
[[nodiscard]] Rows collectOptionsAnswer(const std::string &name, std::size_t count);

} // namespace popscope
