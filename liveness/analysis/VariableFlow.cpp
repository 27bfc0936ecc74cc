#include "liveness/analysis/VariableFlow.hpp"

#include <algorithm>

namespace popscope {

void VariableFlow::start(VarId var) {
  live_ = ranges_.intervalsOf(ranges_.live[var]);
  interpretAccesses(c_, var, accesses_);
}

/// Returns whether the variable is live-in. Control visits the step of a Repeat of several iterations again after the
/// body, so a variable that is live at this step need not be live-in.
bool VariableFlow::liveIn(std::uint32_t step) const {
  const Step &info = c_.program.steps.raw()[step];
  if (info.kind == StepKind::Repeat && info.numAccesses == 0 && info.end > step + 1 &&
      c_.program.repeats.at(info.payload).count > 1)
    return liveIn(step + 1);
  return liveBefore(step, live_, accesses_.events);
}

bool VariableFlow::liveOut(std::uint32_t step) {
  passed_.clear();
  return contains(live_, StepIndex(step)) && liveAt(step + 1, regionOf(step));
}

std::uint32_t VariableFlow::regionOf(std::uint32_t step) const {
  const std::uint32_t run = flow_.steps[step].run;
  return run == kNoBlock ? kNoBlock : flow_.regionOfRun[run];
}

/// Returns whether the variable is live when control has reached `step` of a region. The step may be the region's end.
bool VariableFlow::liveAt(std::uint32_t step, std::uint32_t region) {
  if (region == kNoBlock)
    return true; // the region is not known
  return step < flow_.regions[region].end ? liveIn(step) : liveOutOfRegion(region);
}

bool VariableFlow::liveOutOfRegion(std::uint32_t region) {
  const FlowRegion &r = flow_.regions[region];
  const auto beginOf = [&](std::uint32_t other) { return flow_.regions[other].begin; };
  switch (r.kind) {
  case FlowRegion::Kind::Tree: return region == 0 ? liveIn(r.begin) : liveOutOfCalls(r);
  case FlowRegion::Kind::Arm: return liveAt(r.controlEnd, r.parent);
  case FlowRegion::Kind::RepeatBody: return r.together != 1 || liveIn(r.begin) || liveAt(r.controlEnd, r.parent);
  case FlowRegion::Kind::WhileCondition:
    return r.together != 2 || liveIn(beginOf(r.last)) || liveAt(r.controlEnd, r.parent);
  case FlowRegion::Kind::WhileBody: return r.together != 2 || liveIn(beginOf(r.before));
  }
  return true;
}

bool VariableFlow::liveOutOfCalls(const FlowRegion &tree) {
  const std::uint32_t block = flow_.blockOf[tree.begin];
  const std::uint32_t function = block == kNoBlock ? kNoBlock : flow_.functionOf[block];
  if (function == kNoBlock)
    return true;
  if (std::find(passed_.begin(), passed_.end(), function) != passed_.end())
    return false; // the calls of this function were examined before
  passed_.push_back(function);
  for (const std::uint32_t site : flow_.sites[function]) {
    const FlowCall &call = flow_.calls[site];
    if (call.back != kNoBlock && liveAt(call.step + 1, regionOf(call.step)))
      return true;
  }
  return false;
}

} // namespace popscope
