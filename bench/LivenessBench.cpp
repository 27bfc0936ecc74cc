// The analysis alone, one thread, on programs with as many variables as steps. Items are accesses. Counters: variables a
// second, bytes of the result for each interval, intervals; `growth` = log(time / time at a tenth of the steps) / log 10.
// BM_LivenessBitset is the dense twin on the same programs; before the timing both are compared bit by bit.
#include "bench/BitsetLiveness.hpp"
#include "bench/StepPrograms.hpp"

#include "base/Parallel.hpp"
#include "liveness/analysis/AnalyseLiveness.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>

namespace {

using bench::Shape;

double secondsOfAnalysis(const popscope::StepProgram &program) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(popscope::analyseLiveness(program).liveBytes.data());
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

void BM_LivenessSteps(benchmark::State &state) {
  popscope::setParallelThreads(static_cast<unsigned>(state.range(2)));
  const auto shape = static_cast<Shape>(state.range(0));
  const auto steps = static_cast<std::uint32_t>(state.range(1));
  const popscope::StepProgram program = bench::stepProgram(shape, steps);
  popscope::LiveRanges ranges;
  for (auto _ : state)
    ranges = popscope::analyseLiveness(program);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(program.accesses.size()));
  using Counter = benchmark::Counter;
  const auto vars = static_cast<double>(program.vars.size()), intervals = static_cast<double>(ranges.intervals.size());
  state.counters["vars/s"] = Counter(vars, Counter::kIsIterationInvariantRate);
  state.counters["intervals"] = intervals;
  const double bytes = intervals * sizeof(popscope::StepInterval) + static_cast<double>(ranges.classes.size()) * sizeof(popscope::LiveClass) +
                       vars * (2 * sizeof(popscope::LiveClassId) + 1);
  state.counters["bytes/interval"] = bytes / intervals;
  if (steps >= 10000)
    state.counters["growth"] = std::log10(secondsOfAnalysis(program) / secondsOfAnalysis(bench::stepProgram(shape, steps / 10)));
  popscope::setParallelThreads(0);
}
BENCHMARK(BM_LivenessSteps)->ArgNames({"shape", "steps", "threads"})->ArgsProduct({{0, 1, 2}, {1000, 10000, 100000, 1000000}, {1}})
    ->Args({1, 1000000, 2})->Unit(benchmark::kMicrosecond)->UseRealTime();

// Bits of the twin against intervals of the analysis; always-live variables are left out, their class says more.
std::uint64_t differences(const popscope::StepProgram &program, bench::BitsetLiveness &twin) {
  const popscope::LiveRanges ranges = popscope::analyseLiveness(program);
  std::uint64_t wrong = 0;
  twin.solve([&](std::uint32_t first, const std::vector<bench::Row> &rows) {
    for (std::uint32_t v = first; v < std::min<std::size_t>(first + 512, program.vars.size()); ++v) {
      if (ranges.always[popscope::VarId(v)])
        continue;
      const popscope::LiveClass &k = ranges.classes[ranges.live[popscope::VarId(v)].index()];
      std::uint32_t at = k.firstInterval;
      const std::uint32_t end = at + k.numIntervals;
      for (std::uint32_t s = 0; s < rows.size(); ++s) {
        while (at < end && ranges.intervals[at].end.index() <= s)
          ++at;
        const bool live = at < end && ranges.intervals[at].begin.index() <= s;
        wrong += live != ((rows[s].word[(v - first) / 64] >> ((v - first) % 64) & 1U) != 0);
      }
    }
  });
  return wrong;
}

void BM_LivenessBitset(benchmark::State &state) {
  const popscope::StepProgram program = bench::stepProgram(static_cast<Shape>(state.range(0)), static_cast<std::uint32_t>(state.range(1)));
  bench::BitsetLiveness check(program);
  if (const std::uint64_t wrong = differences(program, check); wrong != 0)
    return state.SkipWithError((std::to_string(wrong) + " bits differ from the analysis").c_str());
  for (auto _ : state) {
    bench::BitsetLiveness twin(program);
    benchmark::DoNotOptimize(twin.solve([](std::uint32_t, const std::vector<bench::Row> &) {}));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(program.accesses.size()));
}
BENCHMARK(BM_LivenessBitset)->ArgNames({"shape", "steps"})->ArgsProduct({{0, 1, 2}, {1000, 10000}})->Unit(benchmark::kMicrosecond);

} // namespace
