#include "graph/steps/StepProgram.hpp"

namespace popscope {

const char *stepKindName(StepKind kind) {
  switch (kind) {
  case StepKind::Sequence: return "Sequence";
  case StepKind::Sync: return "Sync";
  case StepKind::DoExchange: return "DoExchange";
  case StepKind::GlobalExchange: return "GlobalExchange";
  case StepKind::OnTileExecute: return "OnTileExecute";
  case StepKind::StreamCopyBegin: return "StreamCopyBegin";
  case StepKind::StreamCopyMid: return "StreamCopyMid";
  case StepKind::StreamCopyEnd: return "StreamCopyEnd";
  case StepKind::Switch: return "Switch";
  case StepKind::If: return "If";
  case StepKind::Repeat: return "Repeat";
  case StepKind::RepeatWhile: return "RepeatWhile";
  case StepKind::WhileTest: return "WhileTest";
  case StepKind::Call: return "Call";
  case StepKind::WriteUndef: return "WriteUndef";
  case StepKind::PrintTensor: return "PrintTensor";
  case StepKind::Abort: return "Abort";
  case StepKind::AbortOnCondition: return "AbortOnCondition";
  case StepKind::ErrorProgram: return "ErrorProgram";
  case StepKind::Block: return "Block";
  case StepKind::AssumeEqualAcrossReplicas: return "AssumeEqualAcrossReplicas";
  case StepKind::TileRegister: return "TileRegister";
  }
  return "unknown";
}

} // namespace popscope
