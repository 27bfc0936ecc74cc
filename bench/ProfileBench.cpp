// Measures printing the summary of a recorded run from its profile.
#include "bench/Programs.hpp"

#include <benchmark/benchmark.h>

#include <sstream>

namespace {

void BM_Summary(benchmark::State &state) {
  bench::Ring ring(static_cast<unsigned>(state.range(0)), 64, 10);
  poplar::Engine engine(ring.graph, ring.program);
  engine.load(ring.device);
  engine.run();
  std::size_t bytes = 0;
  for (auto _ : state) {
    std::ostringstream text;
    engine.printProfileSummary(text, {{"showVarStorage", "true"}, {"showExecutionSteps", "true"}});
    bytes = text.str().size();
  }
  state.counters["characters"] = static_cast<double>(bytes);
}
BENCHMARK(BM_Summary)->ArgName("tiles")->Arg(64)->Arg(1216)->Unit(benchmark::kMillisecond);

} // namespace
