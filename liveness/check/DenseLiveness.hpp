// The slow, obvious liveness: one node a step, bits for each variable, repeated until nothing changes. Twin of
// liveness/analysis, with which it shares no code. Paths that enter a function by one call and leave by another are no
// paths: a second bit says whether a value comes from a step to its function's end, and a call passes on what does.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

struct DenseLiveness {
  std::vector<std::vector<bool>> live, occupied; // [step][variable], by the data-flow alone (nothing is always live)
  std::vector<bool> reachable;                   // by step
  std::vector<bool> everRead;                    // by variable
  std::vector<std::vector<bool>> homeOccupied;   // [step][home]: as its variable, but as its tile says inside a source
};

/// Time: iterations * steps * variables, and for homes each element of each access. Memory: 8 to 13 bits a step and
/// variable, a bit a step and home.
DenseLiveness solveDenseLiveness(const StepProgram &program);

} // namespace popscope
