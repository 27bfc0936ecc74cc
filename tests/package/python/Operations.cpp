// A program with operations like those of an operation library: each in a DebugInfo, some nested, one without programs,
// one that ends after the engine. The tests in python/tests read its debug.cbor and profile.pop.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Program.hpp>
#include <poplar/VertexIntrospector.hpp>

#include <cstdio>
#include <exception>
#include <sstream>

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr const char *kCodelet = R"(
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
)";

/// Returns 2 * in on the tile of `in`; only the compute set names the context.
Tensor doubled(Graph &graph, const Tensor &in, unsigned tile, Sequence &program, const DebugContext &context) {
  DebugInfo info(context, "library");
  info.setValue("api", "doubled");
  const Tensor out = graph.addVariable(FLOAT, in.shape(), {info, "out"});
  graph.setTileMapping(out, tile);
  const ComputeSet cs = graph.addComputeSet({info, "Double"});
  graph.setTileMapping(graph.addVertex(cs, "Double", {{"in", in}, {"out", out}}), tile);
  program.add(Execute(cs));
  return out;
}

/// Adds two operations within one, and a separate copy.
Tensor quadrupled(Graph &graph, const Tensor &in, Sequence &program, const DebugContext &context) {
  DebugInfo info(context, "library");
  const Tensor once = doubled(graph, in, 0, program, {info, "first"});
  const Tensor moved = graph.addVariable(FLOAT, in.shape(), {info, "moved"});
  graph.setTileMapping(moved, 1);
  program.add(Copy(once, moved, false, {info, "move"}));
  return doubled(graph, moved, 1, program, {info, "second"});
}

void run() {
  IPUModel model("ipu2");
  model.tilesPerIPU = 4;
  const Device device = model.createDevice();
  Graph graph(device.getTarget());
  std::stringstream codelet(kCodelet);
  graph.addCodelets(codelet);
  graph.registerPerfEstimator("Double", [](const VertexIntrospector &v, const Target &) {
    const std::uint64_t n = v.getFieldInfo("in").size();
    return VertexPerfEstimate(10 + 3 * n, n);
  });
  const DebugInfo whole(DebugContext("model"), "application");
  const Tensor in = graph.addVariable(FLOAT, {64}, "in");
  graph.setTileMapping(in, 0);
  Sequence program;
  Tensor out = quadrupled(graph, in, program, {whole, "quadruple"});
  { const DebugInfo nothing(DebugContext(whole, "nothing"), "library"); }
  Sequence body({}, DebugContext(whole, "body"));
  out = doubled(graph, out, 1, body, DebugContext(whole, "again"));
  program.add(Repeat(3, body, {whole, "loop"}));
  Engine engine(graph, program);
  engine.load(device);
  engine.run(0, "twice two");
}

} // namespace

int main() {
  try {
    run();
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
