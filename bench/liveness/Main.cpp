// popscope_liveness_bench [max steps]: the table of the liveness analysis beside its dense twin (bits, one register of
// AVX-512 wide where the machine has it). Programs of bench/StepPrograms with as many variables as steps.
//
// Times are CPU time of the process, the least of several runs, so that other work on the machine disturbs them little;
// the two-thread column is wall time over wall time. "growth": log(time / time at a tenth of the steps) / log 10. The twin
// is compared bit by bit with the analysis before it is timed, and left out above 10,000 steps.
#include "bench/BitsetLiveness.hpp"
#include "bench/StepPrograms.hpp"
#include "bench/liveness/CompareTwin.hpp"

#include "base/Parallel.hpp"
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

// The least time of one run, over at least five runs and half a second.
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

const char *const kNames[] = {"straight", "nested", "calls"};
constexpr std::uint32_t kTwinSteps = 10000;

void printRows(bench::Shape shape, std::uint32_t maxSteps) {
  double before = 0;
  for (std::uint32_t steps = 1000; steps <= maxSteps; steps *= 10) {
    const popscope::StepProgram program = bench::stepProgram(shape, steps);
    popscope::LiveRanges ranges;
    const auto run = [&] { ranges = popscope::analyseLiveness(program); };
    popscope::setParallelThreads(1);
    const double one = least(cpuSeconds, run), wallOne = least(wallSeconds, run);
    popscope::setParallelThreads(2);
    const double wallTwo = least(wallSeconds, run);
    popscope::setParallelThreads(0);
    const auto vars = static_cast<double>(program.vars.size()), intervals = static_cast<double>(ranges.intervals.size());
    const double bytes = intervals * sizeof(popscope::StepInterval) + static_cast<double>(ranges.classes.size()) * sizeof(popscope::LiveClass) +
                         vars * (2 * sizeof(popscope::LiveClassId) + 1);
    std::string twin = "-", growth = "-";
    if (steps <= kTwinSteps) {
      const std::uint64_t wrong = bench::differingBits(program, ranges);
      twin = wrong != 0 ? fmt::format("{} BITS DIFFER", wrong) : fmt::format("{:.2f}", least(cpuSeconds, [&] {
        bench::BitsetLiveness(program).solve([](std::uint32_t, const std::vector<bench::Row> &) {});
      }) / one);
    }
    if (before > 0)
      growth = fmt::format("{:.2f}", std::log10(one / before));
    before = one;
    fmt::print("{:9}{:>10}{:>12.1f}{:>12.1f}{:>10.2f}{:>11}{:>13.1f}{:>9}{:>9}{:>12.2f}\n", kNames[static_cast<int>(shape)], steps, one * 1e6,
               static_cast<double>(program.accesses.size()) / one / 1e6, vars / one / 1e6, ranges.intervals.size(), bytes / intervals,
               growth, twin, wallOne / wallTwo);
    std::fflush(stdout);
  }
}

} // namespace

int main(int argc, char **argv) {
  const unsigned long maxSteps = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000000;
  if (maxSteps < 1000 || maxSteps > 10000000) {
    fmt::print(stderr, "popscope_liveness_bench: the largest number of steps is 1,000 to 10,000,000, not '{}'\n", argv[1]);
    return 2;
  }
  double load[1] = {0};
  if (getloadavg(load, 1) == 1)
    fmt::print("Load of the machine before the start: {:.1f}\n", load[0]);
  fmt::print("{:9}{:>10}{:>12}{:>12}{:>10}{:>11}{:>13}{:>9}{:>9}{:>12}\n", "program", "steps", "us", "M acc./s", "M vars/s", "intervals",
             "B/interval", "growth", "x bitset", "2 threads x");
  for (const bench::Shape shape : {bench::Shape::Straight, bench::Shape::Nested, bench::Shape::Calls})
    printRows(shape, static_cast<std::uint32_t>(maxSteps));
  return 0;
}
