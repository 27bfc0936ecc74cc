#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

// x (1 float on tile 0) with programs that add to it.
struct Fixture {
  Device device;
  Graph graph;
  Tensor x;
  explicit Fixture(unsigned ipus = 1) : device(smallModel(4, ipus)), graph(device.getTarget()) {
    addTestCodelets(graph);
    x = graph.addVariable(FLOAT, {1}, "x");
    graph.setTileMapping(x, 0);
    graph.setInitialValue(x, ArrayRef<float>(std::vector<float>{0.0f}));
    graph.createHostRead("x", x);
  }
  Program add(float by) {
    const ComputeSet cs = graph.addComputeSet("add");
    const VertexRef v = graph.addVertex(cs, "Increment", {{"x", x}});
    graph.setInitialValue(v["by"], by);
    graph.setTileMapping(v, 0);
    return Execute(cs);
  }
  float result(const Program &program, unsigned runs = 1) {
    Engine engine(graph, program);
    engine.load(device);
    for (unsigned i = 0; i < runs; ++i)
      engine.run();
    float value = -1;
    engine.readTensor("x", &value, &value + 1);
    return value;
  }
};

} // namespace

TEST_SUITE("engine.control-flow") {

  TEST_CASE("If takes the branch that the device's value says") {
    for (const bool taken : {false, true}) {
      Fixture f;
      Tensor p = f.graph.addConstant<bool>(BOOL, {}, taken);
      f.graph.setTileMapping(p, 2);
      CHECK(f.result(If(p, f.add(1), f.add(10))) == (taken ? 1.0f : 10.0f));
    }
  }

  TEST_CASE("Switch takes the labelled case or the default") {
    for (const int label : {3, 5, 9}) {
      Fixture f;
      Tensor c = f.graph.addConstant<int>(INT, {}, label);
      f.graph.setTileMapping(c, 1);
      Switch s(c, f.add(100));
      s.add(3, f.add(3));
      s.add(5, f.add(5));
      CHECK(f.result(s) == (label == 9 ? 100.0f : float(label)));
    }
  }

  TEST_CASE("RepeatWhileTrue runs until the predicate is false, and not at all when it begins false") {
    for (const float limit : {4.0f, 0.0f}) {
      Fixture f;
      Tensor p = f.graph.addVariable(BOOL, {}, "predicate");
      f.graph.setTileMapping(p, 3);
      const ComputeSet cs = f.graph.addComputeSet("less");
      const VertexRef v = f.graph.addVertex(cs, "Less", {{"a", f.x[0]}, {"out", p}});
      f.graph.setInitialValue(v["limit"], limit);
      f.graph.setTileMapping(v, 1);
      CHECK(f.result(RepeatWhileTrue(Execute(cs), p, f.add(1))) == limit);
    }
  }

  TEST_CASE("a function called twice runs twice, and variables keep their values between runs") {
    Fixture f;
    const Function twice = f.graph.addFunction(f.add(2));
    CHECK(f.result(Sequence(Call(twice), Call(twice), Repeat(0, Call(twice))), 3) == 12.0f);
  }

  TEST_CASE("a copy between two IPUs moves the values") {
    Fixture f(2);
    Tensor y = f.graph.addVariable(FLOAT, {1}, "y");
    f.graph.setTileMapping(y, 6); // tile 2 of the second IPU
    f.graph.createHostRead("y", y);
    const Sequence program(f.add(7), Copy(f.x, y));
    Engine engine(f.graph, program);
    engine.load(f.device);
    engine.run();
    float value = 0;
    engine.readTensor("y", &value, &value + 1);
    CHECK(value == 7.0f);
    CHECK(summaryOf(engine).find("GlobalExchange") != std::string::npos);
  }

  TEST_CASE("a copy onto an overlapping part of the same variable reads before it writes") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    Tensor x = graph.addVariable(INT, {6}, VariableMappingMethod::LINEAR, "x");
    graph.createHostWrite("in", x);
    graph.createHostRead("out", x);
    Engine engine(graph, Copy(x.slice(0, 5), x.slice(1, 6)));
    engine.load(device);
    std::vector<int> data = {1, 2, 3, 4, 5, 6};
    engine.writeTensor("in", data.data(), data.data() + 6);
    engine.run();
    engine.readTensor("out", data.data(), data.data() + 6);
    CHECK(data == std::vector<int>{1, 1, 2, 3, 4, 5});
  }

  TEST_CASE("Abort and AbortOnCondition stop the run with their message") {
    Fixture f;
    CHECK_THROWS_WITH_AS(f.result(Sequence(f.add(1), Abort("stop here"))), doctest::Contains("stop here"),
                         application_runtime_error);
  }

} // TEST_SUITE
