// A user's program whose profile grows: it rotates 64 numbers by copies alone, and prints the first number and the
// number of runs in its report. Arguments: the report's folder, runs, turns per run, further engine options as
// key=value.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

#include <pva/pva.hpp>

#include <cstdlib>
#include <iostream>
#include <vector>

using namespace poplar;
using namespace poplar::program;

int main(int argc, char **argv) {
  IPUModel model;
  model.numIPUs = 1;
  model.tilesPerIPU = 4;
  const Device device = model.createDevice();
  Graph graph(device.getTarget());
  const Tensor a = graph.addVariable(INT, {64}, VariableMappingMethod::LINEAR, "a");
  const Tensor b = graph.addVariable(INT, {64}, VariableMappingMethod::LINEAR, "b");
  graph.createHostWrite("a", a);
  graph.createHostRead("a", a);
  // A rotation by one place: each turn moves the last number to the front.
  const Copy forth(concat(a.slice(63, 64), a.slice(0, 63)), b, false, "turn");
  const Copy back(b, a, false, "back");
  OptionFlags options = {{"autoReport.directory", argv[1]}, {"autoReport.executionProfileProgramRunCount", "1000"}};
  options.set("autoReport.outputExecutionProfile", "true");
  options.set("autoReport.outputGraphProfile", "true");
  for (int i = 4; i < argc; ++i) {
    const std::string word = argv[i];
    options.set(word.substr(0, word.find('=')), word.substr(word.find('=') + 1));
  }
  std::vector<int> numbers(64);
  for (int i = 0; i < 64; ++i)
    numbers[std::size_t(i)] = i;
  {
    DebugInfo info("whole", "test");
    Engine engine(graph, Repeat(unsigned(std::atoi(argv[3])), Sequence({forth, back}), "loop"), options);
    engine.load(device);
    engine.writeTensor("a", numbers.data(), numbers.data() + 64);
    for (int run = 0; run < std::atoi(argv[2]); ++run)
      engine.run(0, "run " + std::to_string(run));
    engine.readTensor("a", numbers.data(), numbers.data() + 64);
    std::cout << numbers[0] << " " << engine.getReport().execution().runs().size() << std::endl;
  }
  return 0;
}
