// Executables as files: a loaded executable runs and reports the same, and a damaged file is refused.
#include "engine/compile/Compile.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "tests/TemporaryFolder.hpp"
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <poplar/CSRFunctions.hpp>
#include <poplar/CycleCount.hpp>
#include <pva/pva.hpp>

#include <cstdlib>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

/// Codelets, a constant, streams, a host function, control flow and names: one of each feature.
struct Everything {
  Device device = smallModel();
  IncrementProgram increment{device, 10};
  Executable executable;
  Everything() {
    Graph &g = increment.graph;
    Tensor n = g.addVariable(INT, {1}, "n"), one = g.addConstant<int>(INT, {1}, 1, "one");
    g.setTileMapping(n, 1);
    g.setTileMapping(one, 1);
    g.createHostWrite("x-in", increment.x);
    g.createHostRead("x-out", increment.x);
    const DataStream in = g.addHostToDeviceFIFO("choose", INT, 1);
    const HostFunction f = g.addHostFunction("tell", {Graph::HostFunctionArgument(INT, 1)}, {});
    Switch choice(n[0], Call(f, {n}, {}));
    choice.add(1, Repeat(2, increment.step));
    executable = compileGraph(
        g, {Sequence(Copy(in, n), choice, PrintTensor("n", n)), Sequence(increment.step, Copy(one, n))}, {});
  }
};

std::string bytesOf(const Executable &executable) {
  std::ostringstream out;
  executable.serialize(out);
  return out.str();
}
Executable fromBytes(const std::string &bytes) {
  std::istringstream in(bytes);
  return Executable::deserialize(in);
}

/// Runs both programs and returns what they print, the values and the summary.
std::string behaviour(Executable executable, const Device &device) {
  Engine engine(std::move(executable));
  std::ostringstream text;
  engine.setPrintStream(text);
  int choose[2] = {1, 4};
  engine.connectStream("choose", choose, choose + 2);
  engine.connectHostFunction("tell", 0, [&](const void *const *in, std::size_t, void *const *, std::size_t) {
    text << "told " << *static_cast<const int *>(in[0]) << '\n';
  });
  engine.load(device);
  std::vector<float> x(10);
  std::iota(x.begin(), x.end(), 0.0f);
  engine.writeTensor("x-in", x.data(), x.data() + x.size());
  engine.run(0);
  engine.run(0);
  engine.run(1);
  engine.readTensor("x-out", x.data(), x.data() + x.size());
  for (const float value : x)
    text << value << ' ';
  text << '\n' << summaryOf(engine);
  return text.str();
}

} // namespace

TEST_SUITE("engine.executable") {

  TEST_CASE("an executable that was serialized and read runs and reports like the original, and serializes to the same "
            "bytes") {
    Everything e;
    const std::string bytes = bytesOf(e.executable);
    Executable copy = fromBytes(bytes);
    CHECK(copy.isValid());
    CHECK(bytesOf(copy) == bytes);
    CHECK(copy.getHash() == e.executable.getHash());
    CHECK(Everything().executable.getHash() == e.executable.getHash());
    const Device device = smallModel();
    CHECK(compileGraph(IncrementProgram(device, 11).graph, {}, {}).getHash() !=
          compileGraph(IncrementProgram(device, 10).graph, {}, {}).getHash());
    CHECK_THROWS_AS(Executable().getHash(), poplar_error);
    const std::string original = behaviour(std::move(e.executable), e.device);
    CHECK(original.find("told 4") != std::string::npos);
    CHECK(original.find("3 4 5 6 7 8 9 10 11 12 \n") != std::string::npos); // increments: 2, 0, 1
    CHECK(behaviour(std::move(copy), e.device) == original);
  }

  TEST_CASE("an executable that reads and writes registers of tiles comes back") {
    const Device device = smallModel();
    IncrementProgram increment(device, 10);
    Graph &graph = increment.graph;
    Sequence counted(increment.step);
    setFloatingPointBehaviour(graph, counted, FloatingPointBehaviour());
    graph.createHostRead("cycles", cycleCount(graph, counted, 0, SyncType::INTERNAL));
    const Executable original = compileGraph(graph, {counted}, {});
    Engine engine(fromBytes(bytesOf(original)));
    engine.load(device);
    engine.run(0);
    std::uint64_t cycles = 0;
    engine.readTensor("cycles", &cycles, &cycles + 1);
    CHECK(cycles > 0);
  }

  TEST_CASE("an executable outlives its graph and needs no source") {
    std::string bytes;
    {
      Everything e;
      bytes = bytesOf(e.executable);
    }
    const Device device = smallModel();
    CHECK(behaviour(fromBytes(bytes), device).find("told 4") != std::string::npos);
  }

  TEST_CASE("options that act only when a graph is compiled have no effect on an executable, and a line says so") {
    Everything e;
    std::ostringstream text;
    std::streambuf *const before = std::cerr.rdbuf(text.rdbuf());
    { Engine engine(e.executable, {{"target.workerStackSizeInBytes", "4096"}, {"debug.instrument", "false"}}); }
    std::cerr.rdbuf(before);
    CHECK(text.str().find("target.workerStackSizeInBytes has no effect: it acts when a graph is compiled") !=
          std::string::npos);
    CHECK(text.str().find("debug.instrument ") == std::string::npos); // the executable has the same value
  }

  TEST_CASE("the profile of an engine of an executable has the options that acted, and the warnings about them") {
    const TemporaryFolder folder("acting-options");
    const Device device = smallModel();
    IncrementProgram p(device, 10);
    const Executable executable =
        compileGraph(p.graph, {p.step},
                     {{"target.workerStackSizeInBytes", "4096"}, {"prng.seed", "1"}, {"debug.branchRecordTile", "1"}});
    const auto optionsOf = [&](const OptionFlags &options) {
      const Executable loaded = fromBytes(bytesOf(executable));
      Engine engine(loaded, options);
      engine.load(device);
      engine.run();
      const pva::Report report = engine.getReport();
      std::map<std::string, std::pair<std::string, bool>> values;
      for (const pva::Option &option : report.compilation().engineOptions())
        values[option.key] = {option.value, option.isDefault};
      std::set<std::string> about;
      for (const pva::SettingWarning &warning : report.popscope().warnings())
        about.insert(warning.about);
      return std::pair(values, about);
    };
    using Value = std::pair<std::string, bool>;
    const auto [values, about] = optionsOf({{"target.workerStackSizeInBytes", "2048"},
                                            {"popscope.profileCategories", "compute"},
                                            {"debug.instrument", "true"},
                                            {"prng.seed", "2"},
                                            {"profiler.blocks.filter", ".*"},
                                            {"debug.computeInstrumentationLevel", "vertex"},
                                            {"autoReport.outputExecutionProfile", "true"},
                                            {"autoReport.directory", folder.file("report")}});
    CHECK(values.at("target.workerStackSizeInBytes") == Value("4096", false));
    CHECK(values.at("debug.branchRecordTile") == Value("1", false));
    CHECK(values.at("debug.instrument") == Value("false", true));
    CHECK(values.at("profiler.blocks.filter") == Value("", true));
    CHECK(values.at("popscope.profileCategories") == Value("compute", false));
    CHECK(values.at("prng.seed") == Value("2", false));
    CHECK(values.at("debug.computeInstrumentationLevel") == Value("vertex", false)); // acts when a model is loaded
    CHECK(values.at("autoReport.outputExecutionProfile") == Value("true", false));
    CHECK(values.at("autoReport.directory") == Value(folder.file("report"), false));
    CHECK(about == std::set<std::string>{"debug.branchRecordTile", "debug.instrument", "profiler.blocks.filter",
                                         "target.workerStackSizeInBytes"});
    const auto usual = optionsOf({}).first;
    CHECK(usual.at("prng.seed") == Value("0", true));
    CHECK(usual.at("target.workerStackSizeInBytes") == Value("4096", false));
  }

  TEST_CASE("an executable of a device keeps the level of its counters") {
    const Device device = simulatedIpu(4);
    IncrementProgram p(device, 10);
    const Executable executable = compileGraph(
        p.graph, {p.step}, {{"debug.instrument", "true"}, {"debug.computeInstrumentationLevel", "vertex"}});
    Engine engine(executable, {});
    engine.load(device);
    engine.run();
    CHECK(engine.getReport().execution().vertices().size() == 4);
  }

  TEST_CASE("a device of another size is refused at load") {
    Everything e;
    Engine engine(fromBytes(bytesOf(e.executable)));
    CHECK_THROWS_AS(engine.load(smallModel(8)), poplar_error);
  }

  TEST_CASE("truncated, damaged and foreign bytes are refused") {
    Everything e;
    const std::string bytes = bytesOf(e.executable);
    CHECK_THROWS_AS(fromBytes(""), poplar_error);
    CHECK_THROWS_AS(fromBytes("ELF or something else that is long enough to have a whole header, but is none"),
                    poplar_error);
    const std::size_t step = bytes.size() / 40 + 1;
    for (std::size_t n = 0; n < bytes.size(); n += step)
      CHECK_THROWS_AS(fromBytes(bytes.substr(0, n)), poplar_error);
    for (std::size_t n = 0; n < bytes.size(); n += n < 60 ? 1 : step) {
      std::string damaged = bytes;
      damaged[n] = static_cast<char>(damaged[n] ^ 0x10);
      CHECK_THROWS_AS(fromBytes(damaged), poplar_error);
    }
    CHECK_NOTHROW(fromBytes(bytes + "x")); // data after an executable stays in the stream
    std::string old = bytes;
    old[8] = 5;
    CHECK_THROWS_WITH_AS(fromBytes(old), doctest::Contains("its format has version 5, this library reads version 1."),
                         poplar_error);
  }

  TEST_CASE("changed tables are refused or give an executable, also when the hash is right") {
    Everything e;
    const std::string bytes = bytesOf(e.executable);
    const std::size_t header = 8 + 4 + 8 + 32;
    const std::string body = bytes.substr(header);
    const popscope::TileMachine &machine = popscope::ExecutableAccess::of(e.executable)->machine;
    const std::size_t tables = body.find(popscope::tileMachineToJson(machine));
    REQUIRE(tables < body.size()); // the bytes before it are native code, which cannot be checked
    std::size_t refused = 0, accepted = 0;
    for (std::size_t at = tables; at < body.size(); at += 1 + (body.size() - tables) / 400)
      for (const int flip : {0x01, 0xff}) {
        std::string bad = body;
        bad[at] = static_cast<char>(bad[at] ^ flip);
        try {
          const std::string file = bytes.substr(0, header - 32) + popscope::ContentHash().add(bad).hex() + bad;
          (fromBytes(file).isValid() ? accepted : refused) += 1;
        } catch (const poplar_error &) {
          ++refused;
        }
      }
    CHECK(refused > 50);
    CHECK(accepted > 50); // values, names and the caller's choices have no invalid bytes
  }

  TEST_CASE("empty executables and bad streams are refused") {
    std::ostringstream out;
    CHECK_THROWS_AS(Executable().serialize(out), poplar_error);
    CHECK_THROWS_AS(Engine{Executable()}, poplar_error);
    std::ifstream missing("/nonexistent/file");
    CHECK_THROWS_AS(Executable::deserialize(missing), poplar_error);
    std::ifstream folder(".");
    CHECK_THROWS_WITH_AS(Executable::deserialize(folder),
                         doctest::Contains("nothing can be read from this stream: Is a directory"), poplar_error);
    Everything e;
    std::ofstream closed;
    CHECK_THROWS_AS(e.executable.serialize(closed), poplar_error);
  }

  TEST_CASE(
      "compileGraph reports its progress in steps that end at the total, and an exception from the callback stops it") {
    const Device device = smallModel();
    IncrementProgram p(device, 4);
    std::vector<std::pair<int, int>> seen;
    compileGraph(p.graph, {p.step}, {}, [&](int step, int total) { seen.push_back({step, total}); });
    REQUIRE(!seen.empty());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      CHECK(seen[i].first == static_cast<int>(i) + 1);
      CHECK(seen[i].second == static_cast<int>(seen.size()));
    }
    struct Cancelled {};
    int calls = 0;
    CHECK_THROWS_AS(compileGraph(p.graph, {p.step}, {},
                                 [&](int, int) {
                                   if (++calls == 2)
                                     throw Cancelled();
                                 }),
                    Cancelled);
    CHECK(calls == 2);
  }

  TEST_CASE("compileGraph refuses a program that does not fit, unless it may be so") {
    const Target target = Target::createIPUTarget(1, "ipu1");
    Graph graph(target);
    const Tensor big = graph.addVariable(FLOAT, {100000}, "big");
    graph.setTileMapping(big, 1);
    graph.createHostWrite("big", big);
    try {
      compileGraph(graph, {Sequence()});
      FAIL("must not fit");
    } catch (const graph_memory_allocation_error &e) {
      CHECK(std::string(e.what()).find("Out of memory on tile 1: ") == 0);
      CHECK(e.profilePath.empty());
      std::ostringstream summary;
      printGraphSummary(summary, e.graphProfile);
      CHECK(summary.str().find("1 tile(s) out of memory") != std::string::npos);
    }
    Executable allowed = compileGraph(graph, {Sequence()}, {{"debug.allowOutOfMemory", "true"}});
    CHECK_NOTHROW(Engine(std::move(allowed)));
  }

  TEST_CASE("with autoReport compileGraph writes the compile's part of the profile, to which a failure points; an "
            "engine of the executable adds its runs") {
    const TemporaryFolder folder("compile-report");
    const Device device = smallModel();
    const auto options = [&](const char *name) -> OptionFlags {
      return {{"autoReport.all", "true"}, {"autoReport.directory", folder.file(name)}};
    };
    IncrementProgram p(device, 10);
    Executable executable = compileGraph(p.graph, {p.step}, options("fits"));
    const std::string path = folder.file("fits") + "/profile.pop";
    {
      const pva::Report report = pva::openReport(path);
      CHECK(report.compilation().graph().numVertices() > 0);
      CHECK(report.execution().runs().empty());
      CHECK(report.popscope().ending().empty());
    }
    {
      Engine engine(std::move(executable), options("fits"));
      engine.load(device);
      engine.run();
    }
    CHECK(pva::openReport(path).execution().runs().size() == 1);

    Graph graph(device.getTarget());
    const Tensor big = graph.addVariable(FLOAT, {100000}, "big");
    graph.setTileMapping(big, 1);
    graph.createHostWrite("big", big);
    try {
      compileGraph(graph, {Sequence()}, options("full"));
      FAIL("must not fit");
    } catch (const graph_memory_allocation_error &e) {
      CHECK(e.profilePath == folder.file("full") + "/profile.pop");
      CHECK(pva::openReport(e.profilePath).popscope().tilesOutOfMemory().size() == 1);
    }
    IncrementProgram named(device, 10);
    Executable inference = compileGraph(named.graph, {named.step}, options("named"), {}, {"inference"});
    CHECK(std::filesystem::exists(folder.file("named") + "/inference/profile.pop"));
    Engine(std::move(inference), options("later")).load(device);
    CHECK(std::filesystem::exists(folder.file("later") + "/inference/profile.pop"));
    Engine(named.graph, named.step, options("named"), {}, {"../training"}).load(device);
    CHECK(std::filesystem::exists(folder.file("named") + "/training/profile.pop"));
    try { // the execution part includes the memory part, and no engine follows that writes it
      compileGraph(graph, {Sequence()},
                   {{"autoReport.outputExecutionProfile", "true"}, {"autoReport.directory", folder.file("part")}});
      FAIL("must not fit");
    } catch (const graph_memory_allocation_error &e) {
      CHECK(e.profilePath == folder.file("part") + "/profile.pop");
      CHECK(pva::openReport(e.profilePath).popscope().tilesOutOfMemory().size() == 1);
    }
  }

} // TEST_SUITE
