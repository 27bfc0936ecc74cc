// Where a WriteUndef would end a life that only the array rule sees, and what that saves: candidates come from the
// element-exact analysis, savings from applying them to the steps and analysing again.
#pragma once
#include "liveness/data/Advice.hpp"
#include "liveness/explain/ExactLiveness.hpp"

#include <utility>
#include <vector>

namespace popscope {

struct UndefCandidate {
  VarId var;
  StepIndex before;
  StepInterval freed{StepIndex(0), StepIndex(0)}; // the falsely live steps right before it
};
/// Points between two steps of one Sequence, never inside a source, at which no element's value is needed and behind
/// which the variable is live by the array rule.
std::vector<UndefCandidate> undefCandidates(const ExplainContext &context, const LiveRanges &ranges, VarId var,
                                            const std::vector<ElementGroup> &groups);

/// The parts of the program that liveness looks at, with WriteUndef programs put in: each (variable, step) becomes a
/// step right before that step. Steps must be children of Sequences.
StepProgram withUndefs(const StepProgram &program, std::vector<std::pair<VarId, StepIndex>> undefs);

/// Whether a WriteUndef of the variable right before the step loses no value that is read later, and the step is a
/// child of a Sequence and not inside a source. Cost: the variable's element groups times its accesses.
bool mayUndef(const ExplainContext &context, VarId var, StepIndex before);

/// The whole program with these WriteUndef steps, which carry the variable's name.
StepProgram withUndefSteps(const StepProgram &program, std::vector<std::pair<VarId, StepIndex>> undefs);

/// Applies the candidates one by one, those first that free most on the worst tile at its peak (at most `limit`), and
/// all useful ones together. Fills placements, candidates, tried and worstPeakAfterAll; the worst tile must be known.
void measureUndefs(const StepProgram &program, const LiveRanges &ranges, const std::vector<UndefCandidate> &candidates,
                   std::uint32_t limit, Threads threads, LivenessAdvice &advice);

} // namespace popscope
