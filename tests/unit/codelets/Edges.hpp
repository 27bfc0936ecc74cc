// A vertex that uses scalar edges of half in all ways in which codelets use a native half.
#pragma once
#include <poplar/Vertex.hpp>

namespace popscope_test {

struct EdgeVertex : poplar::Vertex {
  poplar::Input<half> in;
  poplar::InOut<half> both;
  poplar::Output<half> out;
  poplar::Input<float> single;
  poplar::InOut<float> sum;

  /// Returns the number of the first wrong comparison for in = 1, both = 2, single = 0.5; 0 = none.
  int compare() const;
  void assign() const;
};

} // namespace popscope_test
