// popscope_pack_bench: compares the packer with its lower bound, with a greedy best-fit packer and, with --peer, with
// another packer, on the same inputs in one run.
//
//   popscope_pack_bench [--data DIR] [--peer CMD] [--tiles N] [--heap N] [--only PART]
//
// DIR holds instances NAME.CAPACITY.csv (google/minimalloc's eleven); without DIR, the part `instances` is skipped with
// a note. CMD is called as `CMD --capacity=BYTES --input=FILE --output=FILE` and writes a column "offset". PART is
// instances, tiles or heap. Exit code 1: a packing is wrong.
#include "base/Parallel.hpp"
#include "bench/pack/Instances.hpp"
#include "liveness/layout/FirstFit.hpp"
#include "liveness/layout/PackItems.hpp"
#include "liveness/layout/PackOrder.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <compare>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>

namespace {

using popscope::PackItem;
using popscope::PackOptions;
using popscope::PackProblem;
using popscope::PackResult;

bool allRight = true;

// Returns the items by descending size, then by longest life, earliest start and index.
std::vector<std::uint32_t> decreasingSize(const PackProblem &problem) {
  struct Key {
    std::uint64_t size, life; // inverted, so that large items and long lives come first
    std::uint32_t begin, index;
    auto operator<=>(const Key &) const = default;
  };
  std::vector<Key> keys;
  keys.reserve(problem.items.size());
  for (const PackItem &item : problem.items) {
    const std::uint32_t begin = item.numSpans > 0 ? problem.spans[item.firstSpan].begin : 0;
    keys.push_back({~item.bytes, ~problem.lifeOf(item), begin, static_cast<std::uint32_t>(keys.size())});
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order;
  order.reserve(keys.size());
  for (const Key &key : keys)
    order.push_back(key.index);
  return order;
}

struct Time {
  double wall = 0, cpu = 0;
};
Time timeOf(const std::function<void()> &work) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t before = std::clock();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC};
}
void check(const PackProblem &problem, const std::vector<std::uint64_t> &addresses, const std::string &name) {
  if (const std::string wrong = bench::findOverlap(problem, addresses); !wrong.empty()) {
    fmt::print("WRONG: {}: {}\n", name, wrong);
    allRight = false;
  }
}

// Returns the seconds that the peer takes; below 0 if it finds no packing.
double runPeer(const std::string &peer, const PackProblem &problem, std::uint64_t capacity, const std::string &name) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string in = folder / "popscope_pack_in.csv", out = folder / "popscope_pack_out.csv";
  std::filesystem::remove(out);
  bench::writeCsv(problem, in);
  int status = 0;
  const Time time = timeOf([&] {
    status = std::system(
        fmt::format("{} --capacity={} --input='{}' --output='{}' >/dev/null 2>&1", peer, capacity, in, out).c_str());
  });
  if (status != 0 || !std::filesystem::exists(out))
    return -1;
  const std::vector<std::uint64_t> offsets = bench::readOffsets(out, problem.items.size());
  check(problem, offsets, name + " (peer)");
  return packPeak(problem, offsets) <= capacity ? time.wall : -1;
}

void instances(const std::string &data, const std::string &peer) {
  constexpr std::uint64_t maxNodes = 20'000'000;
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(data))
    if (entry.path().extension() == ".csv")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  constexpr const char *kinds[] = {"as it is", "permuted", "mirrored", "sizes * 3"};
  std::size_t solved[4] = {};
  Time sums[4];
  double peerSum = 0;
  std::size_t peerSolved = 0;
  fmt::print("hard instances: seconds of CPU until a packing of the capacity is found (nodes); greedy: height / lower "
             "bound\n");
  for (const auto &file : files) {
    const std::uint64_t capacity = std::stoull(file.stem().extension().string().substr(1));
    const PackProblem plain = bench::readCsv(file);
    const double twin = static_cast<double>(packPeak(plain, bench::greedyBestFit(plain))) /
                        static_cast<double>(popscope::packLowerBound(plain));
    std::string line = fmt::format("{:>14} {:>4} items", file.stem().string(), plain.items.size());
    for (std::size_t kind = 0; kind < 4; ++kind) {
      const PackProblem problem = kind == 0   ? plain
                                  : kind == 1 ? bench::permuted(plain, 1)
                                  : kind == 2 ? bench::mirrored(plain)
                                              : bench::scaled(plain, 3);
      const std::uint64_t limit = kind == 3 ? 3 * capacity : capacity;
      PackResult result;
      const Time time = timeOf([&] { result = packItems(problem, {maxNodes, 0, limit}); });
      check(problem, result.addresses, file.stem().string());
      solved[kind] += result.peak <= limit ? 1 : 0;
      sums[kind].cpu += time.cpu;
      sums[kind].wall += time.wall;
      line += fmt::format("  {} {:.4f} ({}){}", kinds[kind], time.cpu, result.nodes,
                          result.peak <= limit ? "" : " NOT SOLVED");
    }
    line += fmt::format("  greedy {:.3f}", twin);
    if (!peer.empty()) {
      const double seconds = runPeer(peer, plain, capacity, file.stem().string());
      peerSolved += seconds >= 0 ? 1 : 0;
      peerSum += std::max(seconds, 0.0);
      line += seconds >= 0 ? fmt::format("  peer {:.4f}", seconds) : "  peer not solved";
    }
    fmt::print("{}\n", line);
  }
  for (std::size_t kind = 0; kind < 4; ++kind)
    fmt::print("  {:<10} {} of {} solved, {:.3f} s CPU, {:.3f} s wall\n", kinds[kind], solved[kind], files.size(),
               sums[kind].cpu, sums[kind].wall);
  if (!peer.empty())
    fmt::print("  {:<10} {} of {} solved, {:.3f} s wall\n", "peer", peerSolved, files.size(), peerSum);
}

struct Quality {
  double mean = 0, worst = 0;
  std::size_t atBound = 0;
};
Quality qualityOf(const std::vector<PackProblem> &problems, const std::vector<std::vector<std::uint64_t>> &addresses) {
  Quality out;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    check(problems[i], addresses[i], fmt::format("tile {}", i));
    const std::uint64_t bound = popscope::packLowerBound(problems[i]), peak = packPeak(problems[i], addresses[i]);
    const double ratio = static_cast<double>(peak) / static_cast<double>(bound);
    out.mean += ratio / static_cast<double>(problems.size());
    out.worst = std::max(out.worst, ratio);
    out.atBound += peak == bound ? 1 : 0;
  }
  return out;
}

void tiles(std::size_t numTiles, std::size_t numItems, double live, bench::Lives lives, std::uint64_t nodes,
           std::uint64_t nodesFar) {
  std::vector<PackProblem> problems;
  for (std::size_t t = 0; t < numTiles; ++t)
    problems.push_back(bench::makeTile(numItems, live, 10000, lives, t + 1));
  fmt::print("{} tiles * {} buffers, {} live, {} lives, starts in 10000 steps, seeds 1 to {}\n", numTiles, numItems,
             live, lives == bench::Lives::Exponential ? "exponential" : "Pareto(1.2)", numTiles);
  std::fflush(stdout);
  const auto row = [&](const char *name, const std::function<std::vector<std::uint64_t>(const PackProblem &)> &pack) {
    std::vector<std::vector<std::uint64_t>> addresses(numTiles);
    const Time time =
        timeOf([&] { popscope::parallelFor({}, numTiles, [&](std::size_t t) { addresses[t] = pack(problems[t]); }); });
    const Quality q = qualityOf(problems, addresses);
    fmt::print("  {:<28} {:>8.3f} s wall {:>8.3f} s CPU   over the bound: mean {:.4f} worst {:.4f}; at it {:.1f} %\n",
               name, time.wall, time.cpu, q.mean, q.worst,
               100.0 * static_cast<double>(q.atBound) / static_cast<double>(numTiles));
    std::fflush(stdout);
  };
  row("greedy best fit (twin)", bench::greedyBestFit);
  row("first fit, largest first", [](const PackProblem &p) { return firstFit(p, decreasingSize(p)); });
  row("first fit (fast path)", [](const PackProblem &p) { return firstFit(p, decreasingWeight(p)); });
  row("searched (careful path)", [&](const PackProblem &p) { return packItems(p, {nodes, nodesFar, 0}).addresses; });
}

void heap(std::size_t numItems) {
  const PackProblem problem = bench::makeTile(numItems, 100, 100'000'000, bench::Lives::Exponential, 1);
  std::vector<std::uint64_t> addresses;
  const Time time = timeOf([&] { addresses = firstFit(problem, decreasingSize(problem)); });
  check(problem, addresses, "heap");
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print(
      "one heap of {} buffers, 100 live, exponential lives, seed 1: {:.3f} s wall, {:.3f} s CPU, {:.4f} of the bound, "
      "peak of this process {:.2f} GB\n",
      numItems, time.wall, time.cpu,
      static_cast<double>(packPeak(problem, addresses)) / static_cast<double>(popscope::packLowerBound(problem)),
      static_cast<double>(usage.ru_maxrss) / (1 << 20));
}

int run(int argc, char **argv) {
  std::string data, peer, only;
  std::size_t numTiles = 1472, heapItems = 1'000'000;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (i + 1 == argc)
      throw std::runtime_error(fmt::format("{} needs a value; options: --data --peer --tiles --heap --only", name));
    const std::string value = argv[++i];
    const auto number = [&] {
      if (value.empty() || value.size() > 8 || value.find_first_not_of("0123456789") != std::string::npos ||
          std::stoull(value) == 0)
        throw std::runtime_error(fmt::format("{} '{}': write a number from 1 to 99999999", name, value));
      return static_cast<std::size_t>(std::stoull(value));
    };
    if (name == "--data")
      data = value;
    else if (name == "--peer")
      peer = value;
    else if (name == "--only")
      only = value;
    else if (name == "--tiles")
      numTiles = number();
    else if (name == "--heap")
      heapItems = number();
    else
      throw std::runtime_error(fmt::format("unknown option '{}'; options: --data --peer --tiles --heap --only", name));
  }
  const auto wanted = [&](const char *part) { return only.empty() || only == part; };
  if (!only.empty() && only != "instances" && only != "tiles" && only != "heap")
    throw std::runtime_error(fmt::format("--only '{}': write instances, tiles or heap", only));
  double load = 0;
  getloadavg(&load, 1);
  fmt::print("{} threads; load of the machine before: {:.1f}\n", popscope::Threads().count(), load);
  if (wanted("heap"))
    heap(heapItems);
  if (wanted("instances")) {
    if (data.empty())
      fmt::print("hard instances: skipped, no --data DIR\n");
    else
      instances(data, peer);
  }
  if (wanted("tiles")) {
    tiles(numTiles, 1000, 100, bench::Lives::Exponential, 5000, 60000);
    tiles(numTiles, 1000, 100, bench::Lives::Pareto, 5000, 60000);
    tiles(numTiles, 200, 50, bench::Lives::Exponential, 200000, 200000);
  }
  return allRight ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception &e) {
    std::cerr << "popscope_pack_bench: " << e.what() << '\n';
    return 2;
  }
}
