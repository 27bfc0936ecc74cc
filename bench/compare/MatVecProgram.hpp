// A matrix of floats times a vector. Each row is cut into segments. One vertex per segment computes a partial sum, and
// one vertex per row adds the partial sums. Vertices are spread evenly over the tiles. The estimate of a vertex is 5
// cycles, plus one cycle per two elements.
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace compare {

struct MatVecSize {
  unsigned rows = 10000, columns = 1000;
  unsigned split = 5;          // segments per row; a segment has columns / split elements, rounded down or up
  unsigned estimateFactor = 1; // multiplies the cycles of every vertex
};

/// A program with the streams "vector" and "matrix" to the device, and "out" from the device.
class MatVecProgram {
public:
  MatVecProgram(const poplar::Target &target, MatVecSize size = {});

  poplar::Graph graph;
  poplar::program::Sequence program;
};

} // namespace compare
