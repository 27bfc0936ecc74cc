// Finds the cycles that a program itself sets for its vertices, by setPerfEstimate or a registered estimator. The
// machine model does not change these cycles, so a comparison of these cycles is no evidence for the model.
#pragma once
#include <pva/pva.hpp>

namespace compare {

/// Returns which fraction (0 to 1) of the vertices' cycles in the recorded runs was set by the program. The cycles of a
/// vertex type count as set only if the program set the cycles of all its vertices, according to the cycle sources in
/// the profile.
double givenByProgram(const pva::Report &report);

/// Returns 1 if the program set the cycles of all vertices of the compute set, otherwise 0.
double givenByProgram(const pva::ComputeSet &computeSet);

} // namespace compare
