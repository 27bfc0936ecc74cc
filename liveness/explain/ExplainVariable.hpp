// Explains why one variable is live. For each step of the variable's life, finds the nearest later read, the first
// incomplete write between the step and this read, and the last full write before the step. Also finds the first loop,
// call or next run between the step and this read.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/InterpretAccesses.hpp"
#include "liveness/analysis/PassFunctions.hpp"
#include "liveness/data/Advice.hpp"

#include <memory>
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
  std::vector<std::uint32_t> loopOf;   // per step: the innermost Repeat or RepeatWhile around the step, or kNone
};

struct VariableExplanation {
  std::vector<LiveExplanation> rows; // ascending steps; firstMissed is an index into `missed`
  std::vector<ElementRange> missed;
};
class ReasonWalk;

/// The explanation of one variable at a time. One object serves many variables, but only one thread. `context` must
/// outlive the object.
class VariableExplainer {
public:
  explicit VariableExplainer(const ExplainContext &context);
  ~VariableExplainer();
  /// Returns the explanation. Cost: the number of events, blocks and calls of the life, times a logarithmic factor. The
  /// step of a Repeat occurs twice in the control flow. If the variable is live at the first occurrence, the
  /// explanation describes the first occurrence, and otherwise the second.
  VariableExplanation explain(VarId var);

private:
  const ExplainContext &context_;
  std::unique_ptr<ReasonWalk> walk_;
};

} // namespace popscope
