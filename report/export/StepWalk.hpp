// Walks over the recorded steps in the order of execution, one at a time. Only the position of each program in the tree
// is kept.
//
//   run 0 |--a--|---b---|-a-|         from, to: the part of its run that a step adds (see answers/StepTimes.hpp);
//                                     the parts are contiguous and do not overlap
#pragma once
#include "report/answers/StepTimes.hpp"

#include <functional>

namespace popscope {

struct WalkedStep {
  std::size_t run = 0;                      // position among the recorded runs
  std::size_t index = 0;                    // position in its run
  const StepProgramInfo *program = nullptr; // valid until the walk ends
  pva::ExecutionStep step;
  std::vector<pva::ExecutionStepIpu> ipus;
  bool timeKnown = true;          // false: the device did not record the time; from = to
  std::uint64_t from = 0, to = 0; // cycles since the beginning of the run
};

/// Calls visit(step) for all steps of a run, until it returns false.
void walkRun(const pva::Report &report, std::size_t run, StepPrograms &programs,
             const std::function<bool(const WalkedStep &)> &visit);

/// The position of programs in the tree, and the programs that are open during the walk.
///
///   Repeat        |==============|        open(id) before the first step in it, close(id) after the last;
///     Sequence    |=====| |======|        a loop's children close and open again with each iteration
class ProgramChain {
public:
  explicit ProgramChain(const pva::Report &report);
  /// Begins a step of `program`: closes and opens the programs around it. `close` and `open` get a program's id.
  void enter(std::size_t program, const std::function<void(std::size_t)> &close,
             const std::function<void(std::size_t)> &open);
  /// Ends the run.
  void leaveAll(const std::function<void(std::size_t)> &close);
  /// Returns the programs around the latest step, outermost first.
  [[nodiscard]] const std::vector<std::size_t> &open() const { return open_; }
  [[nodiscard]] const StepProgramInfo &infoOf(std::size_t program) const { return infos_.at(program); }
  [[nodiscard]] bool knows(std::size_t program) const { return program < parents_.size(); }

private:
  std::vector<std::size_t> parents_; // kNone for roots
  std::vector<bool> loops_;
  std::vector<StepProgramInfo> infos_;
  std::vector<std::size_t> open_;
  std::size_t last_ = 0;
};

} // namespace popscope
