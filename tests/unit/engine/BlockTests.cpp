// Lightweight profiling: which blocks are recorded, which records a full buffer loses, which a flush saves, and the
// cost. The counts of the loop are those that the public tutorial gives for hardware.
#include "tests/unit/engine/Programs.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <poplar/DeviceManager.hpp>
#include <poplar/Executable.hpp>
#include <pva/pva.hpp>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

Device simulatedIpus(unsigned ipus, unsigned tiles) {
  setenv("POPSCOPE_SIM_IPUS", ("ipu2:" + std::to_string(ipus)).c_str(), 1);
  Device device = std::move(DeviceManager::createDeviceManager().getDevices(TargetType::IPU, ipus).at(0));
  unsetenv("POPSCOPE_SIM_IPUS");
  return device.createVirtualDevice(tiles);
}

const char *const kWork = R"(
#include <poplar/Vertex.hpp>
struct Work : poplar::Vertex {
  poplar::InOut<int> n;
  bool compute() { *n += 1; return true; }
};
)";

// One compute set on a tile that takes a worker 100 cycles.
struct Work {
  Graph graph;
  explicit Work(const Device &device) : graph(device.getTarget()) {
    std::stringstream source(kWork);
    graph.addCodelets(source);
  }
  Execute operation(const std::string &name, unsigned tile) {
    const Tensor n = graph.addVariable(INT, {}, "n");
    graph.setTileMapping(n, tile);
    const ComputeSet cs = graph.addComputeSet(name);
    const VertexRef v = graph.addVertex(cs, "Work", {{"n", n}});
    graph.setTileMapping(v, tile);
    graph.setPerfEstimate(v, 100);
    return Execute(cs);
  }
};

struct Counts {
  unsigned common = 0, overflow = 0, flush = 0, streamCopy = 0;
  bool operator==(const Counts &) const = default;
};
Counts countBlocks(const pva::Report &report, std::size_t tile) {
  Counts c;
  for (const auto &block : report.execution().blocks(tile)) {
    CHECK(block.isCommon() + block.isOverflow() + block.isBlockFlush() + block.isStreamCopy() == 1);
    c.common += block.isCommon();
    c.overflow += block.isOverflow();
    c.flush += block.isBlockFlush();
    c.streamCopy += block.isStreamCopy();
  }
  return c;
}
std::ostream &operator<<(std::ostream &out, const Counts &c) {
  return out << c.common << " common, " << c.overflow << " overflow, " << c.flush << " flush, " << c.streamCopy
             << " stream copy";
}

Counts loopOf100(const OptionFlags &options) {
  Work w(simulatedIpus(1, 4));
  const Repeat loop(100, Sequence(w.operation("operation", 0)));
  Device device = simulatedIpus(1, 4);
  const pva::Report report = [&] {
    Engine engine(w.graph, loop, options);
    engine.load(device);
    engine.run();
    return engine.getReport();
  }();
  return countBlocks(report, 0);
}

pva::Report runOnce(Graph &graph, const Program &program, const OptionFlags &options, const Device &device) {
  Engine engine(graph, program, options);
  engine.load(device);
  engine.run();
  return engine.getReport();
}

std::string namesOf(const pva::Report &report, std::size_t tile) {
  std::string names;
  for (const auto &block : report.execution().blocks(tile))
    names += (names.empty() ? "" : " ") + block.program()->name();
  return names;
}

} // namespace

TEST_SUITE("engine.blocks") {

  TEST_CASE("a loop of 100 fills a buffer of 1,000 bytes with 42 blocks; the rest is one overflow") {
    CHECK(loopOf100({{"profiler.programs.filter", "operation"}, {"profiler.blocks.implicitFlush", "false"}}) ==
          Counts{42, 1, 0, 0});
  }

  TEST_CASE("a flush after each pass loses nothing; with external exchange its three phases are recorded, and the two "
            "copies that begin a run") {
    CHECK(loopOf100({{"profiler.programs.filter", "operation"}, {"debug.instrumentExternalExchange", "true"}}) ==
          Counts{100, 0, 300, 6});
    CHECK(loopOf100({{"profiler.programs.filter", "operation"}}) == Counts{100, 0, 0, 0});
  }

  TEST_CASE("a larger buffer loses less") {
    CHECK(loopOf100({{"profiler.programs.filter", "operation"},
                     {"profiler.blocks.implicitFlush", "false"},
                     {"profiler.blocks.bufferSize", "2000"}}) == Counts{84, 1, 0, 0});
    CHECK(loopOf100({{"profiler.programs.filter", "operation"},
                     {"profiler.blocks.implicitFlush", "false"},
                     {"profiler.blocks.bufferSize", "2400"}}) == Counts{100, 0, 0, 0});
  }

  TEST_CASE("an overflow lasts from the first lost block to the last one, and names the first") {
    const Device device = simulatedIpus(1, 4);
    Work w(device);
    const auto report =
        runOnce(w.graph, Repeat(100, Sequence(w.operation("operation", 0))),
                {{"profiler.programs.filter", "operation"}, {"profiler.blocks.implicitFlush", "false"}}, device);
    const auto blocks = report.execution().blocks(0);
    REQUIRE(blocks.size() == 43);
    const std::uint64_t pass = blocks[1].cyclesFrom() - blocks[0].cyclesFrom();
    CHECK(blocks[42].isOverflow());
    CHECK(blocks[42].program()->name() == "operation");
    CHECK(blocks[42].cyclesFrom() == blocks[41].cyclesFrom() + pass);
    CHECK(blocks[42].cyclesTo() == blocks[41].cyclesTo() + 58 * pass); // 100 - 42 of them
  }

  TEST_CASE("nested blocks lie within their stage, after it; the filters choose by whole names") {
    const Device device = simulatedIpus(2, 4);
    Work w(device);
    const auto stage = [&](const std::string &name, unsigned tile) {
      return Block(Sequence(Block(w.operation("op1", tile), "op1"), Block(w.operation("op2", tile), "op2")), name);
    };
    const Repeat loop(2, Sequence(stage("stage1", 0), stage("stage2", 4)));
    const auto report = runOnce(w.graph, loop, {{"profiler.blocks.filter", "stage.|op2"}}, device);
    // On the IPUs that work in the block.
    CHECK(namesOf(report, 0) == "stage1 op2 stage1 op2");
    CHECK(namesOf(report, 4) == "stage2 op2 stage2 op2");
    CHECK(namesOf(report, 1).empty());
    CHECK_THROWS_AS((void)report.execution().blocks(8), std::out_of_range);
    const auto blocks = report.execution().blocks(0);
    CHECK(blocks[0].cyclesFrom() < blocks[1].cyclesFrom());
    CHECK(blocks[1].cyclesTo() < blocks[0].cyclesTo());
    CHECK(blocks[0].program()->type() == pva::Program::Type::Block);
    CHECK(blocks[0].program()->children().size() > 0);
    CHECK(blocks[0].tile() == 0);
    CHECK(namesOf(runOnce(w.graph, loop, {{"profiler.blocks.filter", "stage"}}, device), 0).empty());
    CHECK(namesOf(runOnce(w.graph, loop, {{"profiler.programs.filter", "op1"}, {"profiler.blocks.filter", "stage1"}},
                          device),
                  0) == "stage1 op1 stage1 op1");
  }

  TEST_CASE("36 cycles lie between two blocks that follow each other, and those of a host copy") {
    const Device device = simulatedIpus(1, 4);
    Work w(device);
    const Tensor x = w.graph.addVariable(INT, {1}, "x");
    w.graph.setTileMapping(x, 3);
    const Sequence program(Copy(w.graph.addHostToDeviceFIFO("in", INT, 1), x), Block(w.operation("a", 0), "a"),
                           Block(w.operation("b", 0), "b"));
    Engine engine(w.graph, program, {{"profiler.blocks.filter", "."}, {"debug.instrumentExternalExchange", "true"}});
    int value = 1;
    engine.connectStream("in", &value, &value + 1);
    engine.load(device);
    engine.run();
    const auto report = engine.getReport();
    const auto blocks = report.execution().blocks(0);
    REQUIRE(blocks.size() == 8); // two copies of the engine, a, b
    CHECK(blocks[7].cyclesFrom() - blocks[6].cyclesTo() == 36);
    // Phases also wait for the second counter, which debug.instrumentExternalExchange adds.
    CHECK(blocks[1].cyclesFrom() - blocks[0].cyclesTo() >= 36);
    const auto ofCopy = report.execution().blocks(3); // where the copy arrives
    REQUIRE(ofCopy.size() == 3);
    CHECK(ofCopy[0].program()->type() == pva::Program::Type::StreamCopyBegin);
    CHECK(ofCopy[1].program()->type() == pva::Program::Type::StreamCopyMid);
    CHECK(ofCopy[2].program()->type() == pva::Program::Type::StreamCopyEnd);
    CHECK(ofCopy[1].isStreamCopy());
  }

  TEST_CASE("buffers take memory, records take cycles, and the cycles of every tile still add up") {
    const Device device = simulatedIpus(1, 4);
    Work w(device);
    const Sequence program(Block(w.operation("a", 0), "a"), w.operation("b", 2));
    const auto results = [](const pva::Report &r, std::size_t tile) {
      return r.compilation().tiles()[tile].memory().category().instrumentationResults().total();
    };
    const auto plain = runOnce(w.graph, program, {{"debug.instrument", "true"}, {"debug.verify", "true"}}, device);
    const auto blocks = runOnce(w.graph, program,
                                {{"debug.instrument", "true"},
                                 {"debug.verify", "true"},
                                 {"profiler.blocks.filter", "a"},
                                 {"profiler.blocks.tile", "1"}},
                                device);
    // 1,000 bytes hold 42 records of 24 bytes and a header of 20; the flush has a counter of 4 bytes for each phase.
    // Tile 0 also has the engine's copies.
    CHECK(results(blocks, 1) == results(plain, 1) + 20 + 42 * 24 + 3 * 4);
    CHECK(results(blocks, 0) > results(plain, 0) + 20 + 42 * 24);
    CHECK(results(blocks, 3) == results(plain, 3));
    const pva::CycleTotals t = blocks.execution().totalCycles(), before = plain.execution().totalCycles();
    CHECK(t.compute() + t.exchange() + t.globalExchange() + t.hostExchange() + t.sync() + t.unattributed() ==
          t.total() * 4);
    CHECK(t.counterReads() >= before.counterReads() + 36);
    for (const auto &step : blocks.execution().steps())
      CHECK(step.program()->type() != pva::Program::Type::Block);
  }

  TEST_CASE("times go on from run to run, and blocks say which run they belong to") {
    const Device device = simulatedIpus(1, 4);
    Work w(device);
    Engine engine(w.graph, Sequence(Block(w.operation("a", 0), "a")), {{"profiler.blocks.filter", "a"}});
    engine.load(device);
    for (int i = 0; i < 5; ++i)
      engine.run();
    const auto blocks = engine.getReport().execution().blocks(0);
    REQUIRE(blocks.size() == 5);
    for (unsigned i = 0; i < 5; ++i) {
      CHECK(blocks[i].runNumber() == i);
      CHECK(blocks[i].isClosed());
      if (i > 0)
        CHECK(blocks[i].cyclesFrom() > blocks[i - 1].cyclesTo());
    }
    CHECK(engine.getReport().execution().runs().empty()); // nothing else was requested
    engine.resetExecutionProfile();
    CHECK(engine.getReport().execution().blocks(0).empty());
    engine.disableExecutionProfiling();
    engine.run();
    CHECK(engine.getReport().execution().blocks(0).empty());
    engine.enableExecutionProfiling();
    engine.run();
    CHECK(engine.getReport().execution().blocks(0).size() == 1);
  }

  TEST_CASE("an IPU Model records blocks without buffers, memory or cost") {
    const Device device = smallModel(4);
    Work w(device);
    const Repeat loop(100, Sequence(w.operation("operation", 0)));
    const auto plain = runOnce(w.graph, loop, {}, device);
    const auto report = runOnce(w.graph, loop, {{"profiler.programs.filter", "operation"}}, device);
    CHECK(countBlocks(report, 0) == Counts{100, 0, 0, 0});
    CHECK(report.execution().totalCycles().total() == plain.execution().totalCycles().total());
    CHECK(report.compilation().tiles()[0].memory().total().includingGaps() ==
          plain.compilation().tiles()[0].memory().total().includingGaps());
  }

  TEST_CASE("a run that stops keeps its blocks; those that were open have no end") {
    const Device device = simulatedIpus(1, 4);
    Work w(device);
    const Sequence program(Block(w.operation("a", 0), "a"), Block(Sequence(w.operation("b", 0), Abort("enough")), "b"));
    Engine engine(w.graph, program, {{"profiler.blocks.filter", "[ab]"}});
    engine.load(device);
    CHECK_THROWS_WITH_AS(engine.run(), doctest::Contains("enough"), application_runtime_error);
    const auto blocks = engine.getReport().execution().blocks(0);
    REQUIRE(blocks.size() == 2);
    CHECK(blocks[0].isClosed());
    CHECK_FALSE(blocks[1].isClosed());
    CHECK(blocks[1].cyclesTo() == blocks[1].cyclesFrom());
  }

  TEST_CASE("an executable keeps its blocks") {
    const Device device = simulatedIpus(1, 4);
    Work w(device);
    std::stringstream file;
    const Program program = Repeat(3, Sequence(Block(w.operation("a", 0), "a")));
    compileGraph(w.graph, {program}, {{"profiler.blocks.filter", "a"}}).serialize(file);
    Engine engine(Executable::deserialize(file));
    engine.load(device);
    engine.run();
    CHECK(countBlocks(engine.getReport(), 0) == Counts{3, 0, 0, 0});
  }

  TEST_CASE("what cannot be recorded is refused, with option, value and limit") {
    const Device device = simulatedIpus(1, 4);
    Work w(device);
    const Program program = w.operation("a", 0);
    const auto message = [&](const OptionFlags &options) {
      try {
        Engine engine(w.graph, program, options);
      } catch (const invalid_option &e) {
        return std::string(e.what());
      }
      return std::string();
    };
    for (const char *key : {"profiler.blocks.filter", "profiler.programs.filter"}) {
      CHECK(message({{key, "stage("}}).find(std::string(key) + "\": value \"stage(\" is not a regular expression") !=
            std::string::npos);
      CHECK(message({{key, std::string(1001, 'a')}}).find("at most 1000") != std::string::npos);
      CHECK(message({{key, "(a)\\1"}}).find("not a regular expression") != std::string::npos);
    }
    CHECK(message({{"profiler.blocks.filter", "a"}, {"profiler.blocks.tile", "4"}}).find("give 0 to 3") !=
          std::string::npos);
    CHECK(message({{"profiler.blocks.filter", "a"}, {"profiler.blocks.bufferSize", "0"}})
              .find("profiler.blocks.bufferSize") != std::string::npos);
    CHECK(message({{"profiler.blocks.filter", "a"}, {"profiler.blocks.bufferSize", "700000"}}).find("638976") !=
          std::string::npos);
    CHECK(message({{"profiler.blocks.filter", "(a*)*b"}}).empty()); // does not take exponential time
  }
}
