// The category instrumentationResults: the bytes of the counters of debug.instrument on a (simulated) IPU.
#include "tests/check/memory/MemoryPrograms.hpp"

#include <doctest/doctest.h>

using namespace memory_tests;
using namespace poplar;
using namespace poplar::program;

namespace {

/// Two vertices on tile 1, one on tile 2, one on tile 5 (of the second IPU).
struct CounterFixture {
  Graph graph;
  ComputeSet cs;
  explicit CounterFixture(const Target &target) : graph(target) {
    addCodelets(graph);
    cs = graph.addComputeSet("cs");
    for (const unsigned tile : {1u, 1u, 2u, 5u}) {
      const VertexRef v = vertexOn(graph, cs, "Scale", tile);
      graph.connect(v["x"], onTile(graph, 4, tile, "x"));
      graph.setInitialValue(v["by"], 2.0f);
    }
  }
  Compiled compiled(const OptionFlags &options) const { return compile(graph, {Execute(cs)}, options); }
};

std::vector<std::uint64_t> results(const Compiled &c) {
  std::vector<std::uint64_t> bytesOfTile;
  for (unsigned tile = 0; tile < 8; ++tile)
    bytesOfTile.push_back(bytes(c, tile, StorageCategory::InstrumentationResults));
  return bytesOfTile;
}
std::uint64_t controlCode(const Compiled &c, unsigned tile) { return bytes(c, tile, StorageCategory::ControlCode); }

using Row = std::vector<std::uint64_t>;
OptionFlags level(const char *name) {
  return {{"debug.instrumentCompute", "true"}, {"debug.computeInstrumentationLevel", name}};
}

} // namespace

TEST_SUITE("memory.counters") {

  TEST_CASE("without instrumentation, and on a model, there are no results of counters") {
    CHECK(results(CounterFixture(ipuTarget(4, 2)).compiled({})) == Row(8, 0));
    CHECK(results(CounterFixture(modelTarget(4, 2)).compiled(level("vertex"))) == Row(8, 0));
  }

  TEST_CASE("level tile: 4 bytes and 5 instructions for a compute set on each tile that runs a part of it") {
    const CounterFixture f(ipuTarget(4, 2));
    const Compiled c = f.compiled(level("tile"));
    CHECK(results(c) == Row{0, 4, 4, 0, 0, 4, 0, 0});
    CHECK(controlCode(c, 1) == (6 + 2 * 3 + 5) * 4);
    CHECK(controlCode(c, 0) == 0);
  }

  TEST_CASE("level vertex: 4 bytes and 5 instructions for each vertex") {
    const Compiled c = CounterFixture(ipuTarget(4, 2)).compiled(level("vertex"));
    CHECK(results(c) == Row{0, 8, 4, 0, 0, 4, 0, 0});
    CHECK(controlCode(c, 1) == (6 + 2 * 3 + 2 * 5) * 4);
  }

  TEST_CASE("level ipu: the counter is on the first tile of each IPU, behind a sync of all tiles") {
    const Compiled c = CounterFixture(ipuTarget(4, 2)).compiled(level("ipu"));
    CHECK(results(c) == Row{4, 0, 0, 0, 4, 0, 0, 0});
    CHECK(controlCode(c, 0) == (1 + 5) * 4); // sync, counter
    CHECK(controlCode(c, 3) == 1 * 4);
    CHECK(controlCode(c, 1) == (1 + 6 + 2 * 3) * 4);
  }

  TEST_CASE("level device: the counter is on tile 0") {
    CHECK(results(CounterFixture(ipuTarget(4, 2)).compiled(level("device"))) == Row{4, 0, 0, 0, 0, 0, 0, 0});
  }

  TEST_CASE("external exchange: begin, middle and end of a host copy on its tile") {
    Graph graph(ipuTarget(4, 2));
    const Tensor a = onTile(graph, 10, 1, "a");
    const DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 10);
    const Compiled c = compile(graph, {Copy(in, a)}, {{"debug.instrumentExternalExchange", "true"}});
    CHECK(results(c) == Row{0, 3 * 4, 0, 0, 0, 0, 0, 0});
    CHECK(results(compile(graph, {Copy(in, a)}, {{"debug.instrument", "true"}})) == Row{0, 3 * 4, 0, 0, 0, 0, 0, 0});
    CHECK(results(compile(graph, {Copy(in, a)}, {{"debug.instrumentCompute", "true"}})) == Row(8, 0));
  }

  TEST_CASE("external exchange: both ends of an exchange between IPUs; what two steps share is counted once") {
    Graph graph(ipuTarget(4, 2));
    const Tensor a = onTile(graph, 10, 1, "a"), b = onTile(graph, 10, 6, "b");
    const Copy copy(a, b);
    const Compiled c = compile(graph, {Sequence({copy, copy})}, {{"debug.instrument", "true"}});
    CHECK(results(c) == Row{0, 4, 0, 0, 0, 0, 4, 0});
  }

  TEST_CASE(
      "control flow: cycles of each loop and conditional, and what it did, on the last tile or the one that is named") {
    Graph graph(ipuTarget(4, 2));
    addCodelets(graph);
    const Tensor flag = graph.addVariable(BOOL, {1}, "flag"), which = graph.addVariable(INT, {1}, "which"),
                 x = onTile(graph, 4, 3, "x");
    graph.setTileMapping(flag, 1);
    graph.setTileMapping(which, 2);
    const ComputeSet cs = graph.addComputeSet("cs");
    const VertexRef v = vertexOn(graph, cs, "Scale", 3);
    graph.connect(v["x"], x);
    graph.setInitialValue(v["by"], 2.0f);
    const Execute work(cs);
    const Sequence all({If(flag[0], work, Sequence()), Switch(which[0], {{1, work}, {2, Sequence()}}), Repeat(3, work),
                        RepeatWhileTrue(Sequence(), flag[0], work)});
    const Compiled plain = compile(graph, {all}, {}),
                   counted = compile(graph, {all}, {{"debug.instrumentControlFlow", "true"}});
    CHECK(results(plain) == Row(8, 0));
    CHECK(results(counted) == Row{0, 0, 0, 0, 0, 0, 0, 8 + 8 + 4 + 8});
    // If and Switch: 5 instructions for the cycles, 2 to store the branch. Repeat: its count is known. RepeatWhile: 2
    // more to count.
    CHECK(controlCode(counted, 7) - controlCode(plain, 7) == ((5 + 2) + (5 + 2) + 5 + (5 + 2 + 2)) * 4);
    for (unsigned tile = 0; tile < 7; ++tile)
      CHECK(controlCode(counted, tile) == controlCode(plain, tile));
    CHECK(results(compile(graph, {all}, {{"debug.instrumentControlFlow", "true"}, {"debug.branchRecordTile", "2"}})) ==
          Row{0, 0, 28, 0, 0, 0, 0, 0});
    CHECK_THROWS_WITH_AS(
        compile(graph, {all}, {{"debug.instrumentControlFlow", "true"}, {"debug.branchRecordTile", "8"}}),
        "engine option \"debug.branchRecordTile\": there is no tile 8; the device has 8 tiles, numbered from 0",
        poplar::invalid_option);
    CHECK_THROWS_AS(compile(graph, {all}, {{"debug.branchRecordTile", "last"}}), poplar::invalid_option);
  }

  TEST_CASE("a model has no counters of control flow either") {
    Graph graph(modelTarget(4, 2));
    const Tensor flag = graph.addVariable(BOOL, {1}, "flag");
    graph.setTileMapping(flag, 1);
    CHECK(results(compile(graph, {If(flag[0], Sequence(), Sequence())}, {{"debug.instrument", "true"}})) == Row(8, 0));
  }

} // TEST_SUITE
