// instrumentationResults: what the counters of debug.instrument take on a (simulated) IPU.
#include "tests/check/memory/MemoryPrograms.hpp"

#include <doctest/doctest.h>

using namespace memory_tests;
using namespace poplar;
using namespace poplar::program;

namespace {

/// Two vertices on tile 1, one on tile 2, one on tile 5 (of the second IPU).
struct Fixture {
  Graph graph;
  ComputeSet cs;
  explicit Fixture(const Target &target) : graph(target) {
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
OptionFlags level(const char *name) { return {{"debug.instrumentCompute", "true"}, {"debug.computeInstrumentationLevel", name}}; }

} // namespace

TEST_SUITE("memory.counters") {

TEST_CASE("without instrumentation there is none, and on a model there never is") {
  CHECK(results(Fixture(ipuTarget(4, 2)).compiled({})) == Row(8, 0));
  CHECK(results(Fixture(modelTarget(4, 2)).compiled(level("vertex"))) == Row(8, 0));
}

TEST_CASE("level tile: 4 bytes and 5 instructions for a compute set on each tile that runs a part of it") {
  const Fixture f(ipuTarget(4, 2));
  const Compiled c = f.compiled(level("tile"));
  CHECK(results(c) == Row{0, 4, 4, 0, 0, 4, 0, 0});
  CHECK(controlCode(c, 1) == (6 + 2 * 3 + 5) * 4);
  CHECK(controlCode(c, 0) == 0);
}

TEST_CASE("level vertex: as much for each vertex") {
  const Compiled c = Fixture(ipuTarget(4, 2)).compiled(level("vertex"));
  CHECK(results(c) == Row{0, 8, 4, 0, 0, 4, 0, 0});
  CHECK(controlCode(c, 1) == (6 + 2 * 3 + 2 * 5) * 4);
}

TEST_CASE("level ipu: on the first tile of each IPU, after a sync of all tiles") {
  const Compiled c = Fixture(ipuTarget(4, 2)).compiled(level("ipu"));
  CHECK(results(c) == Row{4, 0, 0, 0, 4, 0, 0, 0});
  CHECK(controlCode(c, 0) == (1 + 5) * 4); // sync, counter
  CHECK(controlCode(c, 3) == 1 * 4);
  CHECK(controlCode(c, 1) == (1 + 6 + 2 * 3) * 4);
}

TEST_CASE("level device: on tile 0") { CHECK(results(Fixture(ipuTarget(4, 2)).compiled(level("device"))) == Row{4, 0, 0, 0, 0, 0, 0, 0}); }

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

} // TEST_SUITE
