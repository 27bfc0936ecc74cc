// Engines that compile and run at the same time, each with its own number of threads. The thread sanitizer runs these,
// too.
#include "tests/TemporaryFolder.hpp"
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <pva/pva.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <string>
#include <thread>
#include <vector>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

/// Compiles and runs a program of some size, and returns what its engine reports.
std::string compiledAndRun(unsigned elements, const OptionFlags &options) {
  const Device device = smallModel(16);
  IncrementProgram p(device, elements);
  Engine engine(p.graph, p.step, options);
  engine.load(device);
  engine.run();
  return summaryOf(engine);
}

OptionFlags onThreads(unsigned compiling, bool oneForRunning) {
  return {{"opt.maxCompilationThreads", std::to_string(compiling)},
          {"debug.cpuMultiThreadExecution", oneForRunning ? "false" : "true"},
          {"debug.verify", "true"},
          {"autoReport.outputLivenessExplanation", "true"}};
}

} // namespace

TEST_SUITE("engine.threads") {

  TEST_CASE("threads may copy rows of a remote buffer at the same time") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    constexpr unsigned kRows = 40000;
    const Tensor x = graph.addVariable(INT, {1}, VariableMappingMethod::LINEAR, "x");
    const RemoteBuffer buffer = graph.addRemoteBuffer("rows", INT, 1, kRows);
    Engine engine(graph, Copy(buffer, x));
    const auto copyRows = [&](unsigned begin) {
      for (unsigned row = begin; row < kRows; row += 2) {
        int value = static_cast<int>(row) + 1;
        engine.copyToRemoteBuffer(&value, buffer, row);
      }
    };
    std::thread odd(copyRows, 1);
    copyRows(0);
    odd.join();
    unsigned right = 0;
    for (unsigned row = 0; row < kRows; ++row) {
      int value = 0;
      engine.copyFromRemoteBuffer(buffer, &value, row);
      right += value == static_cast<int>(row) + 1;
    }
    CHECK(right == kRows);
  }

  TEST_CASE("threads may ask one graph about classes of the runtime, also for the first time") {
    const Device device = smallModel();
    IncrementProgram p(device, 4);
    const VertexRef vertex = p.graph.addVertex(p.graph.addComputeSet("set"), "Increment");
    p.graph.connect(vertex["x"], p.x);
    const Graph &graph = p.graph;
    std::atomic<unsigned> right = 0;
    std::vector<std::thread> callers;
    for (unsigned c = 0; c < 4; ++c)
      callers.emplace_back([&, c] {
        right += graph.hasCodelet("poplar_rt::Transpose1D<half>") && !graph.hasCodelet("poplar_rt::NoSuch") &&
                 graph.hasCodelet("Increment");
        if (c % 2 == 0)
          right += graph.getMaxVertexFieldValue("poplar_rt::Transpose2D<float>", "numSrcRows") == 65535;
        else
          for (unsigned i = 0; i < 1000; ++i) // reads the classes of the graph meanwhile
            right += graph.getMaxFieldDim("Increment", "x", 0) > 0;
        right += graph.getFieldSize(vertex["x"]) == 4;
      });
    for (std::thread &caller : callers)
      caller.join();
    CHECK(right == 4 + 2 + 2 * 1000 + 4);
    CHECK_NOTHROW(p.graph.addVertex(p.graph.addComputeSet("set"), "poplar_rt::Transpose1D<half>"));
  }

  TEST_CASE("a thread may read reports while another runs the engine, also for the first time") {
    const TemporaryFolder folder("threads");
    for (unsigned attempt = 0; attempt < 20; ++attempt) {
      const Device device = smallModel(4);
      IncrementProgram p(device, 40);
      OptionFlags options = {{"popscope.profileRuns", "0-"}};
      if (attempt % 2 == 1) {
        options.set("autoReport.all", "true");
        options.set("autoReport.directory", folder.file(std::to_string(attempt).c_str()));
      }
      Engine engine(p.graph, p.step, options);
      engine.load(device);
      std::atomic<bool> ended = false;
      std::atomic<std::size_t> most = 0;
      std::thread reader([&] {
        while (!ended) {
          const pva::Report report = engine.getReport();
          most = std::max<std::size_t>(most, report.execution().runs().size());
          (void)summaryOf(engine);
        }
      });
      for (unsigned run = 0; run < 20; ++run)
        engine.run();
      ended = true;
      reader.join();
      CHECK(most <= 20);
      CHECK(engine.getReport().execution().runs().size() == 20);
    }
  }

  TEST_CASE("a thread may read reports while another runs the engine without records and resets the profile") {
    const TemporaryFolder folder("threads");
    const Device device = smallModel(4);
    for (const bool onDisk : {false, true}) {
      IncrementProgram p(device, 40);
      OptionFlags options = {{"popscope.profileRuns", "0,3,6"}, {"debug.cpuMultiThreadExecution", "false"}};
      if (onDisk) {
        options.set("autoReport.all", "true");
        options.set("autoReport.directory", folder.file("reset"));
      }
      Engine engine(p.graph, p.step, options);
      engine.load(device);
      std::atomic<bool> ended = false;
      std::thread reader([&] {
        while (!ended)
          CHECK(engine.getReport().execution().runs().size() <= 3);
      });
      for (unsigned run = 0; run < 60; ++run) {
        engine.run();
        if (run % 4 == 3)
          engine.resetExecutionProfile();
      }
      ended = true;
      reader.join();
      CHECK(engine.getReport().execution().runs().empty());
    }
  }

  TEST_CASE("engines that compile at the same time do not disturb each other") {
    constexpr unsigned kElements[] = {64, 200, 1000}, kThreads[] = {1, 2, 5};
    std::vector<std::string> alone;
    for (const unsigned elements : kElements)
      alone.push_back(compiledAndRun(elements, onThreads(1, true)));
    std::atomic<unsigned> different = 0, failed = 0;
    std::vector<std::thread> callers;
    for (unsigned c = 0; c < 3; ++c)
      callers.emplace_back([&, c] {
        try {
          for (unsigned i = 0; i < 4; ++i)
            different += compiledAndRun(kElements[(c + i) % 3], onThreads(kThreads[c], c == 0)) != alone[(c + i) % 3];
        } catch (const std::exception &) {
          ++failed;
        }
      });
    for (std::thread &caller : callers)
      caller.join();
    CHECK(different == 0);
    CHECK(failed == 0);
  }
}
