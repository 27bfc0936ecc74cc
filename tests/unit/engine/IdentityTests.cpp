// The identities of docs/DESIGN.md on programs that are compiled and run, with checkers on.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <pva/pva.hpp>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

std::uint64_t regionSum(const pva::TileMemory &m) {
  return m.nonInterleaved().excludingGaps() + m.interleaved().excludingGaps() + m.overflowed().excludingGaps();
}

} // namespace

TEST_SUITE("engine.identities") {

  TEST_CASE("memory and liveness identities hold on a program with exchange, copies and streams") {
    const Device device = smallModel(16);
    Graph graph(device.getTarget());
    addTestCodelets(graph);
    Tensor a = graph.addVariable(FLOAT, {64}, VariableMappingMethod::LINEAR, "a");
    Tensor b = graph.addVariable(FLOAT, {64}, "b");
    Tensor sums = graph.addVariable(FLOAT, {16}, VariableMappingMethod::LINEAR, "sums");
    graph.setTileMapping(b, 5);
    auto in = graph.addHostToDeviceFIFO("in", FLOAT, 64);
    const ComputeSet cs = graph.addComputeSet("sum");
    for (unsigned t = 0; t < 16; ++t) {
      const VertexRef v = graph.addVertex(cs, "Sum", {{"in", b.slice(4 * t, 4 * t + 4)}, {"out", sums[t]}});
      graph.setTileMapping(v, (t * 7) % 16);
    }
    const Sequence program(Copy(in, a), Copy(a.reverse(0), b), Execute(cs), WriteUndef(a));
    Engine engine(graph, Repeat(2, program), {{"debug.verify", "true"}});
    engine.load(device);
    std::vector<float> data(64, 1.0f);
    engine.connectStream("in", data.data());
    engine.run();
    const pva::Report report = engine.getReport();
    std::uint64_t alwaysLive = 0;
    for (const auto &v : report.compilation().alwaysLiveVariables())
      alwaysLive += v.size();
    std::uint64_t tilesAlways = 0;
    for (const auto &tile : report.compilation().tiles()) {
      CHECK(regionSum(tile.memory()) == tile.memory().total().excludingGaps());
      CHECK(tile.memory().total().includingGaps() >= tile.memory().total().excludingGaps());
      tilesAlways += tile.memory().alwaysLiveBytes();
    }
    CHECK(alwaysLive == tilesAlways);
    for (const auto &step : report.compilation().livenessProgramSteps()) {
      std::uint64_t sum = 0;
      for (const auto &v : step.notAlwaysLiveMemory().variables())
        sum += v.size();
      CHECK(sum == step.notAlwaysLiveMemory().bytes());
    }
  }

  TEST_CASE("text, cycles and values are the same for one thread and for several") {
    std::string texts[2];
    for (int i = 0; i < 2; ++i) {
      const Device device = smallModel(32);
      IncrementProgram p(device, 1000);
      Engine engine(p.graph, Repeat(3, p.step), {{"debug.cpuMultiThreadExecution", i == 0 ? "false" : "true"}});
      engine.load(device);
      engine.run();
      texts[i] = summaryOf(engine);
    }
    CHECK(texts[0] == texts[1]);
  }

} // TEST_SUITE
