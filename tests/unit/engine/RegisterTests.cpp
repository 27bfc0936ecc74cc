// Cycle counter, seeds and floating-point control while programs run.
#include "tests/unit/engine/Programs.hpp"

#include <poplar/CSRFunctions.hpp>
#include <poplar/CycleCount.hpp>
#include <poplar/RandomSeed.hpp>

#include <doctest/doctest.h>

#include <numeric>
#include <set>
#include <sstream>
#include <vector>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

std::uint64_t read64(Engine &engine, const char *handle) {
  std::uint64_t value = 0;
  engine.readTensor(handle, &value, &value + 1);
  return value;
}
std::vector<unsigned> readWords(Engine &engine, const char *handle, std::size_t n) {
  std::vector<unsigned> words(n);
  engine.readTensor(handle, words.data(), words.data() + n);
  return words;
}

// Returns the cycles of a sum of n floats on tile 1.
struct Counted {
  Device device = smallModel(4);
  Graph graph{device.getTarget()};
  Counted() { addTestCodelets(graph); }
  Program sum(unsigned n) {
    const Tensor x = graph.addVariable(FLOAT, {n}, "x"), out = graph.addVariable(FLOAT, {}, "out");
    const ComputeSet cs = graph.addComputeSet("sum");
    const VertexRef v = graph.addVertex(cs, "Sum", {{"in", x}, {"out", out}});
    for (const Tensor &t : {x, out})
      graph.setTileMapping(t, 1);
    graph.setTileMapping(v, 1);
    graph.setPerfEstimate(v, 6 * n);
    return Execute(cs);
  }
  std::uint64_t cyclesOf(Sequence prog, unsigned tile = 1, const OptionFlags &options = {}) {
    graph.createHostRead("cycles", cycleCount(graph, prog, tile, SyncType::INTERNAL));
    Engine engine(graph, prog, options);
    engine.load(device);
    engine.run();
    const std::uint64_t first = read64(engine, "cycles");
    engine.run();
    CHECK(read64(engine, "cycles") == first); // the same work takes the same time in every run
    return first;
  }
};

} // namespace

TEST_SUITE("engine.registers") {

  TEST_CASE("a plain vertex has the worker of its position on the tile, and a MultiVertex has all workers") {
    const Device device = smallModel(2);
    Graph graph(device.getTarget());
    std::stringstream codelets(
        "#include <ipu_builtins.h>\n#include <poplar/Vertex.hpp>\nusing namespace poplar;\n"
        "class Id : public Vertex { public: Output<unsigned> out;\n"
        "  bool compute() { *out = __builtin_ipu_get_worker_id(); return true; } };\n"
        "class Ids : public MultiVertex { public: Output<Vector<unsigned>> out;\n"
        "  bool compute(unsigned w) { out[w] = __builtin_ipu_get_worker_id(); return true; } };\n");
    graph.addCodelets(codelets);
    const ComputeSet plain = graph.addComputeSet("plain"), multi = graph.addComputeSet("multi");
    const Tensor ids = graph.addVariable(UNSIGNED_INT, {11}, "ids"), all = graph.addVariable(UNSIGNED_INT, {6}, "all");
    for (unsigned i = 0; i != 11; ++i) { // 8 vertices on tile 0, interleaved with 3 on tile 1
      const unsigned tile = i % 4 == 1 ? 1 : 0;
      const VertexRef v = graph.addVertex(plain, "Id", {{"out", ids[i]}});
      graph.setTileMapping(v, tile);
      graph.setTileMapping(ids[i], tile);
    }
    graph.setTileMapping(graph.addVertex(multi, "Ids", {{"out", all}}), 1);
    graph.setTileMapping(all, 1);
    graph.createHostRead("ids", ids);
    graph.createHostRead("all", all);
    Engine engine(graph, Sequence(Execute(plain), Execute(multi)));
    engine.load(device);
    engine.run();
    CHECK(readWords(engine, "ids", 11) == std::vector<unsigned>{0, 0, 1, 2, 3, 1, 4, 5, 0, 2, 1});
    CHECK(readWords(engine, "all", 6) == std::vector<unsigned>{0, 1, 2, 3, 4, 5});
  }

  TEST_CASE("cycleCount grows by the estimate of what it is put around") {
    const auto cycles = [](unsigned n) {
      Counted c;
      return c.cyclesOf(Sequence(c.sum(n)));
    };
    // The estimate is in cycles of a worker, which has every sixth slot of the tile.
    CHECK(cycles(1000) - cycles(100) == 6 * (6 * 900));
  }

  TEST_CASE("cycleCount around a loop counts every turn, and around nothing little") {
    const auto cycles = [](unsigned turns) {
      Counted c;
      return c.cyclesOf(Sequence(Repeat(turns, c.sum(1000))));
    };
    const std::uint64_t two = cycles(2), three = cycles(3), four = cycles(4);
    // the first iteration differs, because the tiles leave the previous sync at different times
    CHECK(four - three == three - two);
    CHECK(three - two >= 6 * 6000);
    CHECK(three - two < 6 * 6000 + 1000);
    CHECK(cycles(0) < 1000);
  }

  TEST_CASE("time passes for cycleCount where no run is recorded") {
    Counted recorded, silent;
    const std::uint64_t cycles = recorded.cyclesOf(Sequence(recorded.sum(500)));
    CHECK(silent.cyclesOf(Sequence(silent.sum(500)), 1, {{"autoReport.executionProfileProgramRunCount", "0"}}) ==
          cycles);
  }

  TEST_CASE("stamps never go back, within a run and from run to run") {
    Counted c;
    Sequence prog;
    const Tensor before = cycleStamp(c.graph, prog, 0, SyncType::INTERNAL, "before");
    prog.add(c.sum(200));
    const std::vector<Tensor> after = cycleStamp(c.graph, prog, {0, 3}, SyncType::INTERNAL, "after");
    c.graph.createHostRead("before", before);
    c.graph.createHostRead("after0", after[0]);
    c.graph.createHostRead("after3", after[1]);
    Engine engine(c.graph, prog);
    engine.load(c.device);
    std::uint64_t last = 0;
    for (int run = 0; run < 3; ++run) {
      engine.run();
      const std::uint64_t begin = read64(engine, "before"), end = read64(engine, "after0");
      CHECK(begin >= last);
      CHECK(end >= begin + 6 * 200);
      CHECK(read64(engine, "after3") > begin);
      last = end;
    }
  }

  TEST_CASE("what setHwSeeds wrote is what getHwSeeds reads, row by row") {
    Device device = smallModel(4);
    Graph graph(device.getTarget());
    const std::size_t n = 4 * graph.getTarget().getNumWorkerContexts() * 4;
    Sequence prog;
    const Tensor first = getHwSeeds(graph, prog, "first");
    const Tensor given = graph.addVariable(UNSIGNED_INT, first.shape(), "given");
    graph.setTileMapping(given, 2); // not on the tiles of the registers
    graph.createHostWrite("given", given);
    setHwSeeds(graph, given, prog);
    const Tensor second = getHwSeeds(graph, prog, "second");
    graph.createHostRead("first", first);
    graph.createHostRead("second", second);
    Engine engine(graph, prog);
    engine.load(device);
    std::vector<unsigned> values(n);
    std::iota(values.begin(), values.end(), 17u);
    engine.writeTensor("given", values.data(), values.data() + n);
    engine.run();
    const std::vector<unsigned> start = readWords(engine, "first", n);
    CHECK(std::set<unsigned>(start.begin(), start.end()).size() == n); // all words have different initial values
    CHECK(readWords(engine, "second", n) == values);
    engine.run();
    CHECK(readWords(engine, "first", n) == values); // the registers keep what was written
  }

  TEST_CASE("floating-point behaviour is what programs made it, and can be put back") {
    Device device = smallModel(2);
    Graph graph(device.getTarget());
    const Target &target = graph.getTarget();
    Sequence prog;
    setFloatingPointBehaviour(graph, prog, FloatingPointBehaviour(true, true, false, false, true));
    const Tensor before =
        getAndModifyFloatingPointBehaviour(graph, prog, FloatingPointBehaviour(true, false, false, false, false),
                                           FloatingPointBehaviour(false, false, true, false, false));
    setStochasticRounding(graph, prog, true);
    const FloatingPointBehaviour nothing(false, false, false, false, false);
    const Tensor changed = getAndModifyFloatingPointBehaviour(graph, prog, nothing, nothing);
    setFloatingPointBehaviour(graph, prog, before);
    const Tensor restored = getAndModifyFloatingPointBehaviour(graph, prog, nothing, nothing);
    graph.createHostRead("before", before);
    graph.createHostRead("changed", changed);
    graph.createHostRead("restored", restored);
    Engine engine(graph, prog);
    engine.load(device);
    engine.run();
    const unsigned was = target.makeFpIctlValue(true, true, false, false, true);
    const unsigned is = target.makeFpIctlValue(false, true, true, true, true);
    CHECK(readWords(engine, "before", 2) == std::vector<unsigned>{was, was});
    CHECK(readWords(engine, "changed", 2) == std::vector<unsigned>{is, is});
    CHECK(readWords(engine, "restored", 2) == std::vector<unsigned>{was, was});
  }

  TEST_CASE("on a CPU device the functions are harmless") {
    Device device = Device::createCPUDevice();
    Graph graph(device.getTarget());
    Sequence prog;
    setFloatingPointBehaviour(graph, prog, FloatingPointBehaviour());
    const Tensor seeds = getHwSeeds(graph, prog);
    setHwSeeds(graph, seeds, prog);
    graph.createHostRead("cycles", cycleCount(graph, prog, 0));
    Engine engine(graph, prog);
    engine.load(device);
    engine.run();
    CHECK(read64(engine, "cycles") < 1000000);
  }
}
