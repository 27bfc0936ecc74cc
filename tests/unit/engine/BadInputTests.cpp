#include "tests/HasText.hpp"
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

template <class F> std::string messageOf(F &&action) {
  try {
    action();
  } catch (const poplar_error &e) {
    return e.what();
  }
  return "no exception";
}

} // namespace

TEST_SUITE("engine.bad-input") {

  TEST_CASE("a missing codelet source is named") {
    Graph graph(smallModel().getTarget());
    const std::string text = messageOf([&] { graph.addCodelets("no-such-codelets.cpp"); });
    CHECK(has(text, "no-such-codelets.cpp"));
  }

  TEST_CASE("a malformed codelet source gives the compiler's message with the user's own file and line") {
    {
      std::ofstream source("broken_codelets.cpp");
      source << "#include <poplar/Vertex.hpp>\n\nclass V : public poplar::Vertex {\npublic:\n"
                "  poplar::Output<float> out;\n  bool compute() { *out = nonsense; return true; }\n};\n";
    }
    Graph graph(smallModel().getTarget());
    CHECK_THROWS_AS(graph.addCodelets("broken_codelets.cpp"), graph_program_compilation_error);
    const std::string text = messageOf([&] { graph.addCodelets("broken_codelets.cpp"); });
    CHECK(has(text, "broken_codelets.cpp:6:"));
    CHECK(has(text, "nonsense"));
    std::remove("broken_codelets.cpp");
  }

  TEST_CASE("an unmapped variable is named before anything runs") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    Tensor a = graph.addVariable(FLOAT, {4}, "mapped");
    Tensor b = graph.addVariable(FLOAT, {4}, "layer/unmapped");
    graph.setTileMapping(a, 0);
    CHECK_THROWS_AS(Engine(graph, Copy(a, b)), invalid_tile_mapping);
    CHECK(has(messageOf([&] { Engine(graph, Copy(a, b)); }), "layer/unmapped"));
  }

  TEST_CASE("an unconnected field is named with its vertex type") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    addTestCodelets(graph);
    Tensor a = graph.addVariable(FLOAT, {4}, "a");
    graph.setTileMapping(a, 0);
    const ComputeSet cs = graph.addComputeSet("cs");
    const VertexRef v = graph.addVertex(cs, "Double", {{"out", a}});
    graph.setTileMapping(v, 0);
    const std::string text = messageOf([&] { Engine(graph, Execute(cs)); });
    CHECK(has(text, "Double"));
    CHECK(has(text, "in"));
  }

  TEST_CASE("type and shape mismatches are refused at once") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    addTestCodelets(graph);
    Tensor ints = graph.addVariable(INT, {4}, "ints");
    Tensor floats = graph.addVariable(FLOAT, {4}, "floats");
    const ComputeSet cs = graph.addComputeSet("cs");
    const VertexRef v = graph.addVertex(cs, "Sum");
    CHECK_THROWS_AS(graph.connect(v["in"], ints), type_error);
    CHECK_THROWS_AS(graph.connect(v["out"], floats), poplar_error);
    CHECK_THROWS_AS(Copy(floats, floats.slice(0, 2)), poplar_error);
    CHECK_THROWS_AS(Copy(floats, ints), poplar_error);
  }

  TEST_CASE("a tile out of range, an unknown vertex and an unknown field are named with what is near") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    addTestCodelets(graph);
    Tensor a = graph.addVariable(FLOAT, {4}, "a");
    CHECK_THROWS_AS(graph.setTileMapping(a, 99), invalid_tile_mapping);
    CHECK(has(messageOf([&] { graph.setTileMapping(a, 99); }), "99"));
    const ComputeSet cs = graph.addComputeSet("cs");
    CHECK(has(messageOf([&] { graph.addVertex(cs, "Doubel"); }), "Double"));
    const VertexRef v = graph.addVertex(cs, "Double");
    CHECK(has(messageOf([&] { graph.connect(v["inn"], a); }), "inn"));
  }

  TEST_CASE("an unknown engine option gives the nearest known one") {
    const Device device = smallModel();
    IncrementProgram p(device, 4);
    const std::string text = messageOf([&] { Engine(p.graph, p.step, {{"debug.instrumentComptue", "true"}}); });
    CHECK(has(text, "debug.instrumentComptue"));
    CHECK(has(text, "debug.instrumentCompute"));
    CHECK_THROWS_AS(Engine(p.graph, p.step, {{"debug.instrument", "perhaps"}}), invalid_option);
  }

  TEST_CASE("malformed JSON in the environment is reported with its byte offset") {
    setenv("POPLAR_ENGINE_OPTIONS", "{\"debug.instrument\": tru}", 1);
    const Device device = smallModel();
    IncrementProgram p(device, 4);
    const std::string text = messageOf([&] { Engine(p.graph, p.step); });
    unsetenv("POPLAR_ENGINE_OPTIONS");
    CHECK(has(text, "POPLAR_ENGINE_OPTIONS"));
    CHECK(has(text, "byte"));
  }

  TEST_CASE("a program of another graph is refused") {
    const Device device = smallModel();
    IncrementProgram one(device, 4), two(device, 4);
    CHECK_THROWS_AS(Engine(two.graph, Copy(one.x.slice(0, 2), one.x.slice(2, 4))), control_program_error);
    Graph empty(device.getTarget());
    CHECK(has(messageOf([&] { Engine(empty, one.step); }), "another graph"));
  }

  TEST_CASE("compute sets and functions of another graph are refused, also if this graph has the same number") {
    const Device device = smallModel();
    IncrementProgram one(device, 4), two(device, 4);
    const Function theirs = one.graph.addFunction(one.step), ours = two.graph.addFunction(two.step);
    const ComputeSet set = one.graph.addComputeSet("set"), own = two.graph.addComputeSet("set");
    REQUIRE(theirs.getId() == ours.getId());
    REQUIRE(set.getId() == own.getId());
    CHECK(has(messageOf([&] { Engine(two.graph, Call(theirs)); }), "another graph"));
    CHECK(has(messageOf([&] { Engine(two.graph, Repeat(2, Sequence{two.step, Execute(set)})); }), "another graph"));
    CHECK(has(messageOf([&] { Engine(two.graph, Call(two.graph.addFunction(Call(theirs)))); }), "another graph"));
    CHECK(has(messageOf([&] { two.graph.addVertex(set, "Increment"); }), "another graph"));
    CHECK(has(messageOf([&] { two.graph.addFunctionBuffer(theirs, FunctionBufferMappingType::LOCAL); }),
              "another graph"));
    const Tensor ok = two.graph.addVariable(BOOL, {}, "ok");
    CHECK(has(messageOf([&] { Execute(set, ok); }), "different graphs"));
    CHECK_NOTHROW(Engine(two.graph, Sequence{Call(ours), Execute(own), Execute(ComputeSet(own.getId()))}));
  }

  TEST_CASE("a compute set or function that does not exist is named, with the number of those that do") {
    const Device device = smallModel();
    IncrementProgram p(device, 4); // makes compute set 0
    p.graph.addComputeSet("set");
    p.graph.addFunction(p.step);
    const std::string set = messageOf([&] { Engine(p.graph, Execute(ComputeSet(7), DebugContext("seventh"))); });
    CHECK(has(set, "Execute 'seventh': the graph has no compute set 7; it has 2"));
    CHECK(!has(set, "another graph"));
    const std::string function = messageOf([&] { Engine(p.graph, Repeat(2, Call(Function(3)))); });
    CHECK(has(function, "Call: the graph has no function 3; it has 1"));
    CHECK(!has(function, "another graph"));
    CHECK(has(messageOf([&] { p.graph.addFunctionBuffer(Function(), FunctionBufferMappingType::LOCAL); }),
              "a default-constructed Function"));
  }

  TEST_CASE("handles of a destroyed graph are refused, wherever a later graph lies in memory") {
    const Device device = smallModel();
    ComputeSet set;
    Function f;
    VertexRef vertex;
    FieldRef field;
    Program copy, execute, call;
    {
      IncrementProgram gone(device, 4);
      set = gone.graph.addComputeSet("set");
      f = gone.graph.addFunction(gone.step);
      vertex = gone.graph.addVertex(set, "Increment");
      field = vertex["x"];
      copy = Copy(gone.x.slice(0, 2), gone.x.slice(2, 4));
      execute = Execute(set);
      call = Call(f);
    }
    for (int i = 0; i < 20; ++i) { // the allocator gives some of these graphs the address of the destroyed one
      IncrementProgram p(device, 4);
      const ComputeSet own = p.graph.addComputeSet("set");
      const Function ours = p.graph.addFunction(p.step);
      REQUIRE(own.getId() == set.getId());
      REQUIRE(ours.getId() == f.getId());
      p.graph.addVertex(own, "Increment");
      for (const Program &program : {copy, execute, call})
        CHECK(has(messageOf([&] { Engine(p.graph, program); }), "another graph"));
      CHECK(has(messageOf([&] { p.graph.addVertex(set, "Increment"); }), "another graph"));
      CHECK(has(messageOf([&] { p.graph.setTileMapping(vertex, 0); }), "another graph"));
      CHECK(has(messageOf([&] { p.graph.connect(field, p.x); }), "another graph"));
      CHECK(has(messageOf([&] { p.graph.addFunctionBuffer(f, FunctionBufferMappingType::LOCAL); }), "another graph"));
      const FunctionBuffer buffer = p.graph.addFunctionBuffer(ours, FunctionBufferMappingType::LOCAL);
      CHECK(has(messageOf([&] { Call(f, buffer); }), "different graphs"));
    }
  }

  TEST_CASE("a virtual graph and its parent are one graph for compute sets and functions") {
    const Device device = smallModel();
    IncrementProgram p(device, 4);
    Graph part = p.graph.createVirtualGraph(0, 1);
    const ComputeSet set = part.addComputeSet("set");
    const Function f = part.addFunction(Execute(set));
    CHECK_NOTHROW(Engine(p.graph, Sequence{Call(f), Execute(set), Call(p.graph.addFunction(p.step))}));
    Graph moved = std::move(p.graph);
    CHECK_NOTHROW(Engine(moved, Sequence{Call(f), Execute(set)}));
  }

  TEST_CASE("a stream without a connection, a wrong program index and a run before load are named") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    Tensor x = graph.addVariable(INT, {4}, "x");
    graph.setTileMapping(x, 0);
    auto in = graph.addHostToDeviceFIFO("images", INT, 4);
    Engine engine(graph, Copy(in, x));
    CHECK(has(messageOf([&] { engine.run(); }), "load"));
    engine.load(device);
    CHECK(has(messageOf([&] { engine.run(7); }), "7"));
    CHECK(has(messageOf([&] { engine.run(); }), "images"));
    std::vector<int> three(3);
    CHECK_THROWS_AS(engine.connectStream("images", three.data(), three.data() + 3), stream_connection_error);
    CHECK(has(messageOf([&] { engine.connectStream("image", three.data()); }), "images"));
  }

} // TEST_SUITE
