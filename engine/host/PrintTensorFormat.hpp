// The text of PrintTensor: the title and ": " (if there is a title), then nested brackets with the values. The format
// selects the brackets and the separator. Tensors of rank 2 or more have one row per line; a row that is wider than
// PrintFormat::maxLineWidth continues on the next line. The format selects the form of floats. If a tensor has more
// than PrintFormat::summariseThreshold elements, each dimension shows only its first and last PrintFormat::edgeItems
// positions. If this threshold is 0, the text shows all elements.
//
//   v: [0.5000000 1.5000000
//    2.5000000]
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <string>
#include <vector>

namespace popscope {

std::string formatTensor(const std::string &title, ElementType type, const std::vector<std::size_t> &shape,
                         const PrintFormat &format, const void *data);

} // namespace popscope
