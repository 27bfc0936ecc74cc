// popscope.values=skipped: the profile of a run that computes no values.
#include "tests/unit/engine/Programs.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <pva/pva.hpp>

#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

const char *const kCodelet = R"(
#include <poplar/Vertex.hpp>
struct Twice : poplar::Vertex {
  poplar::InOut<poplar::Vector<float>> x;
  bool compute() {
    for (unsigned i = 0; i < x.size(); ++i)
      x[i] *= 2;
    return true;
  }
};
)";

struct Loop {
  Device device;
  Graph graph{device.getTarget()};
  Tensor x;
  ComputeSet cs;
  Sequence program;

  explicit Loop(bool estimated, Device on = smallModel())
      : device(std::move(on)), x(graph.addVariable(FLOAT, {4, 8}, "x")), cs(graph.addComputeSet("twice")) {
    std::stringstream source(kCodelet);
    graph.addCodelets(source);
    for (unsigned i = 0; i < 4; ++i) {
      graph.setTileMapping(x[i], i);
      const VertexRef v = graph.addVertex(cs, "Twice", {{"x", x[i]}});
      graph.setTileMapping(v, i);
      if (estimated)
        graph.setPerfEstimate(v, 70 + i);
    }
    const DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 32);
    program.add(Copy(in, x));
    program.add(Repeat(3, Sequence(Execute(cs), Copy(x[0], x[3]))));
    graph.createHostRead("x", x);
    graph.createHostWrite("x", x);
  }
};

std::vector<std::uint64_t> stepCycles(Engine &engine) {
  std::vector<std::uint64_t> cycles;
  const pva::Report report = engine.getReport();
  for (const auto &step : report.execution().steps())
    for (const auto &ipu : step.ipus())
      cycles.push_back(ipu.cycles());
  cycles.push_back(report.execution().totalCycles().total());
  return cycles;
}

} // namespace

TEST_SUITE("engine.skippedValues") {
  TEST_CASE("the profile is that of a run with values, and memory holds what it held") {
    std::vector<float> data(32, 1.0f), back(32);
    Loop l(true);
    Engine computed(l.graph, l.program);
    computed.connectStream("in", data.data());
    computed.loadAndRun(l.device);
    computed.readTensor("x", back.data(), back.data() + back.size());
    CHECK(back[0] == 8.0f);

    // the stream has no buffer, and none is needed
    Engine skipped(l.graph, l.program, {{"popscope.values", "skipped"}});
    skipped.load(l.device);
    skipped.writeTensor("x", data.data(), data.data() + data.size());
    skipped.run();
    skipped.readTensor("x", back.data(), back.data() + back.size());
    CHECK(back == data);
    CHECK(stepCycles(skipped) == stepCycles(computed));
    CHECK(stepCycles(skipped).size() > 10);
    CHECK(stepCycles(skipped).back() > 0);
  }

  TEST_CASE("an IPU takes estimates where values are skipped, with the same steps and counters") {
    OptionFlags options{{"debug.instrument", "true"},
                        {"debug.instrumentControlFlow", "true"},
                        {"debug.computeInstrumentationLevel", "vertex"}};
    std::vector<float> data(32, 1.0f);
    Loop l(true, simulatedIpu(4));
    Engine computed(l.graph, l.program, options);
    computed.connectStream("in", data.data());
    computed.loadAndRun(l.device);
    options.set("popscope.values", "skipped");
    Engine skipped(l.graph, l.program, options);
    skipped.loadAndRun(l.device);
    CHECK(stepCycles(skipped).size() == stepCycles(computed).size());
    const auto longest = [](Engine &engine) { // cycles of the longest vertex
      std::uint64_t cycles = 0;
      for (const pva::VertexExecution &v : engine.getReport().execution().vertices())
        cycles = std::max(cycles, v.type.name() == "Twice" ? v.cycles : 0);
      return cycles;
    };
    CHECK(longest(skipped) == 73);
    CHECK(longest(computed) != 73); // the cycles of its code
    CHECK(skipped.getReport().execution().totalCycles().counterReads() > 0);
    CHECK(skipped.getReport().execution().totalCycles().counterReads() ==
          computed.getReport().execution().totalCycles().counterReads());
  }

  TEST_CASE("what follows from values is refused by name, and the engine goes on") {
    Loop l(false);
    const Tensor flag = l.graph.addVariable(BOOL, {}, "flag");
    l.graph.setTileMapping(flag, 0);
    Engine engine(l.graph, {l.program, If(flag, Sequence(), Sequence())}, {{"popscope.values", "skipped"}});
    engine.load(l.device);
    const auto message = [&](unsigned program) {
      try {
        engine.run(program);
      } catch (const poplar_error &e) {
        return std::string(e.what());
      }
      return std::string();
    };
    CHECK(message(0).find("vertices of type Twice") != std::string::npos);
    CHECK(message(0).find("Graph::setPerfEstimate") != std::string::npos);
    CHECK(message(1).find("If") != std::string::npos);
  }
}
