// A stencil over a grid of blocks, 100 x 100 floats a tile, tiles in two columns of 608. Two compute sets an iteration, from
// `in` to `out` and back; a vertex of 100 cycles on each tile reads its block and the edges and corners of its neighbours.
#include "bench/compare/Row.hpp"

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <pva/pva.hpp>

#include <sstream>
#include <utility>

using namespace poplar;
using namespace poplar::program;

namespace compare {
namespace {

constexpr unsigned kBlock = 100, kAcross = 2, kDown = 608, kTiles = kAcross * kDown, kIterations = 10;

const char *const kCodelets = R"(
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
  unsigned width;
  bool compute() {
    const unsigned w = width, h = block.size() / w;
    float edges = *northWest + *northEast + *southWest + *southEast;
    for (unsigned i = 0; i < w; ++i)
      edges += north[i] + south[i];
    for (unsigned i = 0; i < h; ++i)
      edges += east[i] + west[i];
    for (unsigned i = 0; i < block.size(); ++i)
      out[i] = 0.5f * block[i] + 0.0001f * edges;
    return true;
  }
};
)";

class Halo {
public:
  Device device;
  Graph graph;
  Sequence fill;
  Sequence iterate;
  explicit Halo(Device d) : device(std::move(d)), graph(device.getTarget()) {
    std::stringstream source(kCodelets);
    graph.addCodelets(source);
    const Tensor in = grid("in"), out = grid("out");
    const ComputeSet first = graph.addComputeSet("fill");
    for (unsigned t = 0; t < kTiles; ++t) {
      const VertexRef v = graph.addVertex(first, "Fill", {{"block", block(in, t).flatten()}});
      graph.setInitialValue(v["value"], float(t + 1));
      graph.setTileMapping(v, t);
      graph.setPerfEstimate(v, 100);
    }
    fill.add(Execute(first));
    iterate.add(Repeat(kIterations, Sequence(Execute(step("there", in, out)), Execute(step("back", out, in)))));
  }

private:
  Tensor grid(const char *name) {
    const Tensor t = graph.addVariable(FLOAT, {kDown * kBlock, kAcross * kBlock}, name);
    for (unsigned tile = 0; tile < kTiles; ++tile)
      graph.setTileMapping(block(t, tile), tile);
    return t;
  }
  static Tensor block(const Tensor &t, unsigned tile) {
    const std::size_t row = tile / kAcross * kBlock, column = tile % kAcross * kBlock;
    return t.slice({row, column}, {row + kBlock, column + kBlock});
  }
  Tensor zeros(unsigned tile, std::size_t n) {
    const std::vector<float> values(n, 0.0f);
    const Tensor t = graph.addConstant(FLOAT, {n}, values.data(), "zero");
    graph.setTileMapping(t, tile);
    return t;
  }
  ComputeSet step(const char *name, const Tensor &from, const Tensor &to) {
    const ComputeSet cs = graph.addComputeSet(name);
    for (unsigned tile = 0; tile < kTiles; ++tile) {
      const unsigned down = tile / kAcross, across = tile % kAcross;
      const bool n = down > 0, s = down + 1 < kDown, w = across > 0, e = across + 1 < kAcross;
      constexpr std::size_t last = kBlock - 1;
      const auto at = [&](int dDown, int dAcross) {
        return block(from, static_cast<unsigned>(static_cast<int>(tile) + dDown * static_cast<int>(kAcross) + dAcross));
      };
      const auto corner = [&](bool there, int dDown, int dAcross, std::size_t row, std::size_t column) {
        return there ? at(dDown, dAcross)[row][column] : zeros(tile, 1)[0];
      };
      const VertexRef v = graph.addVertex(
          cs, "Stencil",
          {{"block", block(from, tile).flatten()},
           {"north", n ? at(-1, 0)[last] : zeros(tile, kBlock)},
           {"south", s ? at(1, 0)[0] : zeros(tile, kBlock)},
           {"west", w ? at(0, -1).slice({0, last}, {kBlock, kBlock}).flatten() : zeros(tile, kBlock)},
           {"east", e ? at(0, 1).slice({0, 0}, {kBlock, 1}).flatten() : zeros(tile, kBlock)},
           {"northWest", corner(n && w, -1, -1, last, last)},
           {"northEast", corner(n && e, -1, 1, last, 0)},
           {"southWest", corner(s && w, 1, -1, 0, last)},
           {"southEast", corner(s && e, 1, 1, 0, 0)},
           {"out", block(to, tile).flatten()}});
      graph.setInitialValue(v["width"], kBlock);
      graph.setTileMapping(v, tile);
      graph.setPerfEstimate(v, 100);
    }
    return cs;
  }
};

} // namespace

Comparison compareHalo() {
  IPUModel model("ipu1");
  Halo p(model.createDevice());
  Engine engine(p.graph, {p.fill, p.iterate});
  engine.load(p.device);
  engine.disableExecutionProfiling();
  engine.run(0);
  engine.enableExecutionProfiling();
  engine.run(1);
  const pva::CycleTotals t = engine.getReport().execution().totalCycles();
  const auto mean = [](std::uint64_t sum) { return static_cast<double>(sum) / kTiles; };

  Comparison c;
  c.title = "Halo stencil";
  c.program = "100 x 100 floats a tile, 2 x 608 tiles, 10 iterations of 2 compute sets, tile averages";
  c.source = "lbm-graphcore, halo exchange approaches, \"implicit\", about SDK 1.3, IPU Model of ipu1";
  const auto row = [&](const char *quantity, double published, double ours) { c.rows.push_back({quantity, published, ours, false, ""}); };
  row("compute, idle threads included", 12000.0, mean(t.compute()));
  row("compute, idle threads excluded", 2000.0, mean(t.computeWithoutIdle()));
  row("IPU exchange", 5682.0, mean(t.exchange()));
  row("sync", 3328.0, mean(t.sync()));
  row("host exchange", 0.0, mean(t.hostExchange()));
  row("total", 21010, static_cast<double>(t.total()));
  return c;
}

} // namespace compare
