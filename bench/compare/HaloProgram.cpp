#include "bench/compare/HaloProgram.hpp"

#include <sstream>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace compare {
namespace {

const char *const kHaloCodelets = R"(
#include <poplar/Vertex.hpp>
struct Fill : poplar::Vertex {
  poplar::Output<poplar::Vector<float>> block;
  float value;
  bool compute() {
    for (unsigned i = 0; i < block.size(); ++i)
      block[i] = value;
    return true;
  }
};
struct Stencil : poplar::Vertex {
  poplar::Input<poplar::Vector<float>> block, north, south, east, west;
  poplar::Input<float> northWest, northEast, southWest, southEast;
  poplar::Output<poplar::Vector<float>> out;
  bool compute() {
    float edges = *northWest + *northEast + *southWest + *southEast;
    for (unsigned i = 0; i < north.size(); ++i)
      edges += north[i];
    for (unsigned i = 0; i < south.size(); ++i)
      edges += south[i];
    for (unsigned i = 0; i < east.size(); ++i)
      edges += east[i];
    for (unsigned i = 0; i < west.size(); ++i)
      edges += west[i];
    for (unsigned i = 0; i < block.size(); ++i)
      out[i] = 0.5f * block[i] + 0.0001f * edges;
    return true;
  }
};
)";

} // namespace

HaloProgram::HaloProgram(const Target &target, HaloSize size) : graph(target), size_(size) {
  std::stringstream source(kHaloCodelets);
  graph.addCodelets(source);
  const Tensor in = grid("in"), out = grid("out");
  const ComputeSet first = graph.addComputeSet("fill");
  for (unsigned t = 0; t < size_.tiles(); ++t) {
    const VertexRef v = graph.addVertex(first, "Fill", {{"block", block(in, t).flatten()}});
    graph.setInitialValue(v["value"], float(t + 1));
    graph.setTileMapping(v, t);
    graph.setPerfEstimate(v, 100 * size_.estimateFactor);
  }
  fill.add(Execute(first));
  iterate.add(Repeat(size_.iterations, Sequence(Execute(step("there", in, out)), Execute(step("back", out, in)))));
}

Tensor HaloProgram::grid(const char *name) {
  const Tensor t =
      graph.addVariable(FLOAT, {std::size_t(size_.down) * size_.block, std::size_t(size_.across) * size_.block}, name);
  for (unsigned tile = 0; tile < size_.tiles(); ++tile)
    graph.setTileMapping(block(t, tile), tile);
  return t;
}

Tensor HaloProgram::block(const Tensor &t, unsigned tile) const {
  const std::size_t side = size_.block, row = tile / size_.across * side, column = tile % size_.across * side;
  return t.slice({row, column}, {row + side, column + side});
}

Tensor HaloProgram::zeros(unsigned tile, std::size_t n) {
  const std::vector<float> values(n, 0.0f);
  const Tensor t = graph.addConstant(FLOAT, {n}, values.data(), "zero");
  graph.setTileMapping(t, tile);
  return t;
}

ComputeSet HaloProgram::step(const char *name, const Tensor &from, const Tensor &to) {
  const ComputeSet cs = graph.addComputeSet(name);
  for (unsigned tile = 0; tile < size_.tiles(); ++tile) {
    const unsigned down = tile / size_.across, across = tile % size_.across;
    const bool n = down > 0, s = down + 1 < size_.down, w = across > 0, e = across + 1 < size_.across;
    const std::size_t side = size_.block, last = side - 1;
    const auto at = [&](int dDown, int dAcross) {
      return block(from,
                   static_cast<unsigned>(static_cast<int>(tile) + dDown * static_cast<int>(size_.across) + dAcross));
    };
    const auto corner = [&](bool there, int dDown, int dAcross, std::size_t row, std::size_t column) {
      return there ? at(dDown, dAcross)[row][column] : zeros(tile, 1)[0];
    };
    const VertexRef v =
        graph.addVertex(cs, "Stencil",
                        {{"block", block(from, tile).flatten()},
                         {"north", n ? at(-1, 0)[last].slice(1, side) : zeros(tile, side)},
                         {"south", s ? at(1, 0)[0].slice(last, side) : zeros(tile, side)},
                         {"west", w ? at(0, -1).slice({1, last}, {side, side}).flatten() : zeros(tile, side)},
                         {"east", e ? at(0, 1).slice({1, 0}, {side, 1}).flatten() : zeros(tile, side)},
                         {"northWest", corner(n && w, -1, -1, last, last)},
                         {"northEast", corner(n && e, -1, 1, last, 0)},
                         {"southWest", corner(s && w, 1, -1, 0, last)},
                         {"southEast", corner(s && e, 1, 1, 0, 0)},
                         {"out", block(to, tile).flatten()}});
    graph.setTileMapping(v, tile);
    graph.setPerfEstimate(v, 100 * size_.estimateFactor);
  }
  return cs;
}

} // namespace compare
