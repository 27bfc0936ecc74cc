// Measures the cost of a profile: the same engine runs alternately without and with a profile. Reports CPU time and
// wall time; the file is on disk. Vertices have estimates, so that the whole difference comes from clocks, counters and
// the writer.
#include "bench/Folder.hpp"
#include "bench/Programs.hpp"
#include "bench/compare/HaloProgram.hpp"
#include "bench/compare/MatVecProgram.hpp"
#include "bench/speed/CpuTime.hpp"

#include <benchmark/benchmark.h>

#include <chrono>

namespace {

constexpr unsigned kShareIterations = 20;

/// Runs `program` of the engine without and with recording. Times are divided by `passes`.
void measureShare(benchmark::State &state, poplar::Engine &engine, unsigned program, double passes) {
  std::vector<double> without, with, shares, wallShares;
  const auto run = [&](double &wall) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu = bench::cpuTimeOf([&] { engine.run(program); });
    wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return cpu;
  };
  for (auto _ : state) {
    double wallWithout = 0, wallWith = 0;
    engine.disableExecutionProfiling();
    without.push_back(run(wallWithout));
    engine.enableExecutionProfiling();
    with.push_back(run(wallWith));
    shares.push_back(with.back() / without.back() - 1);
    wallShares.push_back(wallWith / wallWithout - 1);
    state.SetIterationTime(with.back());
  }
  state.counters["us_without"] = bench::median(without) / passes * 1e6;
  state.counters["us_with"] = bench::median(with) / passes * 1e6;
  state.counters["share"] = bench::median(shares);
  state.counters["wall_share"] = bench::median(wallShares);
}

poplar::OptionFlags recorded(const bench::Folder &folder, bool threads = false) {
  return {{"autoReport.outputExecutionProfile", "true"},
          {"autoReport.directory", folder.path},
          {"autoReport.executionProfileProgramRunCount", "1000000"},
          {"debug.cpuMultiThreadExecution", threads ? "true" : "false"}};
}

poplar::Device publishedDevice() {
  poplar::IPUModel model("ipu1");
  model.tilesPerIPU = 1216;
  return model.createDevice();
}

/// Measures the ring of Programs.hpp; times are per iteration.
void BM_WriteShare(benchmark::State &state) {
  const bench::Folder folder;
  bench::Ring ring(static_cast<unsigned>(state.range(0)), static_cast<unsigned>(state.range(1)), kShareIterations,
                   true);
  poplar::Engine engine(ring.graph, ring.program, recorded(folder, state.range(2) != 0));
  engine.load(ring.device);
  measureShare(state, engine, 0, kShareIterations);
}
BENCHMARK(BM_WriteShare)
    ->ArgNames({"tiles", "floats", "threads"})
    ->ArgsProduct({{1216}, {100, 1000, 10000}, {0, 1}})
    ->Args({64, 100, 0})
    ->Iterations(15)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// Measures the published matrix of 10,000 x 1,000 floats times a vector, as in docs/ACCURACY.md; times are per run.
void BM_WriteShareMatVec(benchmark::State &state) {
  const bench::Folder folder;
  const poplar::Device device = publishedDevice();
  const compare::MatVecSize size;
  compare::MatVecProgram published(device.getTarget(), size);
  poplar::Engine engine(published.graph, published.program, recorded(folder));
  std::vector<float> vector(size.columns, 1.0f), matrix(std::size_t(size.rows) * size.columns, 0.5f), out(size.rows);
  engine.connectStream("vector", vector.data());
  engine.connectStream("matrix", matrix.data());
  engine.connectStream("out", out.data());
  engine.load(device);
  measureShare(state, engine, 0, 1);
}
BENCHMARK(BM_WriteShareMatVec)->Iterations(30)->UseManualTime()->Unit(benchmark::kMillisecond);

/// Measures the published stencil over 1,216 blocks of 100 x 100 floats; times are per compute set, of which it has
/// twenty.
void BM_WriteShareHalo(benchmark::State &state) {
  const bench::Folder folder;
  const poplar::Device device = publishedDevice();
  const compare::HaloSize size;
  compare::HaloProgram published(device.getTarget(), size);
  poplar::Engine engine(published.graph, {published.fill, published.iterate}, recorded(folder));
  engine.load(device);
  engine.run(0);
  measureShare(state, engine, 1, 2 * size.iterations);
}
BENCHMARK(BM_WriteShareHalo)->Iterations(15)->UseManualTime()->Unit(benchmark::kMillisecond);

} // namespace
