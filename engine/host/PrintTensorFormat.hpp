// The text of PrintTensor: the title, ": ", and nested brackets with values separated by blanks. Tensors of rank 2 or
// more have one row per line. Floats have seven digits after the decimal point unless PrintFormat requests another
// form. Of a long tensor, only the elements at the edges are printed, as PrintFormat requests.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <string>
#include <vector>

namespace popscope {

std::string formatTensor(const std::string &title, ElementType type, const std::vector<std::size_t> &shape,
                         const PrintFormat &format, const void *data);

} // namespace popscope
