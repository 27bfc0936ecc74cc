// StepRunner: walks the step tree of a StepProgram as the machine would: values first come from memory, control flow
// follows them, and each step that takes time passes it on the clocks.
//
//   RepeatWhile     children: the condition, whose last step is a WhileTest, and the body
//   If, Switch      one child a case; nothing runs when no label fits and there is no default child
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Clocks.hpp"
#include "instrument/machine/ComputeRunner.hpp"
#include "instrument/machine/ComputeTime.hpp"
#include "instrument/machine/DeviceState.hpp"
#include "instrument/machine/HostTransfers.hpp"
#include "instrument/machine/RaceCheck.hpp"
#include "instrument/machine/TileRegisters.hpp"

#include <optional>

namespace popscope {

/// The parts that steps use. All must outlive the runner; races may be null.
struct MachineParts {
  const StepProgram &program;
  const DeviceState &state;
  const ComputeRunner &compute;
  ComputeTime &computeTime;
  HostTransfers &transfers;
  Clocks &clocks;
  TileRegisters &registers;
  RaceCheck *races = nullptr;
};

class StepRunner {
public:
  /// `engineProgram`: the child that the engine's Switch takes.
  StepRunner(const MachineParts &parts, HostPort &host, std::uint32_t engineProgram)
      : parts_(parts), program_(parts.program), host_(host), engineProgram_(engineProgram) {}

  /// Runs the step with its subtree. Throws as Machine::run does.
  void run(StepIndex step);

private:
  void runChildren(StepIndex step);
  void runSync(StepIndex step);
  void runExchange(StepIndex step, TimeKind kind);
  void runExecute(StepIndex step);
  void runStreamCopy(StepIndex step);
  void runSwitch(StepIndex step);
  void runRepeat(StepIndex step);
  void runRepeatWhile(StepIndex step);
  void print(StepIndex step);
  void abortIf(StepIndex step);
  [[noreturn]] void abort(StepIndex step, const std::string &text);
  [[nodiscard]] bool holds(const HomeBytes &predicate, ElementType type) const;
  [[nodiscard]] std::vector<StepIndex> children(StepIndex step) const;
  [[nodiscard]] std::optional<std::size_t> chooseChild(const SwitchStep &choice, std::size_t children) const;

  const MachineParts &parts_;
  const StepProgram &program_;
  HostPort &host_;
  std::uint32_t engineProgram_;
  std::optional<bool> test_; // what the last WhileTest said
};

} // namespace popscope
