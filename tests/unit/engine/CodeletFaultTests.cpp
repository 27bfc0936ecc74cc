// Messages name a codelet's fault: vertex, type, tile and, for a wrong write, the field.
#include "tests/HasText.hpp"
#include "tests/unit/engine/Programs.hpp"

#include <csignal>
#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

/// Runs a vertex of type Wrong on tile 2 whose compute() is `body`, with in (4 elements, all 2) and out (4 elements,
/// all 9) next to another variable. Holds the exception's message, or "" and the values of out.
struct Outcome {
  std::string error;
  std::vector<int> out;
};
Outcome run(const std::string &body, const OptionFlags &options = {}, const std::string &fields = "",
            bool inPlace = false) {
  const Device device = smallModel();
  Graph graph(device.getTarget());
  std::stringstream source;
  source << "#include <poplar/Vertex.hpp>\nusing namespace poplar;\nclass Wrong : public Vertex { public:\n"
         << (fields.empty() ? "Input<Vector<int>> in; InOut<Vector<int>> out;\n" : fields) << "bool compute() { "
         << body << " return true; } };\n";
  graph.addCodelets(source);
  const Tensor all = graph.addVariable(INT, {12}, "all");
  graph.setTileMapping(all, 2);
  graph.setInitialValue<int>(all, std::vector<int>{2, 2, 2, 2, 9, 9, 9, 9, 5, 5, 5, 5});
  const Tensor out = inPlace ? all.slice(0, 4) : all.slice(4, 8);
  const ComputeSet set = graph.addComputeSet("set");
  const VertexRef vertex = graph.addVertex(set, "Wrong", {{"in", all.slice(0, 4)}, {"out", out}});
  graph.setTileMapping(vertex, 2);
  graph.createHostRead("out", all.slice(4, 8));
  graph.createHostRead("first", all.slice(0, 4));
  Engine engine(graph, Execute(set), options);
  engine.load(device);
  Outcome outcome;
  try {
    engine.run();
    outcome.out.resize(4);
    engine.readTensor(inPlace ? "first" : "out", outcome.out.data(), outcome.out.data() + 4);
  } catch (const application_runtime_error &e) {
    outcome.error = e.what();
  }
  return outcome;
}

const OptionFlags kChecked = {{"debug.runtimeVerify", "true"}};

} // namespace

TEST_SUITE("engine.codeletFaults") {

  TEST_CASE("an exception of a codelet names the vertex") {
    CHECK(has(run("throw 1;").error,
              "of type 'Wrong' in compute set 'set' on tile 2 has thrown an exception that is no std::exception"));
    CHECK(has(run("struct Mine {}; throw Mine();").error,
              "The codelet of vertex 0 of type 'Wrong' in compute set 'set' on tile 2"));
  }

  TEST_CASE("a division of an integer by zero names the vertex, and the process goes on") {
    (void)run(""); // the parser of codelets sets a handler, too
    struct sigaction before {};
    REQUIRE(::sigaction(SIGFPE, nullptr, &before) == 0);
    const std::string body = "int zero = in[0] - 2; out[0] = 5 / zero;";
    for (int i = 0; i != 3; ++i)
      CHECK(
          has(run(body).error,
              "The codelet of vertex 0 of type 'Wrong' in compute set 'set' on tile 2 has divided an integer by zero"));
    CHECK(has(run(body, {{"debug.floatPointOpException", "true"}}).error, "has divided an integer by zero"));
    CHECK(run("out[0] = 5 / in[0];").out == std::vector<int>{2, 9, 9, 9});
    struct sigaction after {};
    REQUIRE(::sigaction(SIGFPE, nullptr, &after) == 0);
    CHECK((after.sa_handler == before.sa_handler)); // no engine exists, so the program has its own handler again
  }

  TEST_CASE("a codelet that does not end has a limit, which the message names") {
    const std::string error = run("volatile int on = 1; while (on) {}", {{"popscope.vertexSeconds", "1"}}).error;
    CHECK(has(error, "The codelet of vertex 0 of type 'Wrong' in compute set 'set' on tile 2 has not ended within 1 s "
                     "of processor time "
                     "(engine option popscope.vertexSeconds; 0 = no limit)."));
  }

  TEST_CASE("a vertex that writes outside of its operands is found where that is asked for") {
    CHECK(run("for (int i = 0; i < 8; ++i) out[i] = 7;").error.empty()); // without the option nothing is checked
    const std::string behind = run("for (int i = 0; i < 100; ++i) out[i] = 7;", kChecked).error;
    CHECK(has(behind, "The codelet of vertex 0 of type 'Wrong' in compute set 'set' on tile 2 writes up to 384 bytes "
                      "behind field 'out' (4 elements)."));
    CHECK(has(run("out[4] = 7;", kChecked).error, "writes up to 4 bytes behind field 'out' (4 elements)"));
    CHECK(has(run("out[-1] = 7;", kChecked).error, "writes up to 4 bytes before field 'out' (4 elements)"));
    CHECK(has(run("out[1000] = 7;", kChecked).error, "behind field 'out'"));
    CHECK(has(run("const_cast<int &>(in[1]) = 7;", kChecked).error, "writes to its input 'in'"));
    CHECK(has(run("const_cast<int &>(in[-3]) = 7;", kChecked).error, "writes up to 12 bytes before field 'in'"));
    CHECK(run("for (int i = 0; i < 4; ++i) out[i] = in[i] + i;", kChecked).out == std::vector<int>{2, 3, 4, 5});
    CHECK(run("out[2] = 1;", kChecked).out == std::vector<int>{9, 9, 1, 9});
  }

  TEST_CASE("operands that share elements do so where stray writes are looked for") {
    // Each element is read after the previous one was written.
    const std::string body = "for (int i = 1; i < 4; ++i) out[i] = in[i - 1] + 1;";
    const std::vector<int> plain = run(body, {}, "", true).out;
    CHECK(plain.size() == 4);
    CHECK(run(body, kChecked, "", true).out == plain);
    CHECK(has(run("out[4] = 7;", kChecked, "", true).error, "behind field"));
  }

  TEST_CASE("stray writes from a vector of state and from a vector without elements are found; state is kept") {
    const auto run = [](const char *body, const OptionFlags &options) {
      const Device device = smallModel();
      Graph graph(device.getTarget());
      std::stringstream source;
      source << "#include <poplar/Vertex.hpp>\nusing namespace poplar;\nclass Counts : public Vertex { public:\n"
                "Vector<int> k; Output<Vector<int>> empty, out; bool compute() { "
             << body << " return true; } };\n";
      graph.addCodelets(source);
      const Tensor all = graph.addVariable(INT, {2}, "all");
      graph.setTileMapping(all, 1);
      const ComputeSet set = graph.addComputeSet("set");
      const VertexRef vertex = graph.addVertex(set, "Counts", {{"empty", all.slice(0, 0)}, {"out", all}});
      graph.setInitialValue(vertex["k"], std::vector<int>{1, 2});
      graph.setTileMapping(vertex, 1);
      graph.createHostRead("all", all);
      Engine engine(graph, Repeat(3, Execute(set)), options);
      engine.load(device);
      std::string error;
      try {
        engine.run();
      } catch (const application_runtime_error &e) {
        error = e.what();
      }
      std::vector<int> values(2);
      if (error.empty())
        engine.readTensor("all", values.data(), values.data() + 2);
      return std::pair(error, values);
    };
    const char *const counts = "k[0] += 10; out[0] = k[0]; out[1] = k[1];";
    CHECK(run(counts, kChecked) == run(counts, {}));
    CHECK(run(counts, kChecked).second == std::vector<int>{31, 2});
    CHECK(has(run("k[2] = 7;", kChecked).first, "writes up to 4 bytes behind field 'k' (2 elements)"));
    CHECK(has(run("k[-1] = 7;", kChecked).first, "writes up to 4 bytes before field 'k' (2 elements)"));
    CHECK(has(run("empty[0] = 7;", kChecked).first, "writes up to 4 bytes behind field 'empty' (0 elements)"));
  }

  TEST_CASE("a stray write from an operand of a vector of vectors names which") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    std::stringstream source;
    source
        << "#include <poplar/Vertex.hpp>\nusing namespace poplar;\nclass Many : public MultiVertex { public:\n"
           "Vector<Output<Vector<int>>> out; bool compute(unsigned w) { if (w == 3) out[1][3] = 1; return true; } };\n";
    graph.addCodelets(source);
    const Tensor all = graph.addVariable(INT, {3, 3}, "all");
    graph.setTileMapping(all, 1);
    const ComputeSet set = graph.addComputeSet("set");
    graph.setTileMapping(graph.addVertex(set, "Many", {{"out", all}}), 1);
    Engine engine(graph, Execute(set), kChecked);
    engine.load(device);
    CHECK_THROWS_WITH_AS(
        engine.run(),
        doctest::Contains(
            "of type 'Many' in compute set 'set' on tile 1 writes up to 4 bytes behind field 'out[1]' (3 elements)"),
        application_runtime_error);
  }

  TEST_CASE("a field of long takes LONG, and one of long long, too") {
    for (const char *type : {"long", "long long"}) {
      const Device device = smallModel();
      Graph graph(device.getTarget());
      std::stringstream source;
      source << "#include <poplar/Vertex.hpp>\nclass Same : public poplar::Vertex { public: poplar::Input<" << type
             << "> in; poplar::Output<unsigned " << type
             << "> out; bool compute() { *out = *in + 1; return true; } };\n";
      graph.addCodelets(source);
      const Tensor in = graph.addVariable(equivalent_device_type<long>().value, {}),
                   out = graph.addVariable(equivalent_device_type<unsigned long>().value, {});
      graph.setTileMapping(in, 0);
      graph.setTileMapping(out, 0);
      graph.setInitialValue(in, 41L << 40);
      const ComputeSet set = graph.addComputeSet("set");
      graph.setTileMapping(graph.addVertex(set, "Same", {{"in", in}, {"out", out}}), 0);
      graph.createHostRead("out", out);
      Engine engine(graph, Execute(set));
      engine.load(device);
      engine.run();
      unsigned long value = 0;
      engine.readTensor("out", &value, &value + 1);
      CHECK(value == (41UL << 40) + 1);
    }
  }
}
