#include "graph/api/TensorChecks.hpp"

#include "base/CheckedSize.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>

namespace popscope {

const TensorData &ownTensor(const poplar::Graph &graph, const poplar::Tensor &t, const char *operation) {
  const TensorData &data = GraphAccess::data(t);
  if (data.graph != GraphAccess::shared(graph))
    throw poplar::poplar_error(fmt::format("{}: {} belongs to another graph.", operation, describe(data)));
  return data;
}

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
  return fmt::format("slice: [{},{}) is not a range of dimension {} of {}: begin <= end <= {} must hold.", begin, end,
                     dim, describe(t), t.view.shape[dim]);
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

std::uint64_t elementsOf(const std::vector<std::size_t> &shape, const std::string &what) {
  const auto elements = checkedElements(shape);
  if (!elements)
    throw poplar::tensor_creation_error(fmt::format(
        "{} of shape {} has too many elements: a tensor has at most {} (2^48).", what, shapeText(shape), kMaxElements));
  return *elements;
}

void checkContentBytes(std::uint64_t elements, ElementType type, const std::string &what) {
  const auto bytes = checkedProduct(elements, elementBytes(type));
  if (!bytes || *bytes > kMaxContentBytes)
    throw poplar::tensor_creation_error(
        fmt::format("{}: the values of {} elements of {} are more than the {} bytes that one variable can have.", what,
                    elements, elementTypeName(type), kMaxContentBytes));
}

void checkResultShape(const TensorData &t, const std::vector<std::size_t> &shape, const char *operation) {
  if (!checkedElements(shape))
    throwShape(t, fmt::format("{} gives the shape {}, which has too many elements: a tensor has at most {} (2^48).",
                              operation, shapeText(shape), kMaxElements));
}

void throwShape(const TensorData &t, const std::string &problem) {
  throw poplar::poplar_error(fmt::format("{}: {}", describe(t), problem));
}

} // namespace popscope
