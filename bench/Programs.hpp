// The programs that the benchmarks run. In the main program, Ring, the tiles form a ring. In each iteration of a loop,
// each tile relaxes its own array, with the nearest elements of its two neighbours. All tiles have equally large arrays
// and the same work. In each iteration, the program exchanges elements between the tiles, executes a compute set, and
// copies data within each tile.
#pragma once
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

namespace bench {

/// Makes an ipu1 device with `tiles` tiles. If `withCode` is true, the tiles of the device contain code
/// (IPUModel::compileIPUCode).
poplar::Device makeDevice(unsigned tiles, bool withCode = true);
/// Adds the vertex classes Relax and Bump, which the programs in this file use.
void addCodelets(poplar::Graph &graph);

struct Ring {
  poplar::Device device;
  poplar::Graph graph;
  poplar::program::Sequence program;
  /// Builds the ring with `elements` floats per tile and `iterations` of the loop. If `estimated` is true, each vertex
  /// has a cycle estimate, so that no cycles come from the stand-in.
  Ring(unsigned tiles, unsigned elements, unsigned iterations, bool estimated = false);
};

/// A program with one compute set of `vertices` vertices. Each vertex adds to its own four floats.
struct Many {
  poplar::Device device;
  poplar::Graph graph;
  poplar::program::Sequence program;
  Many(unsigned tiles, unsigned vertices);
};

} // namespace bench
