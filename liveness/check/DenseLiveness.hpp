// The slow, obvious liveness: one node a step, one bit a variable, repeated until nothing changes. Twin of
// liveness/analysis, with which it shares no code.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

struct DenseLiveness {
  std::vector<std::vector<bool>> live, occupied; // [step][variable], by the data-flow alone (nothing is always live)
  std::vector<bool> reachable;                   // by step
  std::vector<bool> everRead;                    // by variable
};

/// Time: iterations * steps * variables. Memory: 5 bits a step and variable.
DenseLiveness solveDenseLiveness(const StepProgram &program);

} // namespace popscope
