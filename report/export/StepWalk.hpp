// Walks over the recorded steps in the order of execution. The walk itself keeps in memory only one step, and the name
// and the parents of each program. The report also keeps some of the steps that the walk has read.
//
//   run 0 |--a--|---b---|-a-|         from, to: the interval by which a step extends its run (answers/StepTimes.hpp);
//                                     these intervals do not overlap, and leave no gaps unless some steps, or the times
//                                     of some steps, were not recorded
#pragma once
#include "report/answers/MovedNames.hpp"
#include "report/answers/StepTimes.hpp"

#include <functional>

namespace popscope {

/// Information about programs with the names that views print: a copy without a name has a name such as
/// "<OnTileCopy:weights>" (MovedNames). Reads each program once.
class NamedPrograms {
public:
  explicit NamedPrograms(const pva::Report &report) : names_(report) {}
  const StepProgramInfo &of(const pva::Program &program);

private:
  MovedNames names_;
  StepPrograms read_;
  std::map<std::size_t, StepProgramInfo> named_; // by id
};

struct WalkedStep {
  std::size_t run = 0;                      // position among the recorded runs
  std::size_t index = 0;                    // position in the run
  const StepProgramInfo *program = nullptr; // valid as long as the NamedPrograms of walkRun exists
  pva::ExecutionStep step;
  std::vector<pva::ExecutionStepIpu> ipus;
  bool timeKnown = true;          // false: the step's time was not recorded, and `from` equals `to`
  std::uint64_t from = 0, to = 0; // cycles since the beginning of the run
};

/// Returns a text with `position` and the label of the run, for example "run 3: train". If a run has no label, the text
/// contains the run's name in place of the label. Returns "run 3" for a run that has neither a label nor a name.
[[nodiscard]] std::string runTitle(const pva::Run &run, std::size_t position);

/// Calls visit(step) for all steps of a run, until `visit` returns false.
void walkRun(const pva::Report &report, std::size_t run, NamedPrograms &programs,
             const std::function<bool(const WalkedStep &)> &visit);

/// The parents of programs in the tree of programs, and the programs that contain the current step of a walk.
///
///   Repeat        |==============|        open(id) before its first step, close(id) after its last;
///     Sequence    |=====| |======|        a loop's children close and open again with each iteration
class ProgramChain {
public:
  explicit ProgramChain(const pva::Report &report);
  /// Enters a step of `program`: closes the open programs that do not contain the step, and opens the programs that
  /// contain the step. If a loop begins another iteration, also closes the programs in this loop and opens them again.
  /// `close` and `open` receive a program's id.
  void enter(std::size_t program, const std::function<void(std::size_t)> &close,
             const std::function<void(std::size_t)> &open);
  /// Ends the run: closes all open programs.
  void leaveAll(const std::function<void(std::size_t)> &close);
  /// Returns the programs that contain the latest step. The outermost program is first.
  [[nodiscard]] const std::vector<std::size_t> &open() const { return open_; }
  [[nodiscard]] const StepProgramInfo &infoOf(std::size_t program) const { return infos_.at(program); }
  [[nodiscard]] bool knows(std::size_t program) const { return program < parents_.size(); }

private:
  std::vector<std::size_t> parents_; // per program: id of its parent; kNoParent for roots
  std::vector<bool> loops_;
  std::vector<StepProgramInfo> infos_;
  std::vector<std::size_t> open_;
  std::size_t last_ = 0;
};

} // namespace popscope
