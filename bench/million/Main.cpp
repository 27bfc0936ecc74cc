// popscope_million_bench [--vertices N] [--sets N] [--ipus N [--near]] [--pieces N] [--threads N] [--profile FOLDER
// [--lowered]]: measures one program of the size of a large model, through the public API, and views of many pieces.
// For each phase it prints CPU time, the kernel's part of it (mostly finding and clearing pages of memory, which
// depends on the host more than on the program), wall time and resident memory.
//
// The program has `vertices` vertices in `sets` compute sets on the tiles of one IPU of the second generation. Each
// vertex has four edges. It reads 4 elements of its tile, 1 of its own and 1 of another tile (chosen by a seeded
// generator), and writes 4. All vertices have an estimate, so that the time is that of compiling, not of counting
// instructions. With several IPUs, the other tile may be on another IPU. With --near it is on the same IPU, so that N
// IPUs run N times the program of one.
//
// With --long, the program has the shape of a training step of a large model: many steps with few vertices each. It has
// `vertices` vertices (4 million by default) in 3,333 compute sets, which make 10,000 steps, spread over the tiles of
// --ipus IPUs. 100 variables have a part on each tile. About a third of the vertices read an element of another tile,
// so that there are 1.5 million variables on tiles, with the buffers. --run executes it once and writes the profile
// with all that it records.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Program.hpp>
#include <poplar/Target.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <sys/resource.h>

using namespace poplar;
using namespace poplar::program;

namespace {

const char *const kCodelets = R"(
#include <poplar/Vertex.hpp>
struct Mix : poplar::Vertex {
  poplar::Input<poplar::Vector<float>> own;
  poplar::Input<float> near, far;
  poplar::Output<poplar::Vector<float>> out;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = own[i] + *near * *far;
    return true;
  }
};
)";

double wallSeconds() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// CPU seconds of this process so far: in all, and in the kernel.
struct CpuSeconds {
  double all = 0, kernel = 0;
};
CpuSeconds cpuSeconds() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval &t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return {seconds(use.ru_utime) + seconds(use.ru_stime), seconds(use.ru_stime)};
}

/// Returns the memory of this process in MB, from /proc: "VmRSS:" = now, "VmHWM:" = peak.
double residentMegabytes(const std::string &key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(key, 0) == 0)
      return std::stod(line.substr(key.size())) * 1024 / 1e6; // the file states KiB
  return 0;
}

/// Runs and times a phase. Returns the increase of resident memory in MB.
double timed(const std::string &phase, const std::function<void()> &run) {
  const double before = residentMegabytes("VmRSS:"), began = wallSeconds();
  const CpuSeconds start = cpuSeconds();
  run();
  const CpuSeconds end = cpuSeconds();
  const double wall = wallSeconds() - began, more = residentMegabytes("VmRSS:") - before;
  fmt::print("{:<44} {:>8.3f} s CPU ({:.3f} kernel) {:>8.3f} s wall {:>8.1f} MB more, {:.1f} MB at most\n", phase,
             end.all - start.all, end.kernel - start.kernel, wall, more, residentMegabytes("VmHWM:"));
  std::fflush(stdout);
  return more;
}

struct Options {
  unsigned vertices = 1472000, sets = 10, pieces = 10000, threads = 0, ipus = 1;
  bool lowered = false, isLong = false, run = false, near = false;
  std::string profile;
};

/// Returns another tile than `tile`, on any IPU or, with --near, on the same IPU.
unsigned otherTile(const Graph &graph, const Options &options, unsigned tile, std::mt19937 &random) {
  const Target &target = graph.getTarget();
  const unsigned tiles = options.near ? target.getTilesPerIPU() : target.getNumTiles(), first = tile / tiles * tiles;
  return first + (tile - first + 1 + static_cast<unsigned>(random() % (tiles - 1))) % tiles;
}

/// Returns the GB per second that one thread writes to memory that it has not touched before. It limits the speed of
/// compiling, which fills new tables.
double writtenBandwidth() {
  constexpr std::size_t kBytes = std::size_t(1) << 28;
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    const double start = cpuSeconds().all;
    const std::unique_ptr<char[]> bytes(new char[kBytes]);
    std::memset(bytes.get(), i + 1, kBytes);
    volatile const char *const seen = bytes.get() + kBytes / 2; // so that the compiler keeps the write
    (void)*seen;
    best = std::max(best, static_cast<double>(kBytes) / 1e9 / (cpuSeconds().all - start));
  }
  return best;
}

void build(Graph &graph, Sequence &program, const Options &options) {
  constexpr unsigned kEach = 4;
  const unsigned tiles = graph.getTarget().getNumTiles();
  const unsigned perTile = options.vertices / options.sets / tiles;
  const std::size_t tileElements = std::size_t(perTile) * kEach;
  Tensor from = graph.addVariable(FLOAT, {tiles * tileElements}, "a");
  Tensor to = graph.addVariable(FLOAT, {tiles * tileElements}, "b");
  for (unsigned t = 0; t < tiles; ++t)
    for (const Tensor &x : {from, to})
      graph.setTileMapping(x.slice(t * tileElements, (t + 1) * tileElements), t);
  std::mt19937 random(1);
  for (unsigned s = 0; s < options.sets; ++s) {
    const ComputeSet cs = graph.addComputeSet("mix" + std::to_string(s));
    for (unsigned t = 0; t < tiles; ++t)
      for (unsigned k = 0; k < perTile; ++k) {
        const std::size_t first = t * tileElements + std::size_t(k) * kEach;
        const unsigned other = otherTile(graph, options, t, random);
        const VertexRef v = graph.addVertex(cs, "Mix",
                                            {{"own", from.slice(first, first + kEach)},
                                             {"near", from[t * tileElements + random() % tileElements]},
                                             {"far", from[other * tileElements + random() % tileElements]},
                                             {"out", to.slice(first, first + kEach)}});
        graph.setTileMapping(v, t);
        graph.setPerfEstimate(v, 40);
      }
    program.add(Execute(cs));
    std::swap(from, to);
  }
}

/// Builds the program of --long.
void buildLong(Graph &graph, Sequence &program, const Options &options) {
  constexpr unsigned kVariables = 100, kEach = 16, kFarOfThousand = 338;
  const unsigned tiles = graph.getTarget().getNumTiles();
  std::vector<Tensor> variables;
  for (unsigned v = 0; v < kVariables; ++v) {
    variables.push_back(graph.addVariable(FLOAT, {std::size_t(tiles) * kEach}, "v" + std::to_string(v)));
    for (unsigned t = 0; t < tiles; ++t)
      graph.setTileMapping(variables.back().slice(std::size_t(t) * kEach, std::size_t(t + 1) * kEach), t);
  }
  std::mt19937 random(1);
  const std::uint64_t all = options.vertices;
  for (unsigned s = 0; s < options.sets; ++s) {
    const ComputeSet cs = graph.addComputeSet("step" + std::to_string(s));
    const Tensor &from = variables[s % kVariables], &to = variables[(s + 1) % kVariables];
    const std::uint64_t count = all * (s + 1) / options.sets - all * s / options.sets;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto t = static_cast<unsigned>(i * tiles / count);
      const auto nth = static_cast<unsigned>(i - (t * count + tiles - 1) / tiles); // of the vertices of this tile
      const std::size_t first = std::size_t(t) * kEach + nth % (kEach / 4) * 4;
      const unsigned other = random() % 1000 < kFarOfThousand ? otherTile(graph, options, t, random) : t;
      const VertexRef v = graph.addVertex(cs, "Mix",
                                          {{"own", from.slice(first, first + 4)},
                                           {"near", from[std::size_t(t) * kEach + random() % kEach]},
                                           {"far", from[std::size_t(other) * kEach + random() % kEach]},
                                           {"out", to.slice(first, first + 4)}});
      graph.setTileMapping(v, t);
      graph.setPerfEstimate(v, 40);
    }
    program.add(Execute(cs));
  }
}

/// Times a tensor of `n` separate pieces, and the operations that libraries apply to one.
void views(Graph &graph, unsigned n) {
  const Tensor x = graph.addVariable(FLOAT, {n, 4}, "pieces");
  const Tensor mixed = concat(x.slice(0, 3, 1), x.slice(1, 2, 1), 1).flatten(); // elements 0 1 2 1 of each row
  std::vector<Interval> intervals;
  for (std::size_t i = 0; i != n; ++i)
    intervals.emplace_back(i * 4, i * 4 + 2);
  timed(fmt::format("{} slices of a tensor of {} pieces", n, n), [&] {
    for (const Interval &i : intervals)
      (void)mixed.slice(i);
  });
  timed(fmt::format("Tensor::slices, {} intervals", n), [&] { (void)mixed.slices(intervals); });
  timed("operator[] on each piece", [&] {
    for (std::size_t i = 0; i != n; ++i)
      (void)mixed[i * 4 + 3];
  });
  timed("getVarRegions of all pieces", [&] { (void)mixed.getVarRegions(); });
  std::vector<Tensor> parts = mixed.slices(intervals);
  timed("concat of all slices", [&] { (void)concat(parts); });
  const Tensor square = graph.addVariable(FLOAT, {2000, 2000}, "square");
  timed("transpose of 2,000 x 2,000, then 2,000 rows", [&] {
    const Tensor t = square.transpose().flatten().reshape({2000, 2000});
    for (unsigned i = 0; i != 2000; ++i)
      (void)t[i];
  });
  const Tensor large = graph.addVariable(FLOAT, {100, 400, 400}, "large");
  timed("16 million elements turned by pairs, a part", [&] {
    const Tensor turned = large.reshape({100, 400, 200, 2}).dimShuffle({2, 1, 0, 3});
    (void)turned.slice(1, 199, 0).reverse(1);
  });
  const Tensor block = graph.addVariable(FLOAT, {100, 200, 200}, "block");
  timed("{100,200,200} dimShuffle {2,0,1} and {2,1,0}", [&] {
    (void)block.dimShuffle({2, 0, 1}).dimShuffle({1, 2, 0});
    (void)block.dimShuffle({2, 1, 0});
  });
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("One program of millions of vertices through the public API: CPU time and memory of each phase.");
  app.add_option("--vertices", options.vertices, "vertices, a multiple of 1472 times the compute sets");
  app.add_option("--sets", options.sets, "compute sets");
  app.add_option("--pieces", options.pieces, "separate pieces of the tensor that is sliced");
  app.add_option("--threads", options.threads, "of the compile; 0 = as many as the machine has");
  app.add_option("--profile", options.profile,
                 "folder of a profile with the compile's phases; none: nothing is recorded");
  app.add_flag("--lowered", options.lowered, "with lowered variables in it, as autoReport.all");
  app.add_flag("--long", options.isLong, "many steps with few vertices each");
  app.add_option("--ipus", options.ipus, "IPUs of the program");
  app.add_flag("--near", options.near, "other tiles are of the same IPU, so that nothing goes between IPUs");
  app.add_flag("--run", options.run, "execute it once, too, and print the summary to nowhere");
  CLI11_PARSE(app, argc, argv);
  if (options.isLong) {
    options.sets = app.count("--sets") != 0 ? options.sets : 3333;
    options.vertices = app.count("--vertices") != 0 ? options.vertices : 4000000;
  }

  IPUModel model("ipu2");
  model.compileIPUCode = true;
  model.numIPUs = options.ipus;
  const Device device = model.createDevice();
  Graph graph(device.getTarget());
  std::stringstream source(kCodelets);
  graph.addCodelets(source);
  Sequence program;
  const double more = timed(fmt::format("graph of {} vertices", options.vertices),
                            [&] { (options.isLong ? buildLong : build)(graph, program, options); });
  fmt::print("  that is {:.1f} bytes per vertex with its four edges and its estimate\n", more * 1e6 / options.vertices);
  OptionFlags flags;
  if (!options.profile.empty()) {
    flags.set(options.lowered ? "autoReport.all" : "autoReport.outputExecutionProfile", "true");
    flags.set("autoReport.directory", options.profile);
    flags.set("popscope.recordCompilePhases", "true");
  }
  flags.set("opt.maxCompilationThreads", std::to_string(options.threads));
  fmt::print("{:.1f} GB per second are written into new memory by one thread\n", writtenBandwidth());
  std::unique_ptr<Engine> engine;
  timed("compile", [&] { engine = std::make_unique<Engine>(graph, program, flags); });
  if (options.run) {
    timed("load", [&] { engine->load(device); });
    timed("run", [&] { engine->run(); });
    timed("summary", [&] {
      std::ofstream nowhere("/dev/null");
      engine->printProfileSummary(nowhere, {{"showExecutionSteps", "true"}});
    });
  }
  timed("end", [&] { engine.reset(); });
  if (!options.isLong)
    views(graph, options.pieces);
}
