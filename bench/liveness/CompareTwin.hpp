// The analysis against its dense twin, bit by bit.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>

namespace bench {

/// (variable, step) pairs on which they disagree. Always-live variables are left out: their class says more.
std::uint64_t differingBits(const popscope::StepProgram &program, const popscope::LiveRanges &ranges);

} // namespace bench
