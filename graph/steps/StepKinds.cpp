#include "graph/steps/StepKinds.hpp"

namespace popscope {

const char *stepKindName(StepKind kind) { return isStepKind(kind) ? stepKindRow(kind).name : "unknown"; }

std::size_t payloadRows(const StepProgram &program, StepPayload payload) {
  switch (payload) {
  case StepPayload::None: return ~std::size_t(0);
  case StepPayload::Sync: return program.syncs.size();
  case StepPayload::Exchange: return program.exchanges.size();
  case StepPayload::Execute: return program.executes.size();
  case StepPayload::StreamCopy: return program.streamCopies.size();
  case StepPayload::Switch: return program.switches.size();
  case StepPayload::Repeat: return program.repeats.size();
  case StepPayload::Test: return program.tests.size();
  case StepPayload::Call: return program.calls.size();
  case StepPayload::Print: return program.prints.size();
  case StepPayload::Message: return program.messagesText.size();
  case StepPayload::TileRegister: return program.tileRegisters.size();
  case StepPayload::Block: return program.blocks.size();
  }
  return 0;
}

} // namespace popscope
