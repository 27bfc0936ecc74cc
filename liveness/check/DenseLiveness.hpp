// Reference implementation of liveness. The flow graph has one node per step, a second node for the second visit of
// each Repeat, and one node for the return of each function. For each variable, a node has two bits for the time before
// the node's step, and two bits for the time after the step. The first bit states whether the value is read before the
// node's function returns. The second bit states whether the value reaches the end of the function without a kill. The
// solver recomputes the bits until no bit changes. A path that enters a function by one call and leaves the function by
// another call does not count. Therefore a value lives across a call only if the second bit is set at the start of the
// called function. The implementation shares no code with liveness/analysis.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

struct DenseLiveness {
  std::vector<std::vector<bool>> live, occupied; // [step][variable], by data flow alone (no variable is always live)
  std::vector<bool> reachable;                   // per step
  std::vector<bool> everRead;                    // per variable
  std::vector<std::vector<bool>> homeOccupied;   // [step][home]: in the steps of a source, the accesses to the home
                                                 // decide; in any other step, a home is occupied if the home's variable
                                                 // is occupied
};

/// Computes the liveness of all variables and homes. Time: iterations * steps * variables. In addition, O(n log n) for
/// n accessed elements, for each home of the accessed variables. Memory: some 15 bits per step and variable, and a bit
/// per step and home.
DenseLiveness solveDenseLiveness(const StepProgram &program);

} // namespace popscope
