#include "instrument/machine/IdleSteps.hpp"

namespace popscope {

std::uint32_t IdleSteps::times(StepIndex repeat) {
  const std::uint32_t count = program_.repeats[program_.steps[repeat].payload].count;
  return count > 1 && childrenAre(repeat) ? 1 : count;
}

bool IdleSteps::is(StepIndex s) {
  if (known_.empty())
    known_.resize(program_.steps.size(), Idle::Unknown);
  if (known_[s.index()] == Idle::Unknown) {
    const bool idle = find(s);
    known_[s.index()] = idle ? Idle::Yes : Idle::No;
  }
  return known_[s.index()] == Idle::Yes;
}

bool IdleSteps::find(StepIndex s) {
  const Step &step = program_.steps[s];
  if (timed_ && control_.watches(s) && control_.costs(s))
    return false;
  switch (stepKindRow(step.kind).idempotent) {
  case Idempotent::No: break;
  case Idempotent::Yes: return true;
  case Idempotent::AsItsContent:
    if (step.kind == StepKind::Call)
      return is(program_.functions[program_.calls[step.payload].function].root);
    if (step.kind == StepKind::Repeat && program_.repeats[step.payload].count == 0)
      return true;
    if (step.kind == StepKind::Block && timed_ && program_.blocks[step.payload].recorded)
      return false;
    return childrenAre(s); // a branch takes the same child each time
  }
  return false;
}

bool IdleSteps::childrenAre(StepIndex s) {
  if (bodies_.empty())
    bodies_.resize(program_.steps.size(), Idle::Unknown);
  Idle &known = bodies_[s.index()];
  if (known == Idle::Unknown) {
    known = Idle::Yes;
    for (StepIndex child(s.index() + 1); known == Idle::Yes && child.index() < program_.steps[s].end;
         child = StepIndex(program_.steps[child].end))
      if (!is(child))
        known = Idle::No;
  }
  return known == Idle::Yes;
}

} // namespace popscope
