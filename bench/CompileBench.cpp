// Measures building and compiling a graph, end to end. The counter is the number of vertices compiled per second.
#include "bench/Programs.hpp"

#include <benchmark/benchmark.h>

#include <sys/resource.h>

namespace {

void BM_BuildGraph(benchmark::State &state) {
  for (auto _ : state) {
    bench::Ring ring(static_cast<unsigned>(state.range(0)), 64, 10);
    benchmark::DoNotOptimize(ring.graph.numVertices());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_BuildGraph)->ArgName("tiles")->Arg(64)->Arg(1216)->Unit(benchmark::kMillisecond);

void BM_Compile(benchmark::State &state) {
  bench::Ring ring(static_cast<unsigned>(state.range(0)), 64, 10);
  for (auto _ : state) {
    poplar::Executable executable = poplar::compileGraph(ring.graph, {ring.program});
    benchmark::DoNotOptimize(executable.isValid());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_Compile)->ArgName("tiles")->Arg(64)->Arg(1216)->Arg(1472)->Unit(benchmark::kMillisecond);

/// Compiles many vertices of one compute set, spread evenly over 1,216 tiles. Building the graph is not timed.
void BM_CompileVertices(benchmark::State &state) {
  const auto vertices = static_cast<unsigned>(state.range(0));
  bench::Many many(1216, vertices);
  for (auto _ : state) {
    poplar::Executable executable = poplar::compileGraph(many.graph, {many.program});
    benchmark::DoNotOptimize(executable.isValid());
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peakRssMB"] = static_cast<double>(usage.ru_maxrss) / 1024.0; // of the process, graph included
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_CompileVertices)->ArgName("vertices")->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_CompileVertices)->ArgName("vertices")->Arg(1000000)->Iterations(1)->Unit(benchmark::kMillisecond);

} // namespace
