// Explains a program's liveness: why each variable is live, which bytes of the variable no later step reads, and where
// a WriteUndef would save memory.
#pragma once
#include "base/Parallel.hpp"
#include "liveness/data/Advice.hpp"

namespace popscope {

struct AccessTable;

struct ExplainOptions {
  Threads threads;
  std::uint32_t maxPlacementsTried = 32; // maximum number of placements that are measured; each of them costs one or
                                         // two analyses of the program
  bool plainLives = true;                // false: leaves out explanations for which isPlainLife() is true
  const AccessTable *accesses = nullptr; // the accesses of the program; null: explainLiveness collects them
};

/// Explains the liveness of all variables, and measures places for WriteUndefs. Runs in parallel over variables. Cost
/// per variable, without logarithmic factors: the number of steps at which the variable is live, plus the number of
/// element groups (ExactLiveness.hpp) times the number of accesses. Variables that the same steps access as a whole
/// share one cached analysis. In addition, each tried placement costs one or two analyses of the program, and the
/// measurement of all tried placements together costs one more analysis. Memory: the flow graph, tables over all basic
/// blocks per thread, and the rows of the result.
LivenessAdvice explainLiveness(const StepProgram &program, const LiveRanges &ranges,
                               const ExplainOptions &options = {});

} // namespace popscope
