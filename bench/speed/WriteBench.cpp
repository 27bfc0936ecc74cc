// What a profile costs: the same engine runs without and with it, in turn. One thread, CPU time, the file on
// disk. Vertices have estimates, so that all of the difference is clocks, counters and the writer.
#include "bench/Programs.hpp"
#include "bench/speed/CpuTime.hpp"

#include "base/Parallel.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>

namespace {

constexpr unsigned kIterations = 20;

/// A folder that goes away.
struct Folder {
  Folder() : path((std::filesystem::temp_directory_path() / "popscope-bench-XXXXXX").string()) {
    if (::mkdtemp(path.data()) == nullptr)
      std::abort();
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string path;
};

void BM_WriteShare(benchmark::State &state) {
  popscope::setParallelThreads(1);
  const Folder folder;
  bench::Ring ring(static_cast<unsigned>(state.range(0)), static_cast<unsigned>(state.range(1)), kIterations, true);
  poplar::Engine engine(ring.graph, ring.program,
                        {{"autoReport.outputExecutionProfile", "true"},
                         {"autoReport.directory", folder.path},
                         {"autoReport.executionProfileProgramRunCount", "1000000"}});
  engine.load(ring.device);
  std::vector<double> without, with, shares;
  for (auto _ : state) {
    engine.disableExecutionProfiling();
    without.push_back(bench::cpuTimeOf([&] { engine.run(); }));
    engine.enableExecutionProfiling();
    with.push_back(bench::cpuTimeOf([&] { engine.run(); }));
    shares.push_back(with.back() / without.back() - 1);
    state.SetIterationTime(with.back());
  }
  state.counters["us_an_iteration_without"] = bench::median(without) / kIterations * 1e6;
  state.counters["us_an_iteration_with"] = bench::median(with) / kIterations * 1e6;
  state.counters["share"] = bench::median(shares);
  popscope::setParallelThreads(0);
}
BENCHMARK(BM_WriteShare)->ArgNames({"tiles", "floats"})->Args({1216, 100})->Args({1216, 1000})->Args({1216, 10000})
    ->Iterations(15)->UseManualTime()->Unit(benchmark::kMillisecond);

} // namespace
