// Programs that end in every way in which a program can end. They set profile options only if the second argument says
// so. Usage: configure_programs return|exit|throw|loop|handler|two|status|scope [OPTION=VALUE]
#include "tests/package/TwiceCodelet.hpp"

#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <popscope/profile.hpp>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

using namespace poplar;
using namespace poplar::program;

namespace {

volatile std::sig_atomic_t asked = 0;

Program twice(Graph &graph, const Tensor &a) {
  std::stringstream source(kTwiceCodelet);
  graph.addCodelets(source);
  const ComputeSet set = graph.addComputeSet("twice");
  const VertexRef v = graph.addVertex(set, "Twice", {{"in", a.slice(0, 32)}, {"out", a.slice(32, 64)}});
  graph.setTileMapping(v, 0);
  graph.setPerfEstimate(v, 120, 32); // one multiplication per element
  return Execute(set);
}

std::unique_ptr<Engine> makeEngine(const Device &device, const OptionFlags &options, bool computes = false) {
  Graph graph(device.getTarget());
  Tensor a = graph.addVariable(FLOAT, {64}, "a"), b = graph.addVariable(FLOAT, {64}, "b");
  graph.setTileMapping(a, 0);
  graph.setTileMapping(b, 1);
  Sequence program{Copy(a, b), Copy(b, a)};
  if (computes)
    program.add(twice(graph, a));
  auto engine = std::make_unique<Engine>(graph, program, options);
  engine->load(device);
  engine->run(0, "copies");
  return engine;
}

} // namespace

int main(int argc, char **argv) {
  const std::string how = argc > 1 ? argv[1] : "return", option = argc > 2 ? argv[2] : "";
  if (how == "handler")
    std::signal(SIGTERM, [](int) { asked = 1; });
  IPUModel model;
  model.tilesPerIPU = 4;
  Device device = model.createDevice();
  OptionFlags options;
  if (!option.empty())
    options.set(option.substr(0, option.find('=')), option.substr(option.find('=') + 1));
  auto engine = makeEngine(device, options, how == "scope");
  std::unique_ptr<Engine> second;
  if (how == "two")
    second = makeEngine(device, options);
  if (how == "scope") {
    const popscope::profile::Scope scope(*engine, "epoch 1");
    engine->run(0, "labelled");
  }
  std::cout << "ready" << std::endl;
  if (how == "exit")
    std::exit(7); // the engine is not destroyed
  if (how == "throw")
    throw std::runtime_error("nobody catches this");
  while (how == "loop" || (how == "handler" && asked == 0))
    engine->run();
  return how == "status" ? 3 : 0;
}
