// StepRunner: executes the tree of steps of a StepProgram. Values come from the tiles' memory, control flow depends on
// these values, and each step adds its time to the clocks.
//
//   RepeatWhile     children: the condition, whose last step is a WhileTest, and the body
//   If, Switch      one child per case; no child runs if no label matches and there is no default child
//
// Replicas walk through the tree together: a step runs for all replicas that take part in the step. If the values of
// replicas select different branches, the branches run one after the other, each for the replicas that take this
// branch. The branches run in the order of the step's children: first the cases, in the order in which the program
// added them, then the default case. So the order of all events is always the same.
//
// In a run without values (Machine::replay), the clocks advance, but nothing is computed. If a value decides which
// steps run or how long a step takes, the step throws an exception.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Clocks.hpp"
#include "instrument/machine/ComputeRunner.hpp"
#include "instrument/machine/ComputeTime.hpp"
#include "instrument/machine/ControlCounters.hpp"
#include "instrument/machine/CounterTimes.hpp"
#include "instrument/machine/DeviceState.hpp"
#include "instrument/machine/HostTransfers.hpp"
#include "instrument/machine/IdleSteps.hpp"
#include "instrument/machine/LoopLimit.hpp"
#include "instrument/machine/RaceCheck.hpp"
#include "instrument/machine/TileRegisters.hpp"

#include <optional>

namespace popscope {

struct ReplicaParts {
  const DeviceState *state;
  const ComputeRunner *compute;
  HostTransfers *transfers;
  TileRegisters *registers;
};

/// The objects that steps use. All these objects must outlive the runner. `races` may be null. computeTime and clocks
/// belong to replica 0.
struct MachineParts {
  const StepProgram &program;
  std::vector<ReplicaParts> replicas; // at least one
  ComputeTime &computeTime;
  Clocks &clocks;
  const CounterTimes &counters;
  const ControlCounters &control;
  RaceCheck *races = nullptr;
  std::chrono::seconds loopLimit{0}; // see MachineOptions::loopLimit
  std::uint64_t *executed;           // receives the number of steps (countsAsStep) that were executed in this run
};

class StepRunner {
public:
  /// Keeps a reference to `parts`, which must outlive the runner. `engineProgram` is the number of the engine program
  /// that runs. If the engine has a Switch that selects the program, the Switch takes the child with this number. If
  /// `host` is null, no value is computed or moved.
  StepRunner(const MachineParts &parts, HostPort *host, std::uint32_t engineProgram)
      : parts_(parts), program_(parts.program), host_(host), engineProgram_(engineProgram),
        tests_(parts.replicas.size(), 0), idle_(parts.program, parts.control, parts.clocks.running()),
        loops_(parts.program, parts.loopLimit) {
    for (std::uint32_t r = 0; r < parts.replicas.size(); ++r)
      active_.push_back(r);
  }

  /// Runs the step with its subtree. Throws the exceptions of Machine::run and Machine::replay.
  void run(StepIndex step);
  /// Returns whether the program stopped itself, for example by AbortOnCondition. Then the tiles have the state after
  /// the previous step.
  [[nodiscard]] bool stoppedItself() const { return stoppedItself_; }

private:
  void runChildren(StepIndex step);
  void runSync(StepIndex step);
  void runExchange(StepIndex step, TimeKind kind);
  void passExchangeTime(StepIndex step, const ExchangeStep &exchange, TimeKind kind);
  void exchangeReplicas(StepIndex step, const ExchangeStep &exchange);
  void runExecute(StepIndex step);
  void runStreamCopy(StepIndex step);
  void runSwitch(StepIndex step);
  void runBlock(StepIndex step);
  /// Runs each child of a Switch or If for the active replicas that take this child. Returns the index of the child
  /// that the first active replica takes, or kNoChild if this replica takes none.
  std::uint64_t takeChild(StepIndex step);
  void runRepeat(StepIndex step);
  void runRepeatWhile(StepIndex step);
  /// Runs a RepeatWhile. Returns the number of iterations of the first active replica.
  std::uint64_t iterate(StepIndex step);
  /// Calls `body`, which runs a loop or conditional and returns the number of iterations or the index of the executed
  /// child. Emits this result if time passes (timed()) and ControlCounters watches the step.
  template <class Body> void watched(StepIndex step, const Body &body);
  void print(StepIndex step);
  void printReplica(StepIndex step, std::uint32_t replica);
  void abortIf(StepIndex step);
  [[noreturn]] void abort(StepIndex step, std::uint32_t replica, const std::string &text);
  /// Throws application_runtime_error, because the replica's control value matches no case of `choice`.
  [[noreturn]] void abortWithoutCase(StepIndex step, std::uint32_t replica, const SwitchStep &choice);
  /// Throws application_runtime_error. The message contains `what`, the kind of program that stops the run.
  [[noreturn]] void stop(StepIndex step, std::uint32_t replica, const char *what, const std::string &text);
  [[nodiscard]] bool values() const { return host_ != nullptr; }
  /// Throws poplar::poplar_error if the runner computes no values. Call needsValues() for a step that depends on
  /// values.
  void needsValues(StepIndex step) const;
  /// Runs the step only for `replicas`, which are some of the active replicas.
  void runFor(std::vector<std::uint32_t> replicas, StepIndex step);
  void selectHost(std::uint32_t replica);
  /// Returns whether the current step takes time: the clocks run, and replica 0 takes part in the step. The clocks run
  /// if there is a listener or if the program reads the cycle counter.
  [[nodiscard]] bool timed() const { return parts_.clocks.running() && active_.front() == 0; }
  [[nodiscard]] bool holds(std::uint32_t replica, const HomeBytes &predicate, ElementType type) const;
  [[nodiscard]] std::vector<StepIndex> children(StepIndex step) const;
  [[nodiscard]] std::optional<std::size_t> chooseChild(std::uint32_t replica, const SwitchStep &choice,
                                                       std::size_t children) const;

  const MachineParts &parts_;
  const StepProgram &program_;
  HostPort *host_; // null = only time passes
  std::uint32_t engineProgram_;
  std::vector<std::uint8_t> tests_; // per replica: result of its latest WhileTest
  IdleSteps idle_;
  LoopLimit loops_;
  bool stoppedItself_ = false;
  std::vector<std::uint32_t> active_; // replicas that take part in the current step, ascending, never empty
};

} // namespace popscope
