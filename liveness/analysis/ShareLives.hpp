// Equal sets of live intervals are stored once, as classes. Tasks of kVariables variables each find their sets, alone;
// then all sets are compared, spread by hash over parts that are looked at alone, too; then classes are numbered in the
// order in which the tasks found them. Nothing depends on how many threads do it.
#pragma once
#include "base/Parallel.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace popscope {

/// The sets of intervals of one task's variables.
class TaskLives {
public:
  static constexpr std::uint32_t kVariables = 4096, kMostSets = 2 * kVariables;
  static constexpr std::uint32_t kEmpty = ~std::uint32_t(0), kWhole = kEmpty - 1; // sets that every program has

  explicit TaskLives(std::uint32_t numSteps = 0);
  /// `intervals` sorted, not touching. Returns the set's number in this task, kEmpty or kWhole. Most equal sets get
  /// equal numbers.
  std::uint32_t add(const StepInterval *intervals, std::uint32_t count);

  struct Set {
    std::uint32_t first, count;
    std::uint64_t hash;
  };
  struct Variable {
    std::uint32_t live, occupied;
    bool always;
  };
  std::vector<StepInterval> intervals;
  std::vector<Set> sets;
  std::vector<Variable> variables;

private:
  std::uint32_t numSteps_;
  struct Recent {
    std::uint32_t tag = 0, set = kEmpty;
  };
  std::vector<Recent> recent_; // by low bits of the hash: the last set with them
};

/// Fills classes, intervals, live, occupied and always. The tasks have all variables, in order. `beside` is called
/// once, on any thread, while something else has to be done alone; it leaves those tables alone.
void shareLives(const std::vector<TaskLives> &tasks, std::uint32_t numSteps, const std::function<void()> &beside,
                Threads threads, LiveRanges &ranges);

} // namespace popscope
