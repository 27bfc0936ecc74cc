// The recorded steps in the order in which they ran, one at a time: nothing is kept but where each program lies in the
// tree.
//
//   run 0 |--a--|---b---|-a-|         from, to: the part of its run that a step adds (see answers/StepTimes.hpp)
//                                     the parts follow each other without gap or overlap
#pragma once
#include "report/answers/StepTimes.hpp"

#include <functional>

namespace popscope {

struct WalkedStep {
  std::size_t run = 0;                      // position among the recorded runs
  std::size_t index = 0;                    // position in its run
  const StepProgramInfo *program = nullptr; // until the walk ends
  pva::ExecutionStep step;
  std::vector<pva::ExecutionStepIpu> ipus;
  bool timeKnown = true;          // false: the device did not record when; from = to
  std::uint64_t from = 0, to = 0; // cycles since the run began
};

/// Calls visit(step) for all steps of a run, until it returns false.
void walkRun(const pva::Report &report, std::size_t run, StepPrograms &programs,
             const std::function<bool(const WalkedStep &)> &visit);

/// Where programs lie in the tree, and what is open while the recorded steps go by.
///
///   Repeat        |==============|        open(id) before the first step in it, close(id) after the last;
///     Sequence    |=====| |======|        a loop's children close and open again with each iteration
class ProgramChain {
public:
  explicit ProgramChain(const pva::Report &report);
  /// The step of `program` begins: closes and opens what lies around it. `close` and `open` are told a program's id.
  void enter(std::size_t program, const std::function<void(std::size_t)> &close,
             const std::function<void(std::size_t)> &open);
  /// The run has ended.
  void leaveAll(const std::function<void(std::size_t)> &close);
  /// Around the step that was entered last, outermost first.
  [[nodiscard]] const std::vector<std::size_t> &open() const { return open_; }
  [[nodiscard]] const StepProgramInfo &infoOf(std::size_t program) const { return infos_.at(program); }
  [[nodiscard]] bool knows(std::size_t program) const { return program < parents_.size(); }

private:
  std::vector<std::size_t> parents_; // kNone at the top
  std::vector<bool> loops_;
  std::vector<StepProgramInfo> infos_;
  std::vector<std::size_t> open_;
  std::size_t last_ = 0;
};

} // namespace popscope
