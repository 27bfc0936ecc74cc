// Measures the analysis alone, on one thread, with programs that have as many variables as steps. Items are accesses.
// The counters are variables per second, bytes of the result per interval, and intervals. popscope_liveness_bench
// prints these figures and their growth as one table. BM_LivenessBitset is the dense reference implementation on the
// same programs. The benchmark compares both results bit by bit before it times the analyses.
#include "bench/BitsetLiveness.hpp"
#include "bench/StepPrograms.hpp"
#include "bench/liveness/CompareTwin.hpp"

#include "liveness/analysis/AnalyseLiveness.hpp"

#include <benchmark/benchmark.h>

#include <string>

namespace {

using bench::Shape;

void BM_LivenessSteps(benchmark::State &state) {
  const popscope::Threads threads{static_cast<unsigned>(state.range(2))};
  const auto shape = static_cast<Shape>(state.range(0));
  const auto steps = static_cast<std::uint32_t>(state.range(1));
  const popscope::StepProgram program = bench::stepProgram(shape, steps);
  popscope::LiveRanges ranges;
  for (auto _ : state)
    ranges = popscope::analyseLiveness(program, threads);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(program.accesses.size()));
  using Counter = benchmark::Counter;
  const auto vars = static_cast<double>(program.vars.size()), intervals = static_cast<double>(ranges.intervals.size());
  state.counters["vars/s"] = Counter(vars, Counter::kIsIterationInvariantRate);
  state.counters["intervals"] = intervals;
  const double bytes = intervals * sizeof(popscope::StepInterval) +
                       static_cast<double>(ranges.classes.size()) * sizeof(popscope::LiveClass) +
                       vars * (2 * sizeof(popscope::LiveClassId) + 1);
  state.counters["bytes/interval"] = bytes / intervals;
}
BENCHMARK(BM_LivenessSteps)
    ->ArgNames({"shape", "steps", "threads"})
    ->ArgsProduct({{0, 1, 2, 3}, {1000, 10000, 100000, 1000000}, {1}})
    ->Args({1, 1000000, 2})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

void BM_LivenessBitset(benchmark::State &state) {
  const popscope::StepProgram program =
      bench::stepProgram(static_cast<Shape>(state.range(0)), static_cast<std::uint32_t>(state.range(1)));
  if (const std::uint64_t wrong = bench::differingBits(program, popscope::analyseLiveness(program)); wrong != 0)
    return state.SkipWithError((std::to_string(wrong) + " bits differ from the analysis").c_str());
  for (auto _ : state) {
    bench::BitsetLiveness twin(program);
    benchmark::DoNotOptimize(twin.solve([](std::uint32_t, const std::vector<bench::Row> &) {}));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(program.accesses.size()));
}
BENCHMARK(BM_LivenessBitset)
    ->ArgNames({"shape", "steps"})
    ->ArgsProduct({{0, 1, 2, 3}, {1000, 10000}})
    ->Unit(benchmark::kMicrosecond);

} // namespace
