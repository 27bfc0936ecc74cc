// Explains why one variable is live. For each step of the variable's life, finds the last full write before the step,
// the nearest later read, and the first incomplete write between the step and this read. Also finds the first loop,
// call or next run between the step and this read.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/InterpretAccesses.hpp"
#include "liveness/analysis/PassFunctions.hpp"
#include "liveness/data/Advice.hpp"

#include <vector>

namespace popscope {

/// The tables that explanations need, all of one program. Build the context once per program.
struct ExplainContext {
  /// Builds the tables. If the caller already has the accesses of the program, `known` points to these accesses, and
  /// must outlive the context.
  explicit ExplainContext(const StepProgram &program, Threads threads = {}, const AccessTable *known = nullptr);
  ExplainContext(const ExplainContext &) = delete; // not copyable, because the members refer to one another
  ExplainContext &operator=(const ExplainContext &) = delete;
  const StepProgram &program;
  FlowGraph flow;
  AccessTable collected; // empty if the caller passed the accesses
  const AccessTable &table;
  AccessContext accesses;
  FunctionPasses passes;
  Grouped<std::uint32_t> next;         // per block: its successors, ascending
  std::vector<std::uint32_t> callFrom; // per block: the call at the end of the block, or kNone
  std::vector<std::uint32_t> loopOf;   // per step: the innermost RepeatWhile, or Repeat of a count other
                                       // than 1, around the step; or kNone
};

struct VariableExplanation {
  std::vector<LiveExplanation> rows; // sorted by step; firstMissed is an index into `missed`
  std::vector<ElementRange> missed;
};
class ReasonWalk;

/// Returns the explanation of a variable. `walk` belongs to `context`, and may serve many variables. Cost: the number of
/// events, blocks and calls of the life, times a logarithmic factor. The step of a Repeat occurs twice in the control
/// flow. If the variable is live at the first occurrence, the explanation describes the first occurrence, and otherwise
/// the second.
[[nodiscard]] VariableExplanation explainVariable(const ExplainContext &context, ReasonWalk &walk, VarId var);

} // namespace popscope
