// Measures liveness and placement alone, on the steps of the ring. Counter `packed`: the bytes that overlapped
// allocations occupy divided by the lower bound, as the mean over the tiles that have any (1 = optimal).
#include "bench/Programs.hpp"

#include "engine/compile/Compile.hpp"
#include "graph/api/Estimates.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/lowering/Lower.hpp"
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/layout/PlaceAllocations.hpp"

#include <benchmark/benchmark.h>

namespace {

popscope::StepProgram lowered(const bench::Ring &ring) {
  const popscope::GraphIr &ir = popscope::irOf(ring.graph);
  return popscope::lower(ir, {popscope::nodeOf(ring.program)}, popscope::estimateVertices(ring.graph),
                         popscope::CostModel(ir.machine), {});
}

void BM_Liveness(benchmark::State &state) {
  const bench::Ring ring(static_cast<unsigned>(state.range(0)), 64, 10);
  const popscope::StepProgram program = lowered(ring);
  for (auto _ : state)
    benchmark::DoNotOptimize(popscope::analyseLiveness(program).liveBytes.data());
  state.counters["accesses"] = static_cast<double>(program.accesses.size());
}
BENCHMARK(BM_Liveness)->ArgName("tiles")->Arg(64)->Arg(1216)->Unit(benchmark::kMicrosecond);

void BM_Layout(benchmark::State &state) {
  const bench::Ring ring(static_cast<unsigned>(state.range(0)), 64, 10);
  const popscope::StepProgram program = lowered(ring);
  const popscope::LiveRanges ranges = popscope::analyseLiveness(program);
  const popscope::TileMachine &machine = popscope::irOf(ring.graph).machine;
  double ratio = 0;
  std::size_t tiles = 0;
  for (auto _ : state) {
    const popscope::LayoutResult layout = popscope::placeAllocations(program, ranges, machine, {true});
    ratio = 0;
    tiles = 0;
    for (const popscope::TileMemory &tile : layout.tiles)
      if (tile.lowerBoundOverlapped.count() != 0) {
        ratio +=
            static_cast<double>(tile.afterOverlapping.count()) / static_cast<double>(tile.lowerBoundOverlapped.count());
        ++tiles;
      }
    state.counters["distinct"] = static_cast<double>(layout.distinctProblems);
  }
  state.counters["packed"] = tiles == 0 ? 1.0 : ratio / static_cast<double>(tiles);
}
BENCHMARK(BM_Layout)->ArgName("tiles")->Arg(64)->Arg(1216)->Arg(1472)->Unit(benchmark::kMillisecond);

} // namespace
