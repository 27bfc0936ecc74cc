// RandomViews: chains of random operations on tensors, including every public view operation. Each operation is applied
// to the Tensor and to its naive reference implementation. All operations are valid; empty and rank-0 tensors occur.
#pragma once
#include "tests/unit/graph_api/NaiveView.hpp"

#include <poplar/Graph.hpp>

#include <random>
#include <string>
#include <vector>

namespace view_tests {

inline constexpr std::size_t kVarStep = 1000000; // identity of an element = variable * kVarStep + offset

struct Pair {
  poplar::Tensor fast;
  NaiveView slow;
  std::string history; // the operations so far, for messages
};

/// Returns the identities in view order.
std::vector<std::size_t> elementsOf(const poplar::Tensor &t);

class RandomViews {
public:
  explicit RandomViews(unsigned seed);
  /// Adds a variable of random shape: rank 0 to 4, sometimes without elements.
  Pair start();
  Pair start(std::vector<std::size_t> shape) { return fresh(std::move(shape)); }
  /// Applies one random operation or, if the tensor has more than `mostElements` elements, takes its second half.
  Pair step(const Pair &p);
  std::size_t pick(std::size_t low, std::size_t high); // inclusive
  poplar::Graph &graph() { return graph_; }
  /// Returns the names of the operations, in the order of `counts`.
  static const std::vector<std::string> &operations();
  std::size_t mostElements = 300;
  std::vector<unsigned> counts; // how often each operation was applied

private:
  Pair fresh(std::vector<std::size_t> shape);
  Pair apply(std::size_t operation, const Pair &p);
  std::vector<std::size_t> factorise(std::size_t n);
  std::vector<unsigned> permutation(std::size_t n);

  std::mt19937 random_;
  poplar::Graph graph_;
};

} // namespace view_tests
