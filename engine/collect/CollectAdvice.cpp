#include "engine/collect/Collect.hpp"

#include <algorithm>

namespace popscope {
namespace {

std::int64_t programOf(StepIndex step) { return step.valid() ? static_cast<std::int64_t>(step.index()) : -1; }

const char *carrierName(Carrier carrier) {
  switch (carrier) {
  case Carrier::None: return "";
  case Carrier::Loop: return "loop";
  case Carrier::Call: return "call";
  case Carrier::NextRun: return "next run";
  }
  return "";
}

LiveExplanationRecord explanation(const LivenessAdvice &advice, const LiveExplanation &row, std::uint32_t variable) {
  LiveExplanationRecord r;
  r.variable = variable;
  r.firstProgram = row.steps.begin.index();
  r.endProgram = row.steps.end.index();
  r.born = programOf(row.born);
  r.read = row.read.index();
  r.failedKill = programOf(row.failedKill);
  for (std::uint32_t m = row.firstMissed; m < row.firstMissed + row.numMissed; ++m) {
    const ElementRange &range = advice.missed[m];
    r.missedElements += range.end - range.begin;
    if (r.missed.size() < kMissedRanges)
      r.missed.emplace_back(range.begin, range.end);
  }
  r.carrier = carrierName(row.carrier);
  r.carriedBy = programOf(row.carriedBy);
  return r;
}

} // namespace

void collectAdvice(const LivenessAdvice &advice, const LiveRanges &ranges, const std::vector<VariableRow> &variables,
                   CompilationRecord &record) {
  AdviceRecord &out = record.advice;
  // A variable without memory has no record and no advice.
  const auto id = [&](VarId var) { return variables[var.index()].id(); };
  for (const LiveExplanation &row : advice.explanations)
    if (id(row.var) >= 0 && !isPlainLife(row, ranges))
      out.explanations.push_back(explanation(advice, row, static_cast<std::uint32_t>(id(row.var))));
  for (const FalseLive &f : advice.falseLive)
    if (id(f.var) >= 0)
      out.falseLive.push_back({static_cast<std::uint32_t>(id(f.var)), f.steps.begin.index(), f.steps.end.index(),
                               f.bytes, f.bytesOnWorstTile});
  for (const UndefPlacement &p : advice.placements)
    if (id(p.var) >= 0)
      out.placements.push_back(
          {static_cast<std::uint32_t>(id(p.var)), p.before.index(), p.savedOnWorstTile, p.savedOnDevice, p.together});
  out.present = advice.worstTile.valid();
  out.candidates = advice.candidates;
  out.tried = advice.tried;
  out.worstTile = out.present ? advice.worstTile.index() : 0;
  out.worstProgram = advice.worstStep.valid() ? advice.worstStep.index() : 0;
  out.worstPeak = advice.worstPeak;
  out.falseLiveAtPeak = advice.falseLiveAtPeak;
  out.worstPeakAfterAll = advice.worstPeakAfterAll;
}

} // namespace popscope
