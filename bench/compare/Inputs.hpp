// Which figures a program brought along itself. Cycles that it gives its vertices (setPerfEstimate, or an estimator
// that it registered) come out of a comparison as they went in, and are no evidence for a model of the machine.
#pragma once
#include <pva/pva.hpp>

namespace compare {

/// Of the cycles of vertices in the recorded runs the part, from 0 to 1, that the program gave: by the sources that the
/// profile keeps for each vertex type.
double givenByProgram(const pva::Report &report);

/// The same of one compute set: 1 where the program gave all its vertices their cycles, else 0.
double givenByProgram(const pva::ComputeSet &computeSet);

} // namespace compare
