// IdleSteps: finds subtrees of steps that change no value, request nothing from the host and take no time. Each
// execution of such a subtree has the same effect, because the values that the subtree reads do not change. So a Repeat
// whose body is such a subtree needs to run the body only once:
//
//   Repeat 4,000,000,000          runs its body once
//     Repeat 4,000,000,000        runs its body once; if recording takes no time, the loop's result is recorded once
//       Call f                    idle if the body of f is idle
//       WriteUndef x
//     Repeat 0                    idle, independent of its body
//       OnTileExecute
//
// If a listener needs times, two kinds of steps are not idle: recorded blocks, and loops and conditionals whose
// counters take time.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/ControlCounters.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

class IdleSteps {
public:
  /// Keeps references to `program` and `control`, which must outlive the object. `timed` states whether a listener
  /// needs times.
  IdleSteps(const StepProgram &program, const ControlCounters &control, bool timed)
      : program_(program), control_(control), timed_(timed) {}

  /// Returns how often the body of a Repeat must run: as often as the count of the Repeat states, or only once if
  /// further iterations have no effect. Examines each step at most once, at the first execution of a Repeat that
  /// contains the step.
  [[nodiscard]] std::uint32_t times(StepIndex repeat);

private:
  enum class Idle : std::uint8_t { Unknown, No, Yes };
  [[nodiscard]] bool find(StepIndex step);
  [[nodiscard]] bool is(StepIndex step);
  [[nodiscard]] bool childrenAre(StepIndex step);

  const StepProgram &program_;
  const ControlCounters &control_;
  bool timed_;
  std::vector<Idle> known_;  // per step; empty until a Repeat is executed
  std::vector<Idle> bodies_; // per step: whether all children of the step are idle
};

} // namespace popscope
