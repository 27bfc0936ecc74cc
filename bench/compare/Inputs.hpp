// Finds the figures that a program determines itself. A program may set the cycles of its vertices by setPerfEstimate
// or a registered estimator. These cycles pass through a comparison unchanged, so they are no evidence for the machine
// model.
#pragma once
#include <pva/pva.hpp>

namespace compare {

/// Returns the fraction (0 to 1) of the vertices' cycles in the recorded runs that the program set. The cycles of a
/// vertex type count only if the program set all of them, according to the cycle sources in the profile.
double givenByProgram(const pva::Report &report);

/// Returns 1 if the program set the cycles of all vertices of the compute set, otherwise 0.
double givenByProgram(const pva::ComputeSet &computeSet);

} // namespace compare
