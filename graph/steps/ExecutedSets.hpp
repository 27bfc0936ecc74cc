// ExecutedSets: the vertices and copies of a compute set, and a visit of each executed compute set. All steps that
// execute one compute set have the same vertices, whether or not a step stores a result (ExecuteStep::result).
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <span>
#include <vector>

namespace popscope {

inline std::span<const StepVertex> verticesOf(const StepProgram &program, const ExecuteStep &execute) {
  return {program.vertices.data() + execute.firstVertex, execute.numVertices};
}
inline std::span<const CopyVertex> copiesOf(const StepProgram &program, const ExecuteStep &execute) {
  return {program.copies.data() + execute.firstCopy, execute.numCopies};
}

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
