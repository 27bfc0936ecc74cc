// Reference implementation of liveness: one node per step, one bit per variable, repeated until nothing changes. It
// shares no code with liveness/analysis. A path that enters a function by one call and leaves it by another does not
// count: a second bit holds whether a value reaches its function's end, and a call passes on only such values.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

struct DenseLiveness {
  std::vector<std::vector<bool>> live, occupied; // [step][variable], by data flow alone (no variable is always live)
  std::vector<bool> reachable;                   // per step
  std::vector<bool> everRead;                    // per variable
  std::vector<std::vector<bool>> homeOccupied;   // [step][home]: as its variable, but by the accesses on its own tile
                                                 // inside a source
};

/// Solves the program. Time: iterations * steps * variables, and for homes each element of each access. Memory: 8 to 13
/// bits per step and variable, and a bit per step and home.
DenseLiveness solveDenseLiveness(const StepProgram &program);

} // namespace popscope
