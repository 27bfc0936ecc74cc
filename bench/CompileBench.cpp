// Building a graph and compiling it, end to end. Counters: vertices compiled per second.
#include "bench/Programs.hpp"

#include <benchmark/benchmark.h>

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
BENCHMARK(BM_Compile)->ArgName("tiles")->Arg(64)->Arg(1216)->Unit(benchmark::kMillisecond);

} // namespace
