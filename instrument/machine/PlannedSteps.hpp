// PlannedSteps: counts the steps that a run will execute, if this number does not depend on a value. A progress bar
// shows the count.
//
//   Sequence            2 + 3 * 2 = 8
//     Sync                1
//     Repeat 3            each iteration has 2 steps
//       DoExchange          1
//       OnTileExecute       1
//     Sync                1
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/IdleSteps.hpp"

#include <cstdint>
#include <optional>

namespace popscope {

/// Returns whether the step is counted. A step is counted if the step has no children and calls no function.
[[nodiscard]] bool countsAsStep(const StepProgram &program, StepIndex step);

/// Returns how many counted steps (countsAsStep) one execution of the subtree executes. The Switch with which the
/// engine selects a program takes the child `engineProgram`. The steps in the body of a Repeat count as often as
/// idle.times() states. Returns no value if the execution can reach a RepeatWhile. Also returns no value if the
/// execution can reach a conditional that may run no child, or a conditional whose children have different numbers of
/// steps. Numbers above 2^63 become 2^63. Cost: linear in steps.
[[nodiscard]] std::optional<std::uint64_t> plannedSteps(const StepProgram &program, StepIndex root, IdleSteps &idle,
                                                        std::uint32_t engineProgram);

} // namespace popscope
