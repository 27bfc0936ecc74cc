// TensorChecks: argument checks of the view operations. A check that fails throws an exception; the message contains
// the tensor and the wrong number or shape.
#pragma once
#include "graph/api/GraphShared.hpp"

#include <poplar/Graph.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace popscope {

/// Returns the data of a tensor. Throws poplar_error if the tensor does not belong to `graph`.
const TensorData &ownTensor(const poplar::Graph &graph, const poplar::Tensor &t, const char *operation);
void checkDimension(const TensorData &t, std::size_t dim, const char *operation);
void checkIndex(const TensorData &t, std::size_t index, std::size_t dim, const char *operation);
/// Returns the message of checkSlice for a slice that is not within the dimension.
[[nodiscard]] std::string sliceProblem(const TensorData &t, std::size_t begin, std::size_t end, std::size_t dim);
void checkSlice(const TensorData &t, std::size_t begin, std::size_t end, std::size_t dim);
/// Checks a half-open range of dimensions.
void checkDimensionRange(const TensorData &t, std::size_t begin, std::size_t end, const char *operation);
/// Returns the number of elements of a user's shape. Throws tensor_creation_error for too many elements; the message
/// contains `what`, the shape and the limit.
std::uint64_t elementsOf(const std::vector<std::size_t> &shape, const std::string &what);
/// Checks the number of bytes that the host needs for initial contents. Throws tensor_creation_error for more than
/// kMaxContentBytes bytes; the message contains `what`.
void checkContentBytes(std::uint64_t elements, ElementType type, const std::string &what);
/// Checks that the result of `operation` on `t` does not have too many elements. `shape` is the shape of the result.
void checkResultShape(const TensorData &t, const std::vector<std::size_t> &shape, const char *operation);
[[noreturn]] void throwShape(const TensorData &t, const std::string &problem);

} // namespace popscope
