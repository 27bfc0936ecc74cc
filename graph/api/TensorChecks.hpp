// TensorChecks: argument checks of the view operations. Each throws with the tensor and the offending number.
#pragma once
#include "graph/api/GraphShared.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace popscope {

void checkDimension(const TensorData &t, std::size_t dim, const char *operation);
void checkIndex(const TensorData &t, std::size_t index, std::size_t dim, const char *operation);
/// What checkSlice says of a slice that is not within the dimension.
[[nodiscard]] std::string sliceProblem(const TensorData &t, std::size_t begin, std::size_t end, std::size_t dim);
void checkSlice(const TensorData &t, std::size_t begin, std::size_t end, std::size_t dim);
/// Half-open range of dimensions.
void checkDimensionRange(const TensorData &t, std::size_t begin, std::size_t end, const char *operation);
[[noreturn]] void throwShape(const TensorData &t, const std::string &problem);

} // namespace popscope
