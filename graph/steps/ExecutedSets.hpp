// ExecutedSets: visits each executed compute set once. A set has the same vertices in all steps that execute the set,
// with or without a result.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

/// Calls f with the first ExecuteStep of each compute set, in the order of StepProgram::executes.
template <class F> void forEachExecutedSet(const StepProgram &program, const F &f) {
  std::vector<bool> seen(program.computeSets.size(), false);
  for (const ExecuteStep &execute : program.executes) {
    if (!execute.computeSet.valid() || seen[execute.computeSet.index()])
      continue;
    seen[execute.computeSet.index()] = true;
    f(execute);
  }
}

} // namespace popscope
