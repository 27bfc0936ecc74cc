#include <iostream>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <sstream>
using namespace poplar;

int main() {
  IPUModel model("ipu1");
  model.compileIPUCode = true;
  Device device = model.createDevice();
  Graph graph(device.getTarget());
  std::stringstream codelet("#include <poplar/Vertex.hpp>\n"
                            "struct Square : poplar::Vertex {\n"
                            "  poplar::Input<float> in; poplar::Output<float> out;\n"
                            "  bool compute() { *out = *in * *in; return true; }\n"
                            "};\n");
  graph.addCodelets(codelet);
  Tensor x = graph.addVariable(FLOAT, {1216}, VariableMappingMethod::LINEAR, "x");
  Tensor y = graph.addVariable(FLOAT, {1216}, "y");
  ComputeSet square = graph.addComputeSet("square");
  for (unsigned i = 0; i < 1216; ++i) { // y[i] = x[i] * x[i]: x[i] is on tile i, y[i] is on tile 1215 - i
    graph.setTileMapping(y[i], 1215 - i);
    graph.setTileMapping(graph.addVertex(square, "Square", {{"in", x[i]}, {"out", y[i]}}), 1215 - i);
  }
  graph.createHostWrite("x", x);
  Engine engine(graph, program::Execute(square));
  engine.load(device);
  std::vector<float> values(1216, 3.0f);
  engine.writeTensor("x", values.data(), values.data() + values.size());
  engine.run();
  engine.printProfileSummary(std::cout, {{"showExecutionSteps", "true"}});
}
