// A vertex that does with scalar edges of half what codelets do with a native half.
#pragma once
#include <poplar/Vertex.hpp>

namespace popscope_test {

struct EdgeVertex : poplar::Vertex {
  poplar::Input<half> in;
  poplar::InOut<half> both;
  poplar::Output<half> out;
  poplar::Input<float> single;
  poplar::InOut<float> sum;

  /// Number of the first comparison that is wrong for in = 1, both = 2, single = 0.5; 0 = none.
  int compare() const;
  void assign() const;
};

} // namespace popscope_test
