// Measures the compilation of programs whose shapes differ from a neural network's, each with all reports. Time must
// not grow faster than the number of steps, whatever the steps do to one variable; the fit of each family (its BigO
// row) shows the growth.
#include "bench/Folder.hpp"
#include "bench/Programs.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr unsigned kTiles = 64, kWords = 8;

/// A program to which steps are added.
struct Growing {
  explicit Growing(bool withCode) : device(bench::makeDevice(kTiles, withCode)), graph(device.getTarget()) {
    bench::addCodelets(graph);
    for (Tensor *x : {&a, &b}) {
      *x = graph.addVariable(FLOAT, {kWords}, x == &a ? "a" : "b");
      graph.setTileMapping(*x, x == &a ? 0 : 1);
    }
    flag = graph.addVariable(INT, {}, "flag");
    graph.setTileMapping(flag, 2);
  }
  /// Returns an Execute of one vertex that adds to `x` on that tile.
  Execute bump(const Tensor &x, unsigned tile) {
    const ComputeSet cs = graph.addComputeSet("bump");
    const VertexRef v = graph.addVertex(cs, "Bump", {{"x", x}});
    graph.setInitialValue(v["by"], 1.0F);
    graph.setTileMapping(v, tile % kTiles);
    graph.setPerfEstimate(v, 40);
    return Execute(cs);
  }
  Tensor variable(unsigned tile) {
    const Tensor x = graph.addVariable(FLOAT, {kWords}, "x");
    graph.setTileMapping(x, tile % kTiles);
    return x;
  }
  Device device;
  Graph graph;
  Tensor a, b, flag;
  Sequence program;
};

using Build = std::function<void(Growing &, unsigned steps)>;

/// Adds copies, each of which reads the result of the previous copy.
void dependentCopies(Growing &s, unsigned steps) {
  for (unsigned i = 0; i < steps; ++i)
    s.program.add(i % 2 == 0 ? Copy(s.a, s.b) : Copy(s.b, s.a));
}
/// Adds copies between separate variables, which become one exchange.
void independentCopies(Growing &s, unsigned steps) {
  for (unsigned i = 0; i < steps; ++i)
    s.program.add(Copy(s.variable(i), s.variable(5 * i + 1)));
}
void computeSets(Growing &s, unsigned steps) {
  for (unsigned i = 0; i < steps; ++i)
    s.program.add(s.bump(i % 2 == 0 ? s.a : s.b, 7 * i));
}
/// Adds partial writes only, so that no variable that is read ever dies.
void partialWrites(Growing &s, unsigned steps) {
  for (unsigned i = 0; i < steps; ++i)
    s.program.add(Copy(s.a[i % kWords], s.b[3 * i % kWords]));
}
/// Adds functions nested fifty deep, each called from two places.
void calls(Growing &s, unsigned steps) {
  constexpr unsigned kDeep = 50;
  Function f = s.graph.addFunction(Copy(s.a, s.b));
  for (unsigned i = 0; i < steps; ++i) {
    f = s.graph.addFunction(i % kDeep == 0 ? Sequence(Copy(s.b, s.a)) : Sequence(Call(f), Copy(s.a, s.b), Call(f)));
    if (i % kDeep + 1 == kDeep)
      s.program.add(Call(f));
  }
}
void loops(Growing &s, unsigned steps) {
  for (unsigned i = 0; i < steps; ++i)
    s.program.add(Repeat(3, Sequence(Copy(s.a, s.b), Copy(s.b, s.a))));
}
void branches(Growing &s, unsigned steps) {
  for (unsigned i = 0; i < steps; ++i)
    s.program.add(If(s.flag, Copy(s.a, s.b), Copy(s.b, s.a)));
}
/// Adds variables that are written first and read last, so that all are live at the same time.
void longLives(Growing &s, unsigned steps) {
  Sequence reads;
  for (unsigned i = 0; i < steps; ++i) {
    const Tensor x = s.variable(i);
    s.program.add(Copy(s.a, x));
    reads.add(Copy(x, s.b));
  }
  s.program.add(reads);
}

/// Adds a branch in a loop, with an arm per step and a separate variable in each arm.
void arms(Growing &s, unsigned steps) {
  Switch branch(s.flag);
  for (unsigned i = 0; i < steps; ++i) {
    const Tensor x = s.variable(i);
    branch.add(static_cast<int>(i), Sequence(Copy(s.a, x), Copy(x, s.b)));
  }
  s.program.add(Repeat(3, branch));
}

/// Adds a tensor of 128 elements per step, stored by columns on the host and by rows on the tiles. It is copied in and
/// out again through a copy that also views it by columns.
void hostOrder(Growing &s, unsigned steps) {
  constexpr std::size_t kRow = 128;
  const auto addTensor = [&](const char *name) {
    return s.graph.addVariable(FLOAT, {steps, kRow}, VariableMappingMethod::LINEAR, name).transpose();
  };
  const Tensor x = addTensor("in"), y = addTensor("out");
  s.program.add(Copy(s.graph.addHostToDeviceFIFO("in", FLOAT, kRow * steps), x));
  s.program.add(Copy(x, y));
  s.program.add(Copy(y, s.graph.addDeviceToHostFIFO("out", FLOAT, kRow * steps)));
}

void compile(benchmark::State &state, const Build &build, bool withCode) {
  const auto steps = static_cast<unsigned>(state.range(0));
  Growing shape(withCode);
  build(shape, steps);
  const bench::Folder folder;
  const OptionFlags flags{
      {"autoReport.all", "true"}, {"autoReport.directory", folder.path}, {"debug.allowOutOfMemory", "true"}};
  for (auto _ : state) {
    const Engine engine(shape.graph, shape.program, flags);
    benchmark::DoNotOptimize(&engine);
  }
  state.SetComplexityN(steps);
  state.SetItemsProcessed(state.iterations() * steps);
}

/// Queries a matrix of 16 rows whose elements are in random order in memory. Each tile queries the sorted regions of
/// its share of the first row, and that share of all columns. The number of elements does not depend on the number of
/// tiles.
void askTileByTile(benchmark::State &state) {
  constexpr std::size_t kRows = 16, kColumns = std::size_t(1) << 16;
  const auto tiles = static_cast<std::size_t>(state.range(0));
  const Device device = bench::makeDevice(static_cast<unsigned>(tiles), false);
  Graph graph(device.getTarget());
  const Tensor memory = graph.addVariable(FLOAT, {kRows * kColumns}, VariableMappingMethod::LINEAR, "memory");
  std::vector<Interval> order;
  for (std::size_t i = 0; i < kRows * kColumns; ++i)
    order.emplace_back(i, i + 1);
  std::shuffle(order.begin(), order.end(), std::mt19937(1)); // NOLINT(cert-msc51-cpp): the same each time
  const Tensor matrix = concat(memory.slices(order)).reshape({kRows, kColumns});
  for (auto _ : state)
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      const Interval share(kColumns * tile / tiles, kColumns * (tile + 1) / tiles);
      benchmark::DoNotOptimize(graph.getSortedContiguousRegions(matrix[0], {share}));
      benchmark::DoNotOptimize(matrix.transpose().slice(share));
    }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows * kColumns));
}
BENCHMARK(askTileByTile)
    ->Name("BM_AskTileByTile")
    ->ArgName("tiles")
    ->Arg(16)
    ->Arg(64)
    ->Arg(256)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);

const int registered = [] {
  struct Family {
    const char *name;
    Build build;
    bool withCode;
  };
  const Family families[] = {{"dependentCopies", dependentCopies, false},
                             {"independentCopies", independentCopies, false},
                             {"computeSets", computeSets, false},
                             {"partialWrites", partialWrites, false},
                             {"calls", calls, false},
                             {"loops", loops, false},
                             {"branches", branches, false},
                             {"longLives", longLives, false},
                             {"arms", arms, false},
                             {"hostOrder", hostOrder, false},
                             {"codeThatDoesNotFit", computeSets, true}}; // at 8,000 steps and more
  for (const Family &family : families)
    benchmark::RegisterBenchmark((std::string("BM_Shape/") + family.name).c_str(), compile, family.build,
                                 family.withCode)
        ->ArgName("steps")
        ->Arg(1000)
        ->Arg(8000)
        ->Arg(16000)
        ->Arg(32000)
        ->MeasureProcessCPUTime()
        ->Complexity()
        ->Unit(benchmark::kMillisecond);
  return 0;
}();

} // namespace
