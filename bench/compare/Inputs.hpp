// Finds out which figures are a program's own input. Cycles that the program sets for its vertices (by setPerfEstimate
// or a registered estimator) pass through a comparison unchanged, so they are no evidence for the machine model.
#pragma once
#include <pva/pva.hpp>

namespace compare {

/// Returns which part (0 to 1) of the vertices' cycles in the recorded runs the program set, according to the cycle
/// sources that the profile keeps per vertex type.
double givenByProgram(const pva::Report &report);

/// Returns 1 if the program set the cycles of all vertices of the compute set, otherwise 0.
double givenByProgram(const pva::ComputeSet &computeSet);

} // namespace compare
