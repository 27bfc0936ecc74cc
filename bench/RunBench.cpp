// Measures runs of a program: once for values alone, and once with a recorded profile (including the stand-in's
// counts). Items are executed vertices. Also measures one sample of the host, by groups of figures.
#include "bench/Programs.hpp"
#include "engine/host/HostSampler.hpp"

#include <benchmark/benchmark.h>

namespace {

constexpr unsigned kIterations = 10;

void BM_Run(benchmark::State &state) {
  bench::Ring ring(static_cast<unsigned>(state.range(0)), 64, kIterations);
  poplar::Engine engine(ring.graph, ring.program);
  engine.load(ring.device);
  engine.disableExecutionProfiling();
  for (auto _ : state)
    engine.run();
  state.SetItemsProcessed(state.iterations() * state.range(0) * kIterations);
}
BENCHMARK(BM_Run)->ArgName("tiles")->Arg(64)->Arg(1216)->Unit(benchmark::kMillisecond);

void BM_RunProfiled(benchmark::State &state) {
  bench::Ring ring(static_cast<unsigned>(state.range(0)), 64, kIterations);
  poplar::Engine engine(ring.graph, ring.program, {{"autoReport.executionProfileProgramRunCount", "1"}});
  engine.load(ring.device);
  for (auto _ : state) {
    engine.run();
    state.PauseTiming();
    engine.resetExecutionProfile();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * kIterations);
}
BENCHMARK(BM_RunProfiled)->ArgName("tiles")->Arg(64)->Arg(1216)->Unit(benchmark::kMillisecond);

void BM_SampleHost(benchmark::State &state) {
  const popscope::HostMetrics metrics{true, state.range(0) > 0, state.range(0) > 1};
  for (auto _ : state)
    benchmark::DoNotOptimize(popscope::sampleHost(metrics));
}
BENCHMARK(BM_SampleHost)->ArgName("moreGroups")->DenseRange(0, 2)->Unit(benchmark::kMicrosecond);

} // namespace
