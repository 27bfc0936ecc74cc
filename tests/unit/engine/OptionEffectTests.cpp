// Options whose effect is outside the profile: files, initial register values, threads of the compiler, messages of the
// engine.
#include "tests/TemporaryFolder.hpp"
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <poplar/CSRFunctions.hpp>
#include <poplar/RandomSeed.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

std::string contents(const std::filesystem::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns the initial values of a register on all tiles.
std::vector<unsigned> atFirst(bool seeds, const OptionFlags &options) {
  const Device device = smallModel();
  Graph graph(device.getTarget());
  Sequence prog;
  const FloatingPointBehaviour none(false, false, false, false, false);
  const Tensor t = seeds ? getHwSeeds(graph, prog) : getAndModifyFloatingPointBehaviour(graph, prog, none, none);
  graph.createHostRead("t", t);
  Engine engine(graph, prog, options);
  engine.load(device);
  engine.run();
  std::vector<unsigned> values(t.numElements());
  engine.readTensor("t", values.data(), values.data() + values.size());
  return values;
}

} // namespace

TEST_SUITE("engine.optionEffects") {

  TEST_CASE("files that options name are written when the graph is compiled") {
    const TemporaryFolder folder("options");
    const Device device = smallModel();
    IncrementProgram p(device, 10);
    Engine engine(p.graph, p.step,
                  {{"debug.loweredVarDumpFile", folder.file("vars.csv")},
                   {"target.saveOutputVertexGraph", folder.file("graph.dot")},
                   {"autoReport.directory", folder.file("report")},
                   {"autoReport.outputSerializedGraph", "true"}});
    const std::string vars = contents(folder.file("vars.csv"));
    CHECK(vars.find("name,tile,address,bytes,alignment,category,alwaysLive,overlapped\n") == 0);
    CHECK(vars.find("\nx,0,") != std::string::npos);
    CHECK(std::count(vars.begin(), vars.end(), '\n') > 4);
    std::ostringstream dot, bytes;
    p.graph.outputVertexGraph(dot, {p.step});
    CHECK(contents(folder.file("graph.dot")) == dot.str());
    p.graph.serialize(bytes, {p.step}, SerializationFormat::SCHEMA);
    CHECK_FALSE(
        // although its name suggests another format
        std::filesystem::exists(folder.file("report/serialized_graph.capnp")));
    CHECK(contents(folder.file("report/serialized_graph.bin")) == bytes.str());
    CHECK_THROWS_WITH_AS(Engine(p.graph, p.step, {{"debug.loweredVarDumpFile", "/nowhere/at/all.csv"}}),
                         doctest::Contains("/nowhere/at/all.csv"), invalid_option);
  }

  TEST_CASE("control characters of names are escaped in the files that options name") {
    const TemporaryFolder folder("options");
    const Device device = smallModel();
    Graph graph(device.getTarget());
    const Tensor a = graph.addVariable(FLOAT, {8}, VariableMappingMethod::LINEAR, "red\x1b[31m");
    const Tensor b = graph.addVariable(FLOAT, {8}, VariableMappingMethod::LINEAR, "=b\x07");
    const Sequence programs({Copy(a, b, false, "copy\x1b[2J"), PrintTensor("title\x1b", b)});
    Engine engine(graph, programs,
                  {{"debug.loweredVarDumpFile", folder.file("vars.csv")},
                   {"popscope.dump", "after:EmitNaive,SizeControlCode"},
                   {"autoReport.directory", folder.file("report")}});
    std::ostringstream vertices, sets;
    graph.outputVertexGraph(vertices);
    const ComputeSet cs = graph.addComputeSet("set\x1b");
    graph.outputComputeGraph(sets, {Execute(cs)});
    const std::string vars = contents(folder.file("vars.csv")),
                      naive = contents(folder.file("report/steps-02-EmitNaive.txt")),
                      steps = contents(folder.file("report/steps-12-SizeControlCode.txt"));
    CHECK(vars.find("\nred\\x1b[31m,") != std::string::npos);
    CHECK(vars.find("\n'=b\\x07,") != std::string::npos); // no formula for a spreadsheet
    CHECK(naive.find("copy\\x1b[2J") != std::string::npos);
    CHECK(steps.find("red\\x1b[31m[0,8)") != std::string::npos);
    CHECK(sets.str().find("\"set\\\\x1b\"") != std::string::npos);
    for (const std::string &text : {vars, naive, steps, sets.str()})
      CHECK(text.find_first_of("\x1b\x07") == std::string::npos);
  }

  TEST_CASE("registers begin as options say") {
    const auto bits = [](bool all, bool esr, bool nanoo) {
      return smallModel().getTarget().makeFpIctlValue(all, all, all, esr, nanoo);
    };
    CHECK(atFirst(false, {}) == std::vector<unsigned>(4, bits(false, false, false)));
    CHECK(atFirst(false, {{"debug.floatPointOpException", "true"}}) ==
          std::vector<unsigned>(4, bits(true, false, false)));
    CHECK(atFirst(false, {{"prng.enableStochasticRounding", "true"}, {"debug.nanOverflowException", "true"}}) ==
          std::vector<unsigned>(4, bits(false, true, true)));
    const auto seeds = atFirst(true, {});
    CHECK(atFirst(true, {{"prng.seed", "0"}}) == seeds);
    CHECK(atFirst(true, {{"prng.seed", "1"}}) != seeds);
    CHECK(atFirst(true, {{"prng.seed", "1"}}) == atFirst(true, {{"prng.seed", "1"}}));
  }

  TEST_CASE("the engine lists its options, values of accepted ones are checked too") {
    const Device device = smallModel();
    IncrementProgram p(device, 4);
    Engine engine(p.graph, p.step, {{"debug.verify", "true"}, {"opt.maxCompilationThreads", "1"}});
    const OptionFlags options = engine.getEngineOptions();
    CHECK(options.at("debug.verify") == "true");
    CHECK(options.at("opt.maxCompilationThreads") == "1");
    CHECK_THROWS_AS(Engine(p.graph, p.step, {{"target.deterministicWorkers", "perhaps"}}), invalid_option);
    CHECK_THROWS_AS(Engine(p.graph, p.step, {{"opt.internalExchangeOptimisationTarget", "speed"}}), invalid_option);
    CHECK_THROWS_AS(Engine(p.graph, p.step, {{"opt.maxLinkerThreads", "many"}}), invalid_option);
  }

  TEST_CASE("debug.verify accepts programs that leave variables where they are") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    const auto variable = [&](const char *name) {
      const Tensor t = graph.addVariable(FLOAT, {6}, name);
      graph.setTileMapping(t.slice(0, 3), 0);
      graph.setTileMapping(t.slice(3, 6), 1);
      return t;
    };
    const Tensor self = variable("self"), pieces = variable("pieces"), promised = variable("promised"),
                 half = variable("half"), moved = variable("moved"), from = variable("from");
    const OptionFlags verify{{"debug.verify", "true"}};
    CHECK_NOTHROW(Engine(graph, Copy(self, self), verify));
    CHECK_NOTHROW(Engine(graph, AssumeEqualAcrossReplicas(self), verify));
    CHECK_NOTHROW(Engine(
        graph, Sequence(AssumeEqualAcrossReplicas(self), Copy(self, self), Repeat(3, Copy(self, self))), verify));
    // Some elements stay, some move, some overlap with moved elements.
    Sequence mixed(Copy(concat(pieces.slice(0, 2), pieces.slice(2, 6)), pieces), AssumeEqualAcrossReplicas(promised),
                   Copy(concat(half, from.slice(0, 2)), concat(half, from.slice(1, 3))),
                   Copy(concat(moved.slice(0, 3), from.slice(0, 3)), moved));
    graph.createHostWrite("from", from);
    graph.createHostWrite("moved", moved);
    graph.createHostRead("from", from);
    graph.createHostRead("moved", moved);
    Engine engine(graph, mixed, verify);
    engine.load(device);
    const std::vector<float> given{1, 2, 3, 4, 5, 6}, other{10, 20, 30, 40, 50, 60};
    engine.writeTensor("from", given.data(), given.data() + 6);
    engine.writeTensor("moved", other.data(), other.data() + 6);
    engine.run();
    std::vector<float> result(6);
    engine.readTensor("from", result.data(), result.data() + 6);
    CHECK(result == std::vector<float>{1, 1, 2, 4, 5, 6});
    engine.readTensor("moved", result.data(), result.data() + 6);
    CHECK(result == std::vector<float>{10, 20, 30, 1, 1, 2});
  }
}
