#include "graph/api/TensorChecks.hpp"

#include "graph/api/Describe.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>

namespace popscope {

void checkDimension(const TensorData &t, std::size_t dim, const char *operation) {
  if (dim >= t.view.shape.size())
    throw poplar::index_error(fmt::format("{}: dimension {} does not exist in {}, which has rank {}.", operation, dim,
                                          describe(t), t.view.shape.size()));
}

void checkIndex(const TensorData &t, std::size_t index, std::size_t dim, const char *operation) {
  checkDimension(t, dim, operation);
  if (index >= t.view.shape[dim])
    throw poplar::index_error(fmt::format("{}: index {} is out of range for dimension {} of {}: it has {} elements.",
                                          operation, index, dim, describe(t), t.view.shape[dim]));
}

std::string sliceProblem(const TensorData &t, std::size_t begin, std::size_t end, std::size_t dim) {
  return fmt::format("slice: [{},{}) is not a range of dimension {} of {}: begin <= end <= {} must hold.", begin, end, dim,
                     describe(t), t.view.shape[dim]);
}

void checkSlice(const TensorData &t, std::size_t begin, std::size_t end, std::size_t dim) {
  checkDimension(t, dim, "slice");
  if (begin > end || end > t.view.shape[dim])
    throw poplar::index_error(sliceProblem(t, begin, end, dim));
}

void checkDimensionRange(const TensorData &t, std::size_t begin, std::size_t end, const char *operation) {
  if (begin > end || end > t.view.shape.size())
    throw poplar::index_error(fmt::format("{}: [{},{}) is not a range of dimensions of {}, which has rank {}.",
                                          operation, begin, end, describe(t), t.view.shape.size()));
}

void throwShape(const TensorData &t, const std::string &problem) {
  throw poplar::poplar_error(fmt::format("{}: {}", describe(t), problem));
}

} // namespace popscope
