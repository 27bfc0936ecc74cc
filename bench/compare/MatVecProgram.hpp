// A matrix of floats times a vector. Each row is cut into segments; one vertex for each segment makes a partial sum,
// one for each row adds them. Vertices are spread evenly over the tiles. Cycles of a vertex: 5 for its start and one
// for two elements.
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace compare {

struct MatVecSize {
  unsigned rows = 10000, columns = 1000;
  unsigned split = 5;          // segments of a row, of columns / split elements rounded down or up
  unsigned estimateFactor = 1; // multiplies the cycles of every vertex
};

/// Streams: "vector" and "matrix" to the device, "out" from it.
class MatVecProgram {
public:
  MatVecProgram(const poplar::Target &target, MatVecSize size = {});

  poplar::Graph graph;
  poplar::program::Sequence program;
};

} // namespace compare
