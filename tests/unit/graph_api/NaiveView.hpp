// NaiveView: a tensor as a list of its elements. Each operation follows its definition, index by index. NaiveView is
// the slow reference implementation of graph/ir/ViewOps, and shares no code with ViewOps.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

struct NaiveView {
  using Index = std::vector<std::size_t>;
  Index shape;
  std::vector<std::size_t> elements; // row-major; identity of each element

  static std::size_t product(const Index &shape) {
    std::size_t n = 1;
    for (const std::size_t d : shape)
      n *= d;
    return n;
  }
  static NaiveView iota(Index shape, std::size_t first) {
    NaiveView v{std::move(shape), {}};
    for (std::size_t i = 0; i < product(v.shape); ++i)
      v.elements.push_back(first + i);
    return v;
  }
  std::size_t at(const Index &index) const {
    std::size_t position = 0;
    for (std::size_t d = 0; d < shape.size(); ++d)
      position = position * shape[d] + index[d];
    return elements[position];
  }
  /// Returns a view of the given shape whose element at an index is this view's element at source(index).
  NaiveView map(Index newShape, const std::function<Index(Index)> &source) const {
    NaiveView v{newShape, {}};
    for (std::size_t i = 0; i < product(newShape); ++i) {
      Index index(newShape.size());
      std::size_t rest = i;
      for (std::size_t d = newShape.size(); d-- > 0;) {
        index[d] = rest % newShape[d];
        rest /= newShape[d];
      }
      v.elements.push_back(at(source(index)));
    }
    return v;
  }
};
