// Profiles for the viewer's tests: a program that does not fit, one whose names are markup, and one of 64 IPUs.
//
// Usage: viewer_programs overfull|hostile|pod; POPLAR_ENGINE_OPTIONS says where the profile goes.
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>

#include <iostream>
#include <sstream>
#include <string>

using namespace poplar;
using namespace poplar::program;

namespace {

const char *const kCodelet = "#include <poplar/Vertex.hpp>\n"
                             "struct Twice : poplar::Vertex {\n"
                             "  poplar::Input<poplar::Vector<float>> in; poplar::Output<poplar::Vector<float>> out;\n"
                             "  bool compute() { for (unsigned i = 0; i < in.size(); ++i) out[i] = 2 * in[i]; return true; }\n"
                             "};\n";

void addVertex(Graph &graph, ComputeSet set, Tensor in, Tensor out, unsigned tile) {
  VertexRef vertex = graph.addVertex(set, "Twice", {{"in", in}, {"out", out}});
  graph.setTileMapping(vertex, tile);
  graph.setPerfEstimate(vertex, 100 + 10 * tile);
}

/// Twice as much on tile 1 as it holds, and a little on the others.
Program overfull(Graph &graph) {
  Tensor big = graph.addVariable(FLOAT, {120000}, "activations"), small = graph.addVariable(FLOAT, {12}, "inputs");
  graph.setTileMapping(big, 1);
  graph.setTileMapping(small, 0);
  ComputeSet set = graph.addComputeSet("expand");
  addVertex(graph, set, small, big.slice(0, 12), 1);
  ComputeSet again = graph.addComputeSet("shrink");
  addVertex(graph, again, big.slice(0, 12), small, 0);
  return Sequence(Execute(set), Execute(again));
}

Program hostile(Graph &graph) {
  const std::string name = "<img src=x onerror=\"window.hostile=1\"></script><script>window.hostile=2</script>\xe2\x80\xae&amp;'\"";
  Tensor a = graph.addVariable(FLOAT, {64}, name), b = graph.addVariable(FLOAT, {64}, "javascript:window.hostile=3");
  graph.setTileMapping(a, 0);
  graph.setTileMapping(b, 3);
  ComputeSet set = graph.addComputeSet(name), back = graph.addComputeSet(std::string(3000, 'x') + name);
  addVertex(graph, set, a, b, 2);
  addVertex(graph, back, b, a, 1);
  return Sequence(Execute(set), Execute(back));
}

Program pod(Graph &graph, unsigned tiles) {
  Tensor a = graph.addVariable(FLOAT, {tiles, 4}, "a"), b = graph.addVariable(FLOAT, {tiles, 4}, "b");
  ComputeSet set = graph.addComputeSet("twice");
  for (unsigned tile = 0; tile < tiles; ++tile) {
    graph.setTileMapping(a[tile], tile);
    graph.setTileMapping(b[tile], (tile + 1) % tiles);
    addVertex(graph, set, a[tile], b[tile], tile);
  }
  return Sequence(Repeat(3, Execute(set)), Copy(b, a));
}

int run(const std::string &which) {
  IPUModel model;
  model.numIPUs = which == "pod" ? 64 : 1;
  if (which != "pod")
    model.tilesPerIPU = 8;
  Device device = model.createDevice();
  Graph graph(device.getTarget());
  std::stringstream source(kCodelet);
  graph.addCodelets(source);
  const Program program = which == "overfull" ? overfull(graph)
                          : which == "pod"    ? pod(graph, device.getTarget().getNumTiles())
                                              : hostile(graph);
  Engine engine(graph, program, {{"debug.allowOutOfMemory", "true"}});
  engine.load(device);
  engine.run();
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  try {
    return argc == 2 ? run(argv[1]) : 2;
  } catch (const std::exception &problem) {
    std::cerr << "viewer_programs: " << problem.what() << "\n";
    return 1;
  }
}
