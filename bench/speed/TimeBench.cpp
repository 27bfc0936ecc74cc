// Measures time alone: computing tile times from vertex cycles, and repeating a program of fixed cost from its kept
// patterns. Items are vertices.
#include "bench/speed/TimedProgram.hpp"

#include "base/Parallel.hpp"
#include "instrument/counters/Counters.hpp"
#include "instrument/machine/ComputeTime.hpp"
#include "instrument/machine/DeviceState.hpp"
#include "instrument/machine/Machine.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

using namespace popscope;

namespace {

struct Silent : EventSink {
  void beginRun(std::uint32_t, const std::string &) override {}
  void step(const StepEvent &event) override { benchmark::DoNotOptimize(event.end.data()); }
  void endRun(std::span<const Cycles>) override {}
};
struct NoProfile : ProfileSink {
  void compilation(const CompilationRecord &) override {}
  void beginRun(const RunRecord &) override {}
  void step(const StepRecord &record) override { benchmark::DoNotOptimize(&record); }
  void endRun(const RunTotals &, std::optional<double>) override {}
  void resetExecution() override {}
};

TileMachine machine(std::uint32_t tiles) {
  TileMachine m = loadTileMachine("ipu1");
  m.tilesPerIpu = tiles;
  return m;
}

/// The parts of a machine that time needs.
struct Parts {
  explicit Parts(const bench::TimedShape &shape)
      : program(bench::timedProgram(shape)), codelets(bench::timedCodelets()), costs(machine(shape.tiles)),
        state(program), objects(program, codelets, state), groups(program), cycles(program, objects, costs, {}),
        counters(program, costs), clocks(shape.tiles, shape.tiles, costs) {
    clocks.start(&sink);
  }
  /// Times the first execution of the last compute set.
  void costOnce(unsigned threads) {
    ComputeTime time(program, objects, groups, cycles, costs.machine().workerContexts, {threads});
    time.pass(StepIndex(static_cast<std::uint32_t>(program.steps.size() - 1)), clocks, counters);
  }
  StepProgram program;
  CodeletSet codelets;
  CostModel costs;
  DeviceState state;
  VertexObjects objects;
  ComputeGroups groups;
  VertexCycles cycles;
  CounterTimes counters;
  Clocks clocks;
  Silent sink;
};

/// Measures the first execution of a compute set: nothing is kept yet, and every vertex is visited. Uses one thread and
/// CPU time.
void BM_CostVertices(benchmark::State &state) {
  Parts p({static_cast<std::uint32_t>(state.range(0)), 1, static_cast<std::uint32_t>(state.range(1)), 1});
  for (auto _ : state)
    p.costOnce(1);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(p.program.vertices.size()));
}
BENCHMARK(BM_CostVertices)
    ->ArgNames({"tiles", "vertices"})
    ->Args({64, 60})
    ->Args({1472, 6})
    ->Args({1472, 60})
    ->Args({1472, 2000})
    ->Unit(benchmark::kMicrosecond);

/// Measures the first execution alternately with one and with two threads. Reports the best wall time of all
/// repetitions, because the machine may be under load.
void BM_CostVerticesTwoThreads(benchmark::State &state) {
  Parts p({static_cast<std::uint32_t>(state.range(0)), 1, static_cast<std::uint32_t>(state.range(1)), 1});
  double best[2] = {1e9, 1e9};
  const auto timed = [&](unsigned threads) {
    p.costOnce(threads); // wakes the workers
    const auto start = std::chrono::steady_clock::now();
    p.costOnce(threads);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best[threads - 1] = std::min(best[threads - 1], seconds);
    return seconds;
  };
  for (auto _ : state) {
    (void)timed(1);
    state.SetIterationTime(timed(2));
  }
  state.counters["ms_one_thread"] = best[0] * 1e3;
  state.counters["ms_two_threads"] = best[1] * 1e3;
  state.counters["speed_up"] = best[0] / best[1];
}
BENCHMARK(BM_CostVerticesTwoThreads)
    ->ArgNames({"tiles", "vertices"})
    ->Args({64, 60})
    ->Args({1472, 60})
    ->Args({1472, 2000})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// Measures all executions after the first, with all data for the profile. Uses one thread and CPU time.
void BM_Replay(benchmark::State &state) {
  const bench::TimedShape shape{static_cast<std::uint32_t>(state.range(0)), 10,
                                static_cast<std::uint32_t>(state.range(1)), 20};
  const StepProgram program = bench::timedProgram(shape);
  const CodeletSet codelets = bench::timedCodelets();
  const CostModel costs(machine(shape.tiles));
  MachineOptions oneThread;
  oneThread.threads = {1};
  Machine m(program, codelets, costs, oneThread);
  NoProfile profile;
  Counters counters(program, shape.tiles, profile);
  m.replay(0, "first", counters);
  for (auto _ : state)
    m.replay(0, "again", counters);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(program.vertices.size() * shape.repeats));
}
BENCHMARK(BM_Replay)
    ->ArgNames({"tiles", "vertices"})
    ->Args({64, 6})
    ->ArgsProduct({{1472}, {1, 6, 60}})
    ->Unit(benchmark::kMicrosecond);

} // namespace
