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
  switch (step.kind) {
  case StepKind::WriteUndef:
  case StepKind::AssumeEqualAcrossReplicas:
  case StepKind::AbortOnCondition: return true; // stops the program the first time, or never
  case StepKind::Call: return is(program_.functions[program_.calls[step.payload].function].root);
  case StepKind::Repeat: return program_.repeats[step.payload].count == 0 || childrenAre(s);
  case StepKind::Block: return !(timed_ && program_.blocks[step.payload].recorded) && childrenAre(s);
  case StepKind::Sequence:
  case StepKind::If:
  case StepKind::Switch: return childrenAre(s); // the same child each time
  case StepKind::Sync:
  case StepKind::DoExchange:
  case StepKind::GlobalExchange:
  case StepKind::OnTileExecute:
  case StepKind::StreamCopyBegin:
  case StepKind::StreamCopyMid:
  case StepKind::StreamCopyEnd:
  case StepKind::RepeatWhile:
  case StepKind::WhileTest:
  case StepKind::PrintTensor:
  case StepKind::Abort:
  case StepKind::ErrorProgram:
  case StepKind::TileRegister: return false;
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
