// Stores equal sets of live or occupied intervals once, as classes.
//
// Idea: each task collects the sets of kVariables variables, and drops most duplicates. Then shareLives() distributes
// the sets of all tasks over parts by hash, and finds equal sets within each part. Finally, shareLives() numbers the
// classes in the order of the tasks, and within a task in the order in which this task added the sets. The tasks do not
// depend on each other, so threads process the tasks in parallel. The same holds for the parts. The result does not
// depend on the number of threads.
#pragma once
#include "base/Parallel.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace popscope {

[[nodiscard]] std::uint64_t hashOf(std::span<const StepInterval> intervals);

/// The sets of intervals of one task's variables, mostly without duplicates.
class TaskLives {
public:
  static constexpr std::uint32_t kVariables = 4096, kMaxSets = 2 * kVariables;
  static constexpr std::uint32_t kEmpty = ~std::uint32_t(0), kWhole = kEmpty - 1; // the set without steps, and the set
                                                                                  // of all steps

  explicit TaskLives(std::uint32_t numSteps = 0);
  /// Adds a set of `count` intervals, which must be sorted and must not touch. Returns the number of the set in this
  /// task, or kEmpty or kWhole. Equal sets usually get the same number, but may get different numbers.
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
  std::vector<Recent> recent_; // indexed by the low bits of a hash: the last set added whose hash has these bits
};

/// Fills the tables classes, intervals, live, occupied and always of `ranges`. Together, the tasks contain all
/// variables in the order of their ids. Calls `beside` once, on any thread, in parallel with a part of the work.
/// `beside` must neither read nor write these five tables.
void shareLives(const std::vector<TaskLives> &tasks, std::uint32_t numSteps, const std::function<void()> &beside,
                Threads threads, LiveRanges &ranges);

} // namespace popscope
