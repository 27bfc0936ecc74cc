// Chapters 2 and 3 of the tutorial: mapping and exchange. The program computes, for each element of a vector, the sum
// of the element and its two neighbours.
//
//   blocks (no argument): tile t holds the elements 64 t to 64 t + 63.
//     Only the neighbours of the two ends of a block come from other tiles.
//   rounds (--round-robin): element i lies on tile i mod 8.
//     Both neighbours of nearly every element come from other tiles.
//
// Exit code: 0 if the values are right, 1 if a value is wrong, 2 for a wrong argument.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr unsigned kTiles = 8, kElements = 512;

const char *const kCodelets = R"(
#include <poplar/Vertex.hpp>
class AddNeighbours : public poplar::Vertex {
public:
  poplar::Input<poplar::Vector<float>> left, middle, right;
  poplar::Output<poplar::Vector<float>> out;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = left[i] + middle[i] + right[i];
    return true;
  }
};
)";

} // namespace

int main(int argc, char **argv) {
  const bool roundRobin = argc == 2 && std::string(argv[1]) == "--round-robin";
  if (argc > 1 && !roundRobin) {
    std::cerr << "usage: tutorial_neighbours [--round-robin]\n";
    return 2;
  }
  IPUModel model("ipu2");
  model.tilesPerIPU = kTiles;
  model.compileIPUCode = true;
  const Device device = model.createDevice();
  Graph graph(device.getTarget());
  std::stringstream codelets(kCodelets);
  graph.addCodelets(codelets);

  // x has one more element at each end than y, so that each sum has two neighbours.
  const Tensor x = graph.addVariable(FLOAT, {kElements + 2}, "x");
  const Tensor y = graph.addVariable(FLOAT, {kElements}, "y");
  const auto tileOf = [&](unsigned element) { return roundRobin ? element % kTiles : element * kTiles / kElements; };
  for (unsigned i = 0; i < kElements; ++i) {
    graph.setTileMapping(x[i + 1], tileOf(i));
    graph.setTileMapping(y[i], tileOf(i));
  }
  graph.setTileMapping(x[0], tileOf(0));
  graph.setTileMapping(x[kElements + 1], tileOf(kElements - 1));

  const ComputeSet add = graph.addComputeSet("add neighbours");
  const Tensor left = x.slice(0, kElements), middle = x.slice(1, kElements + 1), right = x.slice(2, kElements + 2);
  for (unsigned tile = 0; tile < kTiles; ++tile) {
    const auto part = [&](const Tensor &t) {
      return roundRobin ? t.slice(tile, kElements).subSample(kTiles, 0)
                        : t.slice(tile * kElements / kTiles, (tile + 1) * kElements / kTiles);
    };
    const VertexRef vertex =
        graph.addVertex(add, "AddNeighbours",
                        {{"left", part(left)}, {"middle", part(middle)}, {"right", part(right)}, {"out", part(y)}});
    graph.setTileMapping(vertex, tile);
  }

  graph.createHostWrite("x", x);
  graph.createHostRead("y", y);
  Engine engine(graph, Execute(add));
  engine.load(device);
  std::vector<float> in(kElements + 2), out(kElements);
  for (unsigned i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>(i);
  engine.writeTensor("x", in.data(), in.data() + in.size());
  engine.run();
  engine.readTensor("y", out.data(), out.data() + out.size());
  for (unsigned i = 0; i < kElements; ++i)
    if (out[i] != 3 * in[i + 1]) {
      std::cerr << "neighbours: element " << i << " is " << out[i] << ", " << 3 * in[i + 1] << " was expected\n";
      return 1;
    }
  engine.printProfileSummary(std::cout, {{"showExecutionSteps", "true"}});
  return 0;
}
