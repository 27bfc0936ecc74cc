// Finds places where a WriteUndef would end a life that exists only by the array rule, and measures the saved bytes.
// The element-exact analysis (ExactLiveness.hpp) finds the candidates. To measure a saving, measureUndefs adds
// candidates to the steps and repeats the analysis.
#pragma once
#include "liveness/data/Advice.hpp"
#include "liveness/explain/ExactLiveness.hpp"

#include <utility>
#include <vector>

namespace popscope {

struct UndefCandidate {
  VarId var;
  StepIndex before;
  StepInterval freed{StepIndex(0), StepIndex(0)}; // the steps directly before `before` at which the variable is live
                                                  // only by the array rule
};
/// Returns candidates. A candidate is a point between two steps of one Sequence, never inside a source. At this point,
/// the variable is live by the array rule, but no later step reads the present values of the variable's elements.
std::vector<UndefCandidate> undefCandidates(const ExplainContext &context, const LiveRanges &ranges, VarId var,
                                            const std::vector<ElementGroup> &groups);

/// Returns a copy of the parts of the program that liveness reads. For each pair (variable, step), the copy has a
/// WriteUndef of the variable directly before the step. The steps must be children of Sequences.
StepProgram withUndefs(const StepProgram &program, std::vector<std::pair<VarId, StepIndex>> undefs);

/// Returns whether a WriteUndef of the variable directly before the step is allowed. A WriteUndef is allowed if no
/// later step reads a value that the WriteUndef would discard. In addition, control must be able to reach the step, and
/// the step must be a child of a Sequence and must not lie inside a source. Cost: the number of steps, plus the number
/// of the variable's element groups times the number of the variable's accesses.
bool mayUndef(const ExplainContext &context, VarId var, StepIndex before);

/// Returns the whole program with the WriteUndef steps that withUndefs() would add. Each added step has the name of its
/// variable.
StepProgram withUndefSteps(const StepProgram &program, std::vector<std::pair<VarId, StepIndex>> undefs);

/// Measures at most `limit` candidates, each without the others, in parallel. If there are more candidates, prefers the
/// candidates that free the most bytes on the worst tile at the peak of this tile. Among equal candidates, prefers a
/// candidate that frees the variable at more steps. Then measures all these candidates together. Fills the members
/// candidates, tried, worstPeakAfterAll and placements of `advice`. `placements` gets only candidates that save bytes
/// alone or together with others. Sets UndefPlacement::together only if all measured candidates together save more than
/// the best single candidate. First compares the savings on the worst tile, and then the savings on all tiles. `advice`
/// must already contain worstTile, worstStep and worstPeak.
void measureUndefs(const StepProgram &program, const LiveRanges &ranges, const std::vector<UndefCandidate> &candidates,
                   std::uint32_t limit, Threads threads, LivenessAdvice &advice);

} // namespace popscope
