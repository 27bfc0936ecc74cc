// IdleSteps: subtrees of steps that change no value, ask nothing of the host and pass no time. What such a subtree does
// the first time it does each time (what it reads stays as it is), so that a Repeat of it has run when it has run once:
//
//   Repeat 4,000,000,000          runs its body once
//     Repeat 4,000,000,000        runs its body once; its counters, if it has some without cost, are told once
//       Call f                    idle when the body of f is
//       WriteUndef x
//     Repeat 0                    idle, whatever it repeats
//       OnTileExecute
//
// Counters that take time to read and blocks that are recorded are no idling while somebody listens.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/ControlCounters.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

class IdleSteps {
public:
  /// `timed`: somebody listens to the clocks. Both must outlive this.
  IdleSteps(const StepProgram &program, const ControlCounters &control, bool timed)
      : program_(program), control_(control), timed_(timed) {}

  /// How often the body of a Repeat is to run: as often as it says, once where more does nothing more. Each step is
  /// looked at once, when a Repeat around it is met first.
  [[nodiscard]] std::uint32_t times(StepIndex repeat);

private:
  enum class Idle : std::uint8_t { Unknown, No, Yes };
  [[nodiscard]] bool find(StepIndex step);
  [[nodiscard]] bool is(StepIndex step);
  [[nodiscard]] bool childrenAre(StepIndex step);

  const StepProgram &program_;
  const ControlCounters &control_;
  bool timed_;
  std::vector<Idle> known_;  // by step; empty until a Repeat is met
  std::vector<Idle> bodies_; // by step: of a Repeat's children
};

} // namespace popscope
