// A part of verifySteps. verifyAccesses() checks that the operands of one step lie inside homes (invariant S4 of
// StepProgram.hpp). verifyAccesses() also checks that the union of the operands equals the accesses of the step
// (invariant S6).
#pragma once
#include "graph/steps/HomeElements.hpp"

namespace popscope {

/// Checks the operands and the accesses of one step. Ignores a step of a kind without operands (StepKindRow::operands).
/// If an invariant is violated, throws InternalError; the message contains the number of the invariant (S4 or S6) and
/// the step.
void verifyAccesses(const StepProgram &program, const HomeElements &elements, StepIndex step);

} // namespace popscope
