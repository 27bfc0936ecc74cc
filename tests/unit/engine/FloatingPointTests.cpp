// Floating-point exceptions are raised if a program or an option requests them, and only then.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <poplar/CSRFunctions.hpp>

#include <cmath>
#include <limits>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

/// Computes out = a / b on tile 2 of 4.
struct Divide {
  Device device = smallModel();
  Graph graph{device.getTarget()};
  Tensor a, b, out;
  Sequence divide;
  Divide() {
    std::stringstream source(R"(
#include <poplar/Vertex.hpp>
class Divide : public poplar::Vertex {
public:
  poplar::Input<float> a, b;
  poplar::Output<float> out;
  bool compute() {
    *out = *a / *b;
    return true;
  }
};
)");
    graph.addCodelets(source);
    a = graph.addVariable(FLOAT, {}, "a");
    b = graph.addVariable(FLOAT, {}, "b");
    out = graph.addVariable(FLOAT, {}, "out");
    for (const Tensor &t : {a, b, out})
      graph.setTileMapping(t, 1);
    const ComputeSet cs = graph.addComputeSet("cs");
    graph.setTileMapping(graph.addVertex(cs, "Divide", {{"a", a}, {"b", b}, {"out", out}}), 2);
    divide.add(Execute(cs));
    graph.createHostWrite("a", a);
    graph.createHostWrite("b", b);
    graph.createHostRead("out", out);
  }
  float run(const Program &prog, float x, float y, const OptionFlags &options = {}) {
    Engine engine(graph, prog, options);
    engine.load(device);
    engine.writeTensor("a", &x, &x + 1);
    engine.writeTensor("b", &y, &y + 1);
    engine.run();
    float z = 0;
    engine.readTensor("out", &z, &z + 1);
    return z;
  }
};

} // namespace

TEST_SUITE("engine.floatingPoint") {

  TEST_CASE("nothing is raised unless asked for") {
    Divide d;
    CHECK(std::isinf(d.run(d.divide, 1, 0)));
    CHECK(std::isnan(d.run(d.divide, 0, 0)));
    CHECK(std::isinf(d.run(d.divide, 1e38f, 1e-10f)));
  }

  TEST_CASE("a program asks for one kind and gets that one") {
    Divide d;
    const float inf = std::numeric_limits<float>::infinity();
    struct Case {
      FloatingPointBehaviour asked;
      float a, b;
      const char *what;
    };
    const FloatingPointBehaviour inv(true, false, false, false, false), div0(false, true, false, false, false),
        oflo(false, false, true, false, false);
    for (const Case &c : {Case{inv, 0, 0, "invalid operation"}, Case{inv, inf, inf, "invalid operation"},
                          Case{div0, 1, 0, "division by zero"}, Case{oflo, 1e38f, 1e-10f, "overflow"}}) {
      CAPTURE(c.what);
      Sequence prog;
      setFloatingPointBehaviour(d.graph, prog, c.asked);
      prog.add(d.divide);
      CHECK_THROWS_WITH_AS(d.run(prog, c.a, c.b), doctest::Contains(c.what), application_runtime_error);
      CHECK_THROWS_WITH_AS(d.run(prog, c.a, c.b), doctest::Contains("type 'Divide' in compute set 'cs' on tile 2"),
                           application_runtime_error);
      CHECK(d.run(prog, 6, 3) == 2);
    }
    Sequence other;
    setFloatingPointBehaviour(d.graph, other, oflo);
    other.add(d.divide);
    CHECK(std::isinf(d.run(other, 1, 0)));
  }

  TEST_CASE("a virtual graph asks for its own tiles") {
    Divide d;
    for (const bool hasTile : {false, true}) {
      Graph part = hasTile ? d.graph.createVirtualGraph(2, 4) : d.graph.createVirtualGraph(0, 2);
      Sequence prog;
      setFloatingPointBehaviour(part, prog, FloatingPointBehaviour());
      prog.add(d.divide);
      if (hasTile)
        CHECK_THROWS_AS(d.run(prog, 1, 0), application_runtime_error);
      else
        CHECK(std::isinf(d.run(prog, 1, 0)));
    }
  }

  TEST_CASE("the option asks from the start, and a program can end it") {
    Divide d;
    const OptionFlags asked{{"debug.floatPointOpException", "true"}};
    CHECK_THROWS_WITH_AS(d.run(d.divide, 1, 0, asked), doctest::Contains("division by zero"),
                         application_runtime_error);
    Sequence prog;
    setFloatingPointBehaviour(d.graph, prog, FloatingPointBehaviour(false, false, false, false, false));
    prog.add(d.divide);
    CHECK(std::isinf(d.run(prog, 1, 0, asked)));
  }
}
