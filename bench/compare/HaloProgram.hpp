// A stencil over a grid of blocks of floats, one block per tile, in `across` columns of `down` tiles. An iteration has
// two compute sets: the first reads `in` and writes `out`, and the second does the reverse. On each tile, a vertex of
// 100 cycles reads the tile's block, and the parts of the neighbours' edges that the published program reads. These
// parts are 99 words of each of the northern, western and eastern edges (all but the first word), the last word of the
// southern edge, and the four corners. With two columns, a tile away from the grid's first and last row reads 201
// words.
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace compare {

struct HaloSize {
  unsigned block = 100; // floats along each side
  unsigned across = 2, down = 608;
  unsigned iterations = 10;
  unsigned estimateFactor = 1; // multiplies the cycles of every vertex
  unsigned tiles() const { return across * down; }
};

class HaloProgram {
public:
  /// Builds the program. The target needs size.tiles() tiles.
  HaloProgram(const poplar::Target &target, HaloSize size = {});

  poplar::Graph graph;
  poplar::program::Sequence fill, iterate; // the engine's programs, in this order

private:
  poplar::Tensor grid(const char *name);
  poplar::Tensor block(const poplar::Tensor &t, unsigned tile) const;
  poplar::Tensor zeros(unsigned tile, std::size_t n);
  poplar::ComputeSet step(const char *name, const poplar::Tensor &from, const poplar::Tensor &to);

  HaloSize size_;
};

} // namespace compare
