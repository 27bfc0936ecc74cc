// Why one variable is live: for each step of its life the nearest read, the write on the way there that left elements
// out, the last full write, and the loop, call or next run in between.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/InterpretAccesses.hpp"
#include "liveness/analysis/PassFunctions.hpp"
#include "liveness/data/Advice.hpp"

#include <memory>
#include <vector>

namespace popscope {

/// What explaining needs of the program; made once.
struct ExplainContext {
  /// `known`: the accesses of the program, if somebody has them; must outlive this.
  explicit ExplainContext(const StepProgram &program, Threads threads = {}, const AccessTable *known = nullptr);
  ExplainContext(const ExplainContext &) = delete; // its parts refer to one another
  ExplainContext &operator=(const ExplainContext &) = delete;
  const StepProgram &program;
  FlowGraph flow;
  AccessTable collected; // empty if they were known
  const AccessTable &table;
  AccessContext accesses;
  FunctionPasses passes;
  std::vector<std::uint32_t> firstNext, next; // successors of blocks, as FlowGraph::preds
  std::vector<std::uint32_t> callFrom;        // by block: the call that it ends with, or kNone
  std::vector<std::uint32_t> loopOf;          // by step: the innermost Repeat or RepeatWhile around it, or kNone
};

struct VariableExplanation {
  std::vector<LiveExplanation> rows; // ascending steps; firstMissed counts within `missed`
  std::vector<ElementRange> missed;
};
class ReasonWalk;

/// Reusable between variables, not between threads. `context` must outlive it.
class VariableExplainer {
public:
  explicit VariableExplainer(const ExplainContext &context);
  ~VariableExplainer();
  /// Cost: events and blocks of the life, times a logarithm. A Repeat's own step, which is
  /// visited twice, is explained as on the first visit if it is live then.
  VariableExplanation explain(VarId var);

private:
  const ExplainContext &context_;
  std::unique_ptr<ReasonWalk> walk_;
};

} // namespace popscope
