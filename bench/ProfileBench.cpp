// Measures printing the summary of a recorded run from its profile.
#include "bench/Programs.hpp"

#include <benchmark/benchmark.h>

#include <sstream>
#include <string>

namespace {

void printSummaries(benchmark::State &state, poplar::Engine &engine) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    std::ostringstream text;
    engine.printProfileSummary(text, {{"showVarStorage", "true"}, {"showExecutionSteps", "true"}});
    bytes = text.str().size();
  }
  state.counters["characters"] = static_cast<double>(bytes);
}

void BM_Summary(benchmark::State &state) {
  bench::Ring ring(static_cast<unsigned>(state.range(0)), 64, 10);
  poplar::Engine engine(ring.graph, ring.program);
  engine.load(ring.device);
  engine.run();
  printSummaries(state, engine);
}
BENCHMARK(BM_Summary)->ArgName("tiles")->Arg(64)->Arg(1216)->Unit(benchmark::kMillisecond);

// Each step has a compute set, and variables of its own that are live only there. The time is linear in the steps.
void BM_SummaryOfSteps(benchmark::State &state) {
  constexpr std::size_t kFewTiles = 16, kElements = 64, kEach = 4; // kEach: elements of a vertex
  const poplar::Device device = bench::makeDevice(kFewTiles);
  poplar::Graph graph(device.getTarget());
  bench::addCodelets(graph);
  const poplar::Tensor x = graph.addVariable(poplar::FLOAT, {kElements}, poplar::VariableMappingMethod::LINEAR, "x");
  poplar::program::Sequence program;
  for (std::size_t i = 0; i < static_cast<std::size_t>(state.range(0)); ++i) {
    const std::size_t first = i % (kElements - kEach);
    const poplar::ComputeSet cs = graph.addComputeSet("bump" + std::to_string(i));
    const poplar::VertexRef vertex = graph.addVertex(cs, "Bump", {{"x", x.slice(first, first + kEach)}});
    graph.setInitialValue(vertex["by"], 1.0f);
    graph.setTileMapping(vertex, static_cast<unsigned>(i % kFewTiles));
    program.add(poplar::program::Execute(cs));
  }
  poplar::Engine engine(graph, program);
  engine.load(device);
  engine.run();
  printSummaries(state, engine);
}
BENCHMARK(BM_SummaryOfSteps)->ArgName("steps")->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

} // namespace
