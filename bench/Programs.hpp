// The program that the benchmarks compile and run: a ring of tiles, each with its own array and its neighbours' edges,
// relaxed in a loop. Every tile has the same problem; exchange, compute and copies all take part.
#pragma once
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

namespace bench {

/// ipu1 with so many tiles; `withCode`: what the IPU runs is compiled, too.
poplar::Device makeDevice(unsigned tiles, bool withCode = true);
/// Relax and Bump, the classes of the programs here.
void addCodelets(poplar::Graph &graph);

struct Ring {
  poplar::Device device;
  poplar::Graph graph;
  poplar::program::Sequence program;
  /// `elements` floats a tile; `iterations` of the loop.
  /// `estimated`: vertices say what they cost, so that nothing counts their instructions.
  Ring(unsigned tiles, unsigned elements, unsigned iterations, bool estimated = false);
};

/// One compute set of `vertices` vertices, each adding to its own four floats.
struct Many {
  poplar::Device device;
  poplar::Graph graph;
  poplar::program::Sequence program;
  Many(unsigned tiles, unsigned vertices);
};

} // namespace bench
