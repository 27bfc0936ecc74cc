// The text of PrintTensor: title, ": ", nested brackets, values separated by blanks, and one row per line for rank >=
// 2. Floats have seven digits after the decimal point. Long tensors are shortened to their edges as PrintFormat
// requires.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <string>
#include <vector>

namespace popscope {

std::string formatTensor(const std::string &title, ElementType type, const std::vector<std::size_t> &shape,
                         const PrintFormat &format, const void *data);

} // namespace popscope
