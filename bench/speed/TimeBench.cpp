// Time alone: cycles of vertices to times of tiles, and a program of fixed cost run again from what was kept of it. Items are
// vertices. CPU time of one thread; with two threads the best wall time of the repetitions says how they scale.
#include "bench/speed/TimedProgram.hpp"

#include "base/Parallel.hpp"
#include "instrument/counters/Counters.hpp"
#include "instrument/machine/ComputeTime.hpp"
#include "instrument/machine/DeviceState.hpp"
#include "instrument/machine/Machine.hpp"

#include <benchmark/benchmark.h>

using namespace popscope;

namespace {

struct Silent : EventSink {
  void beginRun(std::uint32_t, const std::string &) override {}
  void step(const StepEvent &event) override { benchmark::DoNotOptimize(event.end.data()); }
  void endRun(std::span<const std::uint64_t>) override {}
};
struct NoProfile : ProfileSink {
  void compilation(const CompilationRecord &) override {}
  void beginRun(const RunRecord &) override {}
  void step(const StepRecord &record) override { benchmark::DoNotOptimize(&record); }
  void endRun(const RunTotals &, double) override {}
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
      : program(bench::timedProgram(shape)), codelets(bench::timedCodelets()), costs(machine(shape.tiles)), state(program),
        objects(program, codelets, state), groups(program), cycles(program, objects, costs, {}), counters(program, costs),
        clocks(shape.tiles, shape.tiles, costs) {}
  StepProgram program;
  CodeletSet codelets;
  CostModel costs;
  DeviceState state;
  VertexObjects objects;
  ComputeGroups groups;
  VertexCycles cycles;
  CounterTimes counters;
  Clocks clocks;
};

/// The first execution of a compute set: nothing is kept, every vertex is looked at.
void BM_CostVertices(benchmark::State &state) {
  setParallelThreads(static_cast<unsigned>(state.range(1)));
  Parts p({static_cast<std::uint32_t>(state.range(0)), 1, static_cast<std::uint32_t>(state.range(2)), 1});
  const StepIndex execute(static_cast<std::uint32_t>(p.program.steps.size() - 1));
  Silent sink;
  p.clocks.start(&sink);
  for (auto _ : state) {
    ComputeTime time(p.program, p.objects, p.groups, p.cycles, p.costs.machine().workerContexts);
    time.pass(execute, p.clocks, p.counters);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(p.program.vertices.size()));
  setParallelThreads(0);
}
BENCHMARK(BM_CostVertices)->ArgNames({"tiles", "threads", "vertices"})->Args({64, 1, 60})->ArgsProduct({{1472}, {1, 2}, {6, 60, 2000}})
    ->Unit(benchmark::kMicrosecond)->UseRealTime()->MeasureProcessCPUTime();

/// All later executions, with everything that the profile gets to know made of them.
void BM_Replay(benchmark::State &state) {
  setParallelThreads(1);
  const bench::TimedShape shape{static_cast<std::uint32_t>(state.range(0)), 10, static_cast<std::uint32_t>(state.range(1)), 20};
  const StepProgram program = bench::timedProgram(shape);
  const CodeletSet codelets = bench::timedCodelets();
  const CostModel costs(machine(shape.tiles));
  Machine m(program, codelets, costs, {});
  NoProfile profile;
  Counters counters(program, shape.tiles, profile);
  m.replay(0, "first", counters);
  for (auto _ : state)
    m.replay(0, "again", counters);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(program.vertices.size() * shape.repeats));
  setParallelThreads(0);
}
BENCHMARK(BM_Replay)->ArgNames({"tiles", "vertices"})->Args({64, 6})->ArgsProduct({{1472}, {1, 6, 60}})
    ->Unit(benchmark::kMicrosecond)->MeasureProcessCPUTime();

} // namespace
