// Finds places where a WriteUndef would end a life that exists only by the array rule, and measures the saved bytes.
// Candidates come from the element-exact analysis. To measure a saving, it applies candidates to the steps and analyses
// them again.
#pragma once
#include "liveness/data/Advice.hpp"
#include "liveness/explain/ExactLiveness.hpp"

#include <utility>
#include <vector>

namespace popscope {

struct UndefCandidate {
  VarId var;
  StepIndex before;
  StepInterval freed{StepIndex(0), StepIndex(0)}; // the steps right before `before` at which the variable is live only
                                                  // by the array rule
};
/// Returns candidates: points between two steps of one Sequence, never inside a source, at which no element's value is
/// needed, and at which the variable is live by the array rule.
std::vector<UndefCandidate> undefCandidates(const ExplainContext &context, const LiveRanges &ranges, VarId var,
                                            const std::vector<ElementGroup> &groups);

/// Returns the parts of the program that liveness reads, with each (variable, step) as a WriteUndef step right before
/// that step. Steps must be children of Sequences.
StepProgram withUndefs(const StepProgram &program, std::vector<std::pair<VarId, StepIndex>> undefs);

/// Returns whether a WriteUndef of the variable right before the step is allowed: it loses no value that is read later,
/// and the step is a child of a Sequence and not inside a source. Cost: the variable's element groups times its
/// accesses.
bool mayUndef(const ExplainContext &context, VarId var, StepIndex before);

/// Returns the whole program with these WriteUndef steps added. Each has the name of its variable.
StepProgram withUndefSteps(const StepProgram &program, std::vector<std::pair<VarId, StepIndex>> undefs);

/// Applies the candidates one by one (at most `limit`, first those that free most on the worst tile at its peak), and
/// all useful ones together. Fills placements, candidates, tried, together and worstPeakAfterAll. The worst tile must
/// be known.
void measureUndefs(const StepProgram &program, const LiveRanges &ranges, const std::vector<UndefCandidate> &candidates,
                   std::uint32_t limit, Threads threads, LivenessAdvice &advice);

} // namespace popscope
