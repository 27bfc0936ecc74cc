// The engine options, as `popscope options` lists them: of no profile. Text shows three lines for each, in place of the
// table.
#pragma once
#include "report/answers/Rows.hpp"

#include <cstddef>

namespace popscope {

/// `name`: a part of a key, or a pattern with * and ?; "" = all. `count`: at most so many.
[[nodiscard]] Rows collectOptionsAnswer(const std::string &name, std::size_t count);

} // namespace popscope
