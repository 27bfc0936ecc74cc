// Memory of an IPU Model without code, the stack under different rules, and the CPU, which has one tile and one kind of
// memory.
#include "tests/MachineRules.hpp"
#include "tests/TemporaryFolder.hpp"
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <poplar/IPUModel.hpp>
#include <pva/pva.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <unistd.h>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

/// Collects what is written to std::cerr while the object exists.
class Stderr {
public:
  Stderr() : old_(std::cerr.rdbuf(text_.rdbuf())) {}
  ~Stderr() { std::cerr.rdbuf(old_); }
  std::string text() const { return text_.str(); }

private:
  std::ostringstream text_;
  std::streambuf *old_;
};

ProfileValue memoryOf(const Device &device, const OptionFlags &options = {}) {
  IncrementProgram p(device, 64);
  Engine engine(p.graph, p.step, options);
  return engine.getGraphProfile()["memory"];
}
std::vector<std::uint64_t> numbers(const ProfileValue &list) {
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < list.size(); ++i)
    values.push_back(list[i].asUint64());
  return values;
}
Device modelOf(const char *version, bool code) {
  IPUModel model(version);
  model.tilesPerIPU = 4;
  model.compileIPUCode = code;
  return model.createDevice();
}
/// Returns a model of four tiles whose machine file has these rules, for example "\"stack\": \"linked\"".
Device modelWith(const std::string &version, const std::string &rules, bool code = true) {
  const MachineRules file(version, rules);
  return modelOf(version.c_str(), code);
}
/// Puts 80,000 floats on each of two tiles: more than 262,144 bytes.
void fill(Graph &graph, Sequence &program) {
  const Tensor a = graph.addVariable(FLOAT, {2, 80000}, "a"), b = graph.addVariable(FLOAT, {2, 80000}, "b");
  for (unsigned t = 0; t < 2; ++t) {
    graph.setTileMapping(a[t], t);
    graph.setTileMapping(b[t], 1 - t);
  }
  program.add(Copy(a, b));
  graph.createHostWrite("a", a);
  graph.createHostRead("b", b);
}

/// The figures that the rules of a release change.
struct Figures {
  std::int64_t stack = 0, hostCode = 0, cycles = 0; // bytes on tile 1; cycles of a run
  friend bool operator==(const Figures &, const Figures &) = default;
};

/// Runs a stream whose order differs from the memory of tile 1; then sends 64 words to tile 2, each from another tile
/// than the previous word; then sends these to the neighbours 0 and 1, with 64 more words each; and copies the 64 words
/// through a clone.
Figures figuresOf(const std::string &rules, const OptionFlags &options) {
  const Device device = modelWith("ipu1", rules);
  Graph graph(device.getTarget());
  const Tensor t = graph.addVariable(FLOAT, {8, 8}, "t"), from = graph.addVariable(FLOAT, {64}, "from"),
               to = graph.addVariable(FLOAT, {64}, "to"), own = graph.addVariable(FLOAT, {2, 64}, "own"),
               both = graph.addVariable(FLOAT, {2, 128}, "both");
  graph.setTileMapping(own, 3);
  graph.setTileMapping(both[0], 0);
  graph.setTileMapping(both[1], 1);
  graph.setTileMapping(t, 1);
  graph.setTileMapping(to, 2);
  for (unsigned i = 0; i < 64; ++i)
    graph.setTileMapping(from[i], i % 2);
  const DataStream stream = graph.addHostToDeviceFIFO("in", FLOAT, 64);
  const Tensor twice = concat(to.expand({0}), to.expand({0}));
  const Tensor clone = graph.clone(to, "clone"), last = graph.addVariable(FLOAT, {64}, "last");
  graph.setTileMapping(last, 2);
  Engine engine(graph,
                Sequence({Copy(stream, t.transpose()), Copy(from, to), Copy(concat(twice, own, 1), both),
                          Copy(to, clone), Copy(clone.reverse(0), last)}),
                options);
  std::vector<float> values(64);
  engine.connectStream("in", values.data(), values.data() + 64);
  engine.load(device);
  engine.run(0);
  const ProfileValue categories = engine.getGraphProfile()["memory"]["byCategory"];
  const auto number = [](const ProfileValue &value) { return static_cast<std::int64_t>(value.asUint64()); };
  return {number(categories["stack"]["total"][1]), number(categories["hostExchangeCode"]["total"][1]),
          number(engine.getExecutionProfile()["simulation"]["cycles"])};
}

} // namespace

TEST_SUITE("engine.modelMemory") {

  TEST_CASE("without a tool that measures code, a model with code does not compile, and one without code does") {
    const Device with = modelOf("ipu1", true), without = modelOf("ipu1", false);
    for (const char *variable : {"POPSCOPE_LLD", "POPSCOPE_STANDIN_INCLUDE"}) {
      CAPTURE(variable);
      setenv(variable, "/nonexistent/tool", 1);
      std::string why;
      try {
        (void)memoryOf(with);
      } catch (const graph_program_compilation_error &e) {
        why = e.what();
      }
      CHECK_NOTHROW((void)memoryOf(without));
      unsetenv(variable);
      for (const std::string &part : {std::string("vertex type \"Increment\""), std::string("/nonexistent/tool"),
                                      std::string(variable) + " is ", std::string("unset it")})
        CHECK_MESSAGE(why.find(part) != std::string::npos, why);
    }
    CHECK(memoryOf(with)["byCategory"]["vertexCode"]["total"].sumUint64() > 0);
  }

  TEST_CASE("a graph object of a popc without the tools that measure code gives a warning, and no silent 0") {
    const TemporaryFolder folder("codeless");
    const std::string source = folder.file("c.cpp"), object = folder.file("c.gp");
    std::ofstream(source) << "#include <poplar/Vertex.hpp>\n"
                             "struct Codeless : poplar::Vertex {\n"
                             "  poplar::InOut<float> x;\n"
                             "  bool compute() { *x += 3; return true; }\n"
                             "};\n";
    const std::string without = "POPSCOPE_LLD=/nonexistent/tool ";
    REQUIRE(std::system((without + "'" POPSCOPE_POPC "' '" + source + "' -o '" + object + "' 2>/dev/null").c_str()) ==
            0);
    for (const bool code : {true, false}) {
      CAPTURE(code);
      const Device device = modelOf("ipu1", code);
      Graph graph(device.getTarget());
      graph.addCodelets(object);
      const Tensor x = graph.addVariable(FLOAT, {}, "x");
      const ComputeSet cs = graph.addComputeSet("cs");
      const VertexRef v = graph.addVertex(cs, "Codeless", {{"x", x}});
      graph.setTileMapping(x, 0);
      graph.setTileMapping(v, 0);
      const Stderr printed;
      Executable executable = compileGraph(graph, {Execute(cs)});
      Engine engine(executable);
      const auto warnings = engine.getReport().popscope().warnings();
      if (!code) {
        CHECK(warnings.empty());
        CHECK(printed.text() == "");
        continue;
      }
      REQUIRE(warnings.size() == 1);
      CHECK(warnings[0].about == "vertex type \"Codeless\"");
      CHECK(warnings[0].text.find("has code of unknown size") == 0);
      CHECK(warnings[0].text.find("/nonexistent/tool") != std::string::npos);
      CHECK(printed.text().find("Popscope: warning: vertex type \"Codeless\" has code of unknown size") == 0);
    }
  }

  TEST_CASE("a model without code has no stack, no code, and data from the first byte on") {
    const ProfileValue without = memoryOf(modelOf("ipu1", false)), with = memoryOf(modelOf("ipu1", true));
    for (const char *category : {"stack", "vertexCode", "controlCode", "internalExchangeCode", "hostExchangeCode"})
      CHECK(without["byCategory"][category]["total"].sumUint64() == 0);
    CHECK(with["byCategory"]["stack"]["total"].sumUint64() == 4 * 3168);
    for (const std::uint64_t bytes : numbers(without["byTile"]["totalIncludingGaps"]))
      CHECK(bytes < 1000); // 16 floats and a vertex
    for (const std::uint64_t bytes : numbers(with["byTile"]["totalIncludingGaps"]))
      CHECK(bytes > 16384 + 3168);
  }

  TEST_CASE("stacks follow the rule that is asked for, with options of the user above it") {
    const auto stack = [](const char *version, bool code, const std::string &rule, const OptionFlags &options = {}) {
      const Device device = modelWith(version, R"("stack": ")" + rule + "\"", code);
      return memoryOf(device, options)["byCategory"]["stack"]["total"][0].asUint64();
    };
    CHECK(stack("ipu1", true, "linked") == 384);
    CHECK(stack("ipu1", false, "linked") == 0);
    CHECK(stack("ipu1", false, "fixed") == 3168);
    CHECK(stack("ipu2", true, "own") == 384);
    CHECK(stack("ipu2", true, "fixed") == 3168);
    CHECK(stack("ipu1", true, "linked", {{"target.workerStackSizeInBytes", "64"}}) == 6 * 64 + 192);
  }

  TEST_CASE("one program's opening takes three syncs of 118 cycles less where it has one control copy") {
    const auto cycles = [&](const std::string &rule) {
      const Device device = modelWith("ipu1", R"("opening": ")" + rule + "\"");
      IncrementProgram p(device, 64);
      Engine engine(p.graph, p.step);
      engine.load(device);
      engine.run(0);
      return engine.getExecutionProfile()["simulation"]["cycles"].asUint64();
    };
    CHECK(cycles("two") - cycles("byPrograms") == 354);
  }

  TEST_CASE("a stream's order is the host's work on ipu1, unless the machine's file says otherwise") {
    const auto code = [](const char *version, const std::string &rules) {
      const Device device = modelWith(version, rules);
      Graph graph(device.getTarget());
      const Tensor t = graph.addVariable(FLOAT, {8, 8}, "t");
      graph.setTileMapping(t, 1);
      const DataStream stream = graph.addHostToDeviceFIFO("in", FLOAT, 64);
      Engine engine(graph, Copy(stream, t.transpose()));
      return engine.getGraphProfile()["memory"]["byCategory"]["hostExchangeCode"]["total"][1].asUint64();
    };
    CHECK(code("ipu1", R"("streamOrder": "tiles")") - code("ipu1", "") == 63 * 4);
    CHECK(code("ipu1", R"("streamOrder": "host")") == code("ipu1", ""));
    CHECK(code("ipu2", "") - code("ipu2", R"("streamOrder": "host")") == 63 * 4);
  }

  TEST_CASE("a machine's file chooses the rules of a release; the option of one wins over it") {
    struct Row {
      const char *key, *value;
      Figures more; // relative to the default rules
    };
    const Figures plain = figuresOf("", {});
    // 64 words take 64 cycles; 63 changes of the sender take 2 controls each. A stream has 64 runs or one. 64 of 128
    // words arrive over two buses. A copy of 256 bytes takes 282 + 6 * 6 cycles. With the words as they were sent,
    // there are 2 messages, and a worker sorts at most 11 runs of a word: 36 + 45 cycles each. The last copy, which
    // reverses the words, then also takes its source in order, instead of at most 13 runs per worker at 30 + 4 each,
    // and 7 for the words.
    const std::int64_t sorted = 64 - 126 + 2 * 6 * (36 + 11 * 45) - 6 * (30 + 13 * 4 + 7);
    for (const Row &row :
         {Row{"stack", "linked", {384 - 3168, 0, 0}}, Row{"opening", "byPrograms", {0, 0, -354}},
          Row{"streamOrder", "tiles", {0, 63 * 4, 0}}, Row{"oneWordMessages", "oneCycle", {0, 0, 64 - 126}},
          Row{"sharedBus", "messages", {0, 0, -32}}, Row{"renamingCopies", "gone", {0, 0, -318}},
          Row{"receivedPieces", "asSent", {0, 0, sorted}}}) {
      INFO(std::string(row.key));
      const Figures byFile = figuresOf(std::string("\"") + row.key + "\": \"" + row.value + "\"", {});
      CHECK(byFile.stack - plain.stack == row.more.stack);
      CHECK(byFile.hostCode - plain.hostCode == row.more.hostCode);
      CHECK(byFile.cycles - plain.cycles == row.more.cycles);
    }
    const std::string gone = R"("renamingCopies": "gone")";
    CHECK(figuresOf("", {{"popscope.elideCopies", "true"}}) == figuresOf(gone, {}));
    CHECK(figuresOf(gone, {{"popscope.elideCopies", "false"}}) == plain);
  }

  TEST_CASE("a model without code goes on when a tile is too small, with a warning, and gives the report") {
    const Device device = modelOf("ipu1", false);
    Graph graph(device.getTarget());
    Sequence program;
    fill(graph, program);
    const Stderr capture;
    Engine engine(graph, program);
    CHECK(capture.text().find("warning: ") != std::string::npos);
    CHECK(capture.text().find("2 of 4 tiles need more than the 262144 bytes") != std::string::npos);
    engine.load(device);
    std::vector<float> in(160000), out(160000);
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = static_cast<float>(i);
    engine.writeTensor("a", in.data(), in.data() + in.size());
    engine.run();
    engine.readTensor("b", out.data(), out.data() + out.size());
    CHECK(out == in);
    const ProfileValue overflowed = engine.getGraphProfile()["memory"]["byTile"]["overflowed"];
    for (std::size_t t = 0; t < 4;
         ++t) // 640,000 bytes of variables on each of the first two, some of them past the end
      CHECK((overflowed[t].asUint64() > 0) == (t < 2));
  }

  TEST_CASE("an option that the user sets, or code, makes a tile that is too small an error") {
    {
      Graph graph(modelOf("ipu1", false).getTarget());
      Sequence program;
      fill(graph, program);
      CHECK_THROWS_AS(Engine(graph, program, {{"debug.allowOutOfMemory", "false"}}), graph_memory_allocation_error);
      const Stderr capture;
      Engine quiet(graph, program, {{"debug.allowOutOfMemory", "true"}});
      CHECK(capture.text().empty());
    }
    Graph graph(modelOf("ipu1", true).getTarget());
    Sequence program;
    fill(graph, program);
    CHECK_THROWS_AS(Engine(graph, program), graph_memory_allocation_error);
  }

  TEST_CASE("the tree of a profile has what is live on each tile under the keys of 1.x") {
    const ProfileValue liveness = memoryOf(modelOf("ipu1", true))["liveness"];
    const std::vector<std::uint64_t> always = numbers(liveness["alwaysLive"]["bytesByTile"]),
                                     most = numbers(liveness["notAlwaysLive"]["maxBytesByTile"]);
    REQUIRE(always.size() == 4);
    REQUIRE(most.size() == 4);
    IncrementProgram p(modelOf("ipu1", true), 64);
    const pva::Report report = Engine(p.graph, p.step).getReport();
    for (std::size_t t = 0; t < 4; ++t) {
      CHECK(always[t] == report.compilation().tiles()[t].memory().alwaysLiveBytes());
      CHECK(most[t] == report.compilation().tiles()[t].memory().notAlwaysLiveBytes());
    }
    CHECK(always[0] > 3168); // at least the stack
  }

  TEST_CASE("on the CPU interleaved fields are anywhere, and what is mapped nowhere is on its tile") {
    const Device device = Device::createCPUDevice();
    CHECK(device.getTarget().getNumWorkerContexts() == 6); // equals CTXT_WORKERS in codelets
    Graph graph(device.getTarget());
    std::stringstream source(
        "#include <poplar/Vertex.hpp>\nusing namespace poplar;\nclass Pick : public Vertex { public: "
        "Input<Vector<float, VectorLayout::ONE_PTR, 8, true>> w; Output<float> o; bool compute() { *o = w[3] + 1; "
        "return true; } };");
    graph.addCodelets(source);
    const Tensor w = graph.addVariable(FLOAT, {5, 7}, "w"), o = graph.addVariable(FLOAT, {5}, "o");
    const Tensor c = graph.addConstant<float>(FLOAT, {5}, {5, 4, 3, 2, 1});
    const ComputeSet cs = graph.addComputeSet("cs");
    for (unsigned i = 0; i < 5; ++i)
      graph.addVertex(cs, "Pick", {{"w", w[i]}, {"o", o[i]}});
    graph.createHostWrite("w", w);
    graph.createHostRead("o", o);
    Engine engine(graph, {Execute(cs), Copy(c, o)});
    engine.load(device);
    std::vector<float> in(35), out(5);
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = static_cast<float>(i);
    engine.writeTensor("w", in.data(), in.data() + in.size());
    engine.run(0);
    engine.readTensor("o", out.data(), out.data() + out.size());
    CHECK(out == std::vector<float>{4, 11, 18, 25, 32});
    engine.run(1);
    engine.readTensor("o", out.data(), out.data() + out.size());
    CHECK(out == std::vector<float>{5, 4, 3, 2, 1});
  }

  TEST_CASE("a vertex whose function no file defines is named when the graph is compiled") {
    const Device device = modelOf("ipu2", true);
    Graph graph(device.getTarget());
    const auto add = [&](const char *text) {
      std::stringstream source(text);
      graph.addCodelets(source);
    };
    add("#include <poplar/Vertex.hpp>\nfloat far(float);\nclass Calls : public poplar::Vertex { public: "
        "poplar::InOut<float> x; "
        "bool compute() { *x = far(*x); return true; } };");
    const Tensor x = graph.addVariable(FLOAT, {}, VariableMappingMethod::LINEAR, "x");
    const ComputeSet cs = graph.addComputeSet("step");
    const VertexRef v = graph.addVertex(cs, "Calls", {{"x", x}});
    graph.setTileMapping(v, 0);
    graph.createHostWrite("x", x);
    graph.createHostRead("x", x);
    CHECK_NOTHROW(Engine(graph, Sequence())); // no program runs the vertex
    CHECK_THROWS_WITH_AS(Engine(graph, Execute(cs)),
                         doctest::Contains("far(float), which no codelet file of the graph defines"), link_error);
    add("float far(float a) { return a * 3; }");
    Engine engine(graph, Execute(cs));
    engine.load(device);
    float value = 2;
    engine.writeTensor("x", &value, &value + 1);
    engine.run();
    engine.readTensor("x", &value, &value + 1);
    CHECK(value == 6);
  }

  // a and b take 264,000 of the 262,144 bytes of tile 0. In different memory elements, they would end at 394,144.
  TEST_CASE("a program that does not fit exceeds the memory by no more than without copies between memory elements") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    addTestCodelets(graph);
    const Tensor a = graph.addVariable(FLOAT, {33000}, "a"), b = graph.addVariable(FLOAT, {33000}, "b");
    graph.setTileMapping(a, 0);
    graph.setTileMapping(b, 0);
    graph.createHostWrite("a", a);
    graph.createHostRead("b", b);
    const ComputeSet cs = graph.addComputeSet("inc");
    const VertexRef v = graph.addVertex(cs, "Increment", {{"x", a}});
    graph.setInitialValue(v["by"], 1.0f);
    graph.setTileMapping(v, 0);
    const auto reportOf = [&](const char *multiAccess) {
      return Engine(graph, Sequence(Copy(a, b), Execute(cs)),
                    {{"debug.allowOutOfMemory", "true"}, {"opt.enableMultiAccessCopies", multiAccess}})
          .getReport(false);
    };
    const auto used = [](const pva::Report &report) {
      return report.compilation().tiles()[0].memory().total().includingGaps();
    };
    const pva::Report report = reportOf("true");
    CHECK(used(report) > 264000);
    CHECK(used(report) < 280000);
    CHECK(used(report) == used(reportOf("false")));
    CHECK(report.popscope().tilesOutOfMemory().size() == 1);
    REQUIRE(report.popscope().warnings().size() == 1);
    CHECK(report.popscope().warnings()[0].about == "opt.enableMultiAccessCopies");
  }
}
