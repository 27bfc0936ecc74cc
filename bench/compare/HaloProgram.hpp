// A stencil over a grid of blocks of floats, one block a tile, tiles in `across` columns of `down`. Two compute sets an
// iteration, from `in` to `out` and back; a vertex of 100 cycles on each tile reads its block and what the published
// program gives it of its neighbours' edges: 99 words of the northern, western and eastern one (without the first), one
// of the southern (its last), and the four corners. In the middle that is 201 words on two columns of tiles.
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
  /// The target needs size.tiles() tiles.
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
