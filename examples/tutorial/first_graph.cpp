// Chapter 1 of the tutorial: a first graph. Each of four tiles doubles a part of a vector.
//
// Exit code: 0 if the values are right, 1 if a value is wrong.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

#include <iostream>
#include <sstream>
#include <vector>

using namespace poplar;
using namespace poplar::program;

int main() {
  // The machine: a model of one IPU with four tiles.
  IPUModel model("ipu2");
  model.tilesPerIPU = 4;
  model.compileIPUCode = true;
  const Device device = model.createDevice();

  // The code that a vertex runs.
  Graph graph(device.getTarget());
  std::stringstream codelets(R"(
    #include <poplar/Vertex.hpp>
    class Double : public poplar::Vertex {
    public:
      poplar::Input<poplar::Vector<float>> in;
      poplar::Output<poplar::Vector<float>> out;
      bool compute() {
        for (unsigned i = 0; i < in.size(); ++i)
          out[i] = 2 * in[i];
        return true;
      }
    };
  )");
  graph.addCodelets(codelets);

  // The data: two variables of 16 floats, four floats on each tile.
  const Tensor x = graph.addVariable(FLOAT, {16}, "x");
  const Tensor y = graph.addVariable(FLOAT, {16}, "y");
  const ComputeSet doubles = graph.addComputeSet("double");
  for (unsigned tile = 0; tile < 4; ++tile) {
    const Interval part(4 * tile, 4 * tile + 4);
    graph.setTileMapping(x.slice(part), tile);
    graph.setTileMapping(y.slice(part), tile);
    const VertexRef vertex = graph.addVertex(doubles, "Double", {{"in", x.slice(part)}, {"out", y.slice(part)}});
    graph.setTileMapping(vertex, tile);
  }

  // The tensors that the host may write and read, and the engine with the program.
  graph.createHostWrite("x", x);
  graph.createHostRead("y", y);
  Engine engine(graph, Execute(doubles));
  engine.load(device);

  std::vector<float> in(16), out(16);
  for (unsigned i = 0; i < 16; ++i)
    in[i] = static_cast<float>(i);
  engine.writeTensor("x", in.data(), in.data() + in.size());
  engine.run();
  engine.readTensor("y", out.data(), out.data() + out.size());

  bool right = true;
  for (unsigned i = 0; i < 16; ++i) {
    std::cout << out[i] << (i < 15 ? " " : "\n");
    right = right && out[i] == 2 * in[i];
  }
  return right ? 0 : 1;
}
