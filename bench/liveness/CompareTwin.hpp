// Compares the analysis with the dense reference implementation, bit by bit.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>

namespace bench {

/// Returns the number of (variable, step) pairs on which the analysis and the reference implementation disagree.
/// Always-live variables are left out, because data flow alone does not find them.
std::uint64_t differingBits(const popscope::StepProgram &program, const popscope::LiveRanges &ranges);

} // namespace bench
