// popscope_liveness_bench [max steps]: compares the liveness analysis with a dense reference implementation (bitsets as
// wide as a register of AVX-512, if the machine has it). The programs come from bench/StepPrograms and have as many
// variables as steps.
//
// Each time is the least of several runs. On one thread, a time is the CPU time of the process, so that other work on
// the machine disturbs it little. On two threads, a time is wall time, and "x 1 thread" compares wall times. "growth":
// log(time / time at a tenth of the steps) / log 10. The reference runs on one thread, is compared bit by bit with the
// analysis before it is timed, and is left out above 10,000 steps. The load of the machine is printed before and after.
#include "bench/BitsetLiveness.hpp"
#include "bench/StepPrograms.hpp"
#include "bench/liveness/CompareTwin.hpp"

#include "liveness/analysis/AnalyseLiveness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>

namespace {

using Clock = double (*)();

double cpuSeconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
double wallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Returns the least time of one run, over at least five runs and half a second.
double least(Clock clock, const std::function<void()> &run) {
  double best = 1e9, total = 0;
  for (int i = 0; i < 5 || (total < 0.5 && i < 2000); ++i) {
    const double start = clock();
    run();
    const double took = clock() - start;
    best = std::min(best, took);
    total += took;
  }
  return best;
}

const char *const kNames[] = {"straight", "nested", "calls", "messages"};
constexpr std::uint32_t kTwinSteps = 10000;

double bytesOf(const popscope::LiveRanges &ranges) {
  return static_cast<double>(ranges.intervals.size() * sizeof(popscope::StepInterval) +
                             ranges.classes.size() * sizeof(popscope::LiveClass) +
                             ranges.live.size() * (2 * sizeof(popscope::LiveClassId) + 1));
}

std::string ratioToTwin(const popscope::StepProgram &program, const popscope::LiveRanges &ranges, double seconds) {
  if (const std::uint64_t wrong = bench::differingBits(program, ranges); wrong != 0)
    return fmt::format("{} BITS DIFFER", wrong);
  return fmt::format("{:.2f}",
                     least(cpuSeconds, [&] {
                       bench::BitsetLiveness(program).solve([](std::uint32_t, const std::vector<bench::Row> &) {});
                     }) / seconds);
}

void printRows(bench::Shape shape, std::uint32_t maxSteps) {
  double before[2] = {0, 0}; // by threads - 1
  for (std::uint32_t steps = 1000; steps <= maxSteps; steps *= 10) {
    const popscope::StepProgram program = bench::stepProgram(shape, steps);
    const auto vars = static_cast<double>(program.vars.size()), accesses = static_cast<double>(program.accesses.size());
    popscope::LiveRanges ranges;
    double wallOne = 0;
    for (unsigned threads = 1; threads <= 2; ++threads) {
      const auto run = [&] { ranges = popscope::analyseLiveness(program, {threads}); };
      const double wall = least(wallSeconds, run), seconds = threads == 1 ? least(cpuSeconds, run) : wall;
      std::string growth = "-", twin = "-", faster = "-";
      if (before[threads - 1] > 0)
        growth = fmt::format("{:.2f}", std::log10(seconds / before[threads - 1]));
      before[threads - 1] = seconds;
      if (threads == 1)
        wallOne = wall;
      else
        faster = fmt::format("{:.2f}", wallOne / wall);
      if (threads == 1 && steps <= kTwinSteps)
        twin = ratioToTwin(program, ranges, seconds);
      fmt::print("{:9}{:>8}{:>9}{:>11.1f}{:>10.1f}{:>10.2f}{:>11}{:>12.1f}{:>8}{:>10}{:>12}\n",
                 kNames[static_cast<int>(shape)], steps, threads, seconds * 1e6, accesses / seconds / 1e6,
                 vars / seconds / 1e6, ranges.intervals.size(),
                 bytesOf(ranges) / static_cast<double>(ranges.intervals.size()), growth, twin, faster);
      std::fflush(stdout);
    }
  }
}

void printLoad(const char *when) {
  double load[1] = {0};
  if (getloadavg(load, 1) == 1)
    fmt::print("Load of the machine {}: {:.1f}\n", when, load[0]);
}

} // namespace

int main(int argc, char **argv) {
  const unsigned long maxSteps = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000000;
  if (maxSteps < 1000 || maxSteps > 10000000) {
    fmt::print(stderr, "popscope_liveness_bench: the largest number of steps is 1,000 to 10,000,000, not '{}'\n",
               argv[1]);
    return 2;
  }
  printLoad("before the start");
  fmt::print("{:9}{:>8}{:>9}{:>11}{:>10}{:>10}{:>11}{:>12}{:>8}{:>10}{:>12}\n", "program", "steps", "threads", "us",
             "M acc./s", "M vars/s", "intervals", "B/interval", "growth", "x bitset", "x 1 thread");
  for (const bench::Shape shape :
       {bench::Shape::Straight, bench::Shape::Nested, bench::Shape::Calls, bench::Shape::Messages})
    printRows(shape, static_cast<std::uint32_t>(maxSteps));
  printLoad("at the end");
  return 0;
}
