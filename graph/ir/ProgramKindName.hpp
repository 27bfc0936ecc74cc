// Names of program kinds, for messages and dumps.
#pragma once
#include "graph/ir/GraphIr.hpp"

namespace popscope {

constexpr const char *programKindName(ProgramKind kind) {
  switch (kind) {
  case ProgramKind::Sequence: return "Sequence";
  case ProgramKind::Execute: return "Execute";
  case ProgramKind::Copy: return "Copy";
  case ProgramKind::StreamToTensor:
  case ProgramKind::TensorToStream: return "StreamCopy";
  case ProgramKind::RemoteToTensor:
  case ProgramKind::TensorToRemote: return "RemoteBufferCopy";
  case ProgramKind::Repeat: return "Repeat";
  case ProgramKind::RepeatWhileTrue: return "RepeatWhileTrue";
  case ProgramKind::RepeatWhileFalse: return "RepeatWhileFalse";
  case ProgramKind::If: return "If";
  case ProgramKind::Switch: return "Switch";
  case ProgramKind::Call: return "Call";
  case ProgramKind::WriteUndef: return "WriteUndef";
  case ProgramKind::Sync: return "Sync";
  case ProgramKind::PrintTensor: return "PrintTensor";
  case ProgramKind::ErrorProgram: return "ErrorProgram";
  case ProgramKind::Abort: return "Abort";
  case ProgramKind::AbortOnCondition: return "AbortOnCondition";
  case ProgramKind::CrossReplicaCopy: return "CrossReplicaCopy";
  case ProgramKind::AssumeEqualAcrossReplicas: return "AssumeEqualAcrossReplicas";
  case ProgramKind::Block: return "Block";
  case ProgramKind::ReadTileRegister: return "ReadTileRegister";
  case ProgramKind::WriteTileRegister: return "WriteTileRegister";
  }
  return "Program";
}

} // namespace popscope
