// poplar_client CODELETS.gp FOLDER: runs a vertex that popc compiled and one that is compiled at run time, checks the
// values, and writes FOLDER/profile.pop.
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>

#include <iostream>
#include <sstream>
#include <vector>

using namespace poplar;
using namespace poplar::program;

static Program onEveryTile(Graph &graph, const char *vertexType, const Tensor &data) {
  ComputeSet set = graph.addComputeSet(vertexType);
  for (unsigned tile = 0; tile < 4; ++tile) {
    VertexRef v = graph.addVertex(set, vertexType, {{"data", data.slice(8 * tile, 8 * tile + 8)}});
    graph.setTileMapping(v, tile);
  }
  return Execute(set);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "usage: poplar_client CODELETS.gp FOLDER\n";
    return 2;
  }
  IPUModel model("ipu1");
  model.tilesPerIPU = 4;
  model.compileIPUCode = true;
  Device device = model.createDevice();
  Graph graph(device.getTarget());
  graph.addCodelets(argv[1]);
  std::stringstream source("#include <poplar/Vertex.hpp>\n"
                           "class Double : public poplar::Vertex {\n"
                           "public:\n"
                           "  poplar::InOut<poplar::Vector<float>> data;\n"
                           "  bool compute() { for (auto &x : data) x *= 2.0f; return true; }\n"
                           "};\n");
  graph.addCodelets(source);

  Tensor data = graph.addVariable(FLOAT, {32}, "data");
  for (unsigned tile = 0; tile < 4; ++tile)
    graph.setTileMapping(data.slice(8 * tile, 8 * tile + 8), tile);
  graph.createHostWrite("in", data);
  graph.createHostRead("out", data);
  {
    Engine engine(graph, Sequence(onEveryTile(graph, "AddOne", data), onEveryTile(graph, "Double", data)),
                  {{"autoReport.all", "true"}, {"autoReport.directory", argv[2]}});
    engine.load(device);
    std::vector<float> values(32);
    for (unsigned i = 0; i < 32; ++i)
      values[i] = float(i);
    engine.writeTensor("in", values.data(), values.data() + values.size());
    engine.run();
    engine.readTensor("out", values.data(), values.data() + values.size());
    for (unsigned i = 0; i < 32; ++i)
      if (values[i] != 2.0f * float(i + 1)) {
        std::cerr << "element " << i << " is " << values[i] << ", not " << 2 * (i + 1) << '\n';
        return 1;
      }
  }
  return 0;
}
