// Reference implementation of liveness. The flow graph has one node per step, and each node has one bit per variable.
// The solver recomputes the bits until no bit changes. The implementation shares no code with liveness/analysis. A path
// that enters a function by one call and leaves it by another does not count. Therefore a second bit records whether a
// value reaches the end of its function without a kill. Only values with this second bit live across a call.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

struct DenseLiveness {
  std::vector<std::vector<bool>> live, occupied; // [step][variable], by data flow alone (no variable is always live)
  std::vector<bool> reachable;                   // per step
  std::vector<bool> everRead;                    // per variable
  std::vector<std::vector<bool>> homeOccupied;   // [step][home]: occupied if its variable is occupied; within a source,
                                                 // the accesses on the home's tile decide
};

/// Solves the program. Time: iterations * steps * variables, and for homes linear in the elements of all accesses.
/// Memory: 8 to 13 bits per step and variable, and a bit per step and home.
DenseLiveness solveDenseLiveness(const StepProgram &program);

} // namespace popscope
