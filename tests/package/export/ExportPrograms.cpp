// A program whose names need quoting in every format, on two IPUs, with forward and backward compute sets, a loop and
// labelled runs. POPLAR_ENGINE_OPTIONS sets the profile's folder.
#include "tests/package/TwiceCodelet.hpp"

#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <popscope/profile.hpp>

#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

const std::string kHostile = "a;b,\"c\"\\d\ne\tf<g>&h|i_%#{j}\xff\x01 \xe2\x82\xac";

void addVertex(Graph &graph, ComputeSet set, Tensor in, Tensor out, unsigned tile) {
  VertexRef vertex = graph.addVertex(set, "Twice", {{"in", in}, {"out", out}});
  graph.setTileMapping(vertex, tile);
  graph.setPerfEstimate(vertex, 100 + 10 * tile);
}

} // namespace

int main() {
  IPUModel model;
  model.numIPUs = 2;
  model.tilesPerIPU = 4;
  Device device = model.createDevice();
  Graph graph(device.getTarget());
  std::stringstream source(kTwiceCodelet);
  graph.addCodelets(source);
  Tensor a = graph.addVariable(FLOAT, {64}, kHostile), b = graph.addVariable(FLOAT, {64}, "net/layer1/activations");
  graph.setTileMapping(a, 0);
  graph.setTileMapping(b, 7);
  ComputeSet forward = graph.addComputeSet("net/layer1/Fwd"), odd = graph.addComputeSet(kHostile),
             backward = graph.addComputeSet("net/layer1/Bwd");
  addVertex(graph, forward, a, b, 2);
  addVertex(graph, odd, b, a, 1);
  addVertex(graph, backward, b, a, 6);
  const Sequence step{Execute(forward), Execute(odd), Execute(backward)};
  Engine engine(graph, std::vector<Program>{Repeat(3, step), Execute(odd)},
                {{"autoReport.executionProfileProgramRunCount", "4"}});
  engine.load(device);
  {
    popscope::profile::Scope scope(engine, "epoch \"1\", first");
    engine.run(0, "train");
  }
  engine.run(1, kHostile);
  engine.run(0, "train");
  return 0;
}
