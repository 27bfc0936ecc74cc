// Names, factory and double dispatch of the program classes.
#include "report/pva/Model.hpp"

#include <memory>

namespace pva {
namespace {
struct TypeName {
  Program::Type type;
  const char *name;
};
constexpr TypeName kTypeNames[] = {
    {Program::Type::DoExchange, "DoExchange"},
    {Program::Type::GlobalExchange, "GlobalExchange"},
    {Program::Type::OnTileExecute, "OnTileExecute"},
    {Program::Type::StreamCopyBegin, "StreamCopyBegin"},
    {Program::Type::StreamCopyMid, "StreamCopyMid"},
    {Program::Type::StreamCopyEnd, "StreamCopyEnd"},
    {Program::Type::Sync, "Sync"},
    {Program::Type::SyncAns, "SyncAns"},
    {Program::Type::Sans, "Sans"},
    {Program::Type::Repeat, "Repeat"},
    {Program::Type::Sequence, "Sequence"},
    {Program::Type::OnEveryTileSwitch, "OnEveryTileSwitch"},
    {Program::Type::Call, "Call"},
    {Program::Type::Copy, "Copy"},
    {Program::Type::CopySharedStructure, "CopySharedStructure"},
    {Program::Type::CrossReplicaCopy, "CrossReplicaCopy"},
    {Program::Type::Execute, "Execute"},
    {Program::Type::OnTileCopy, "OnTileCopy"},
    {Program::Type::OnTileSwitch, "OnTileSwitch"},
    {Program::Type::RepeatWhile, "RepeatWhile"},
    {Program::Type::SetLocalConsensus, "SetLocalConsensus"},
    {Program::Type::SetLocalConsensusFromVar, "SetLocalConsensusFromVar"},
    {Program::Type::GetGlobalConsensus, "GetGlobalConsensus"},
    {Program::Type::WriteUndef, "WriteUndef"},
    {Program::Type::AssumeEqualAcrossReplicas, "AssumeEqualAcrossReplicas"},
    {Program::Type::Switch, "Switch"},
    {Program::Type::While, "While"},
    {Program::Type::Block, "Block"},
    {Program::Type::If, "If"},
    {Program::Type::Abort, "Abort"},
    {Program::Type::AbortOnCondition, "AbortOnCondition"},
    {Program::Type::ErrorProgram, "ErrorProgram"},
    {Program::Type::PrintTensor, "PrintTensor"},
    {Program::Type::WhileTest, "WhileTest"},
    {Program::Type::TileRegister, "TileRegister"},
};

template <class P> std::unique_ptr<Program> make(const detail::Model *model, std::uint32_t id) {
  return std::make_unique<P>(model, id);
}
} // namespace

Program::~Program() = default;
ProgramVisitor::~ProgramVisitor() = default;

std::string programTypeName(Program::Type type) {
  for (const auto &entry : kTypeNames)
    if (entry.type == type)
      return entry.name;
  return "Unknown";
}

namespace detail {

Program::Type programTypeFromName(const std::string &name) {
  for (const auto &entry : kTypeNames)
    if (name == entry.name)
      return entry.type;
  return Program::Type::Unknown;
}

// Makes the program of the class that belongs to the type.
std::unique_ptr<Program> makeProgram(const Model *model, std::uint32_t id, Program::Type type) {
  switch (type) {
  case Program::Type::DoExchange: return make<DoExchangeProgram>(model, id);
  case Program::Type::GlobalExchange: return make<GlobalExchangeProgram>(model, id);
  case Program::Type::OnTileExecute: return make<OnTileExecuteProgram>(model, id);
  case Program::Type::StreamCopyBegin: return make<StreamCopyBeginProgram>(model, id);
  case Program::Type::StreamCopyMid: return make<StreamCopyMidProgram>(model, id);
  case Program::Type::StreamCopyEnd: return make<StreamCopyEndProgram>(model, id);
  case Program::Type::SyncAns: return make<SyncAnsProgram>(model, id);
  case Program::Type::Sans: return make<SansProgram>(model, id);
  case Program::Type::Repeat: return make<RepeatProgram>(model, id);
  case Program::Type::Sequence: return make<SequenceProgram>(model, id);
  case Program::Type::OnEveryTileSwitch: return make<OnEveryTileSwitchProgram>(model, id);
  case Program::Type::Call: return make<CallProgram>(model, id);
  case Program::Type::Copy: return make<CopyProgram>(model, id);
  case Program::Type::CopySharedStructure: return make<CopySharedStructureProgram>(model, id);
  case Program::Type::CrossReplicaCopy: return make<CrossReplicaCopyProgram>(model, id);
  case Program::Type::Execute: return make<ExecuteProgram>(model, id);
  case Program::Type::OnTileCopy: return make<OnTileCopyProgram>(model, id);
  case Program::Type::OnTileSwitch: return make<OnTileSwitchProgram>(model, id);
  case Program::Type::RepeatWhile: return make<RepeatWhileProgram>(model, id);
  case Program::Type::SetLocalConsensus: return make<SetLocalConsensusProgram>(model, id);
  case Program::Type::SetLocalConsensusFromVar: return make<SetLocalConsensusFromVarProgram>(model, id);
  case Program::Type::GetGlobalConsensus: return make<GetGlobalConsensusProgram>(model, id);
  case Program::Type::WriteUndef: return make<WriteUndefProgram>(model, id);
  case Program::Type::AssumeEqualAcrossReplicas: return make<AssumeEqualAcrossReplicasProgram>(model, id);
  case Program::Type::Switch: return make<SwitchProgram>(model, id);
  case Program::Type::While: return make<WhileProgram>(model, id);
  case Program::Type::Block: return make<BlockProgram>(model, id);
  case Program::Type::If: return make<IfProgram>(model, id);
  case Program::Type::Abort: return make<AbortProgram>(model, id);
  case Program::Type::AbortOnCondition: return make<AbortOnConditionProgram>(model, id);
  case Program::Type::ErrorProgram: return make<ErrorProgramProgram>(model, id);
  case Program::Type::PrintTensor: return make<PrintTensorProgram>(model, id);
  case Program::Type::WhileTest: return make<WhileTestProgram>(model, id);
  case Program::Type::TileRegister: return make<TileRegisterProgram>(model, id);
  case Program::Type::Sync:
  case Program::Type::Unknown: break;
  }
  return make<Program>(model, id);
}

} // namespace detail

void Program::accept(ProgramVisitor &visitor) const {
  if (type() == Type::Sync)
    visitor.visitSync(*this);
}
void ProgramVisitor::visitSync(const Program &) {}
void DoExchangeProgram::accept(ProgramVisitor &visitor) const { visitor.visitDoExchange(*this); }
void ProgramVisitor::visitDoExchange(const DoExchangeProgram &) {}
void GlobalExchangeProgram::accept(ProgramVisitor &visitor) const { visitor.visitGlobalExchange(*this); }
void ProgramVisitor::visitGlobalExchange(const GlobalExchangeProgram &) {}
void OnTileExecuteProgram::accept(ProgramVisitor &visitor) const { visitor.visitOnTileExecute(*this); }
void ProgramVisitor::visitOnTileExecute(const OnTileExecuteProgram &) {}
void StreamCopyBeginProgram::accept(ProgramVisitor &visitor) const { visitor.visitStreamCopyBegin(*this); }
void ProgramVisitor::visitStreamCopyBegin(const StreamCopyBeginProgram &) {}
void StreamCopyMidProgram::accept(ProgramVisitor &visitor) const { visitor.visitStreamCopyMid(*this); }
void ProgramVisitor::visitStreamCopyMid(const StreamCopyMidProgram &) {}
void StreamCopyEndProgram::accept(ProgramVisitor &visitor) const { visitor.visitStreamCopyEnd(*this); }
void ProgramVisitor::visitStreamCopyEnd(const StreamCopyEndProgram &) {}
void SyncAnsProgram::accept(ProgramVisitor &visitor) const { visitor.visitSyncAns(*this); }
void ProgramVisitor::visitSyncAns(const SyncAnsProgram &) {}
void SansProgram::accept(ProgramVisitor &visitor) const { visitor.visitSans(*this); }
void ProgramVisitor::visitSans(const SansProgram &) {}
void RepeatProgram::accept(ProgramVisitor &visitor) const { visitor.visitRepeat(*this); }
void ProgramVisitor::visitRepeat(const RepeatProgram &) {}
void SequenceProgram::accept(ProgramVisitor &visitor) const { visitor.visitSequence(*this); }
void ProgramVisitor::visitSequence(const SequenceProgram &) {}
void OnEveryTileSwitchProgram::accept(ProgramVisitor &visitor) const { visitor.visitOnEveryTileSwitch(*this); }
void ProgramVisitor::visitOnEveryTileSwitch(const OnEveryTileSwitchProgram &) {}
void CallProgram::accept(ProgramVisitor &visitor) const { visitor.visitCall(*this); }
void ProgramVisitor::visitCall(const CallProgram &) {}
void CopyProgram::accept(ProgramVisitor &visitor) const { visitor.visitCopy(*this); }
void ProgramVisitor::visitCopy(const CopyProgram &) {}
void CopySharedStructureProgram::accept(ProgramVisitor &visitor) const { visitor.visitCopySharedStructure(*this); }
void ProgramVisitor::visitCopySharedStructure(const CopySharedStructureProgram &) {}
void CrossReplicaCopyProgram::accept(ProgramVisitor &visitor) const { visitor.visitCrossReplicaCopy(*this); }
void ProgramVisitor::visitCrossReplicaCopy(const CrossReplicaCopyProgram &) {}
void ExecuteProgram::accept(ProgramVisitor &visitor) const { visitor.visitExecute(*this); }
void ProgramVisitor::visitExecute(const ExecuteProgram &) {}
void OnTileCopyProgram::accept(ProgramVisitor &visitor) const { visitor.visitOnTileCopy(*this); }
void ProgramVisitor::visitOnTileCopy(const OnTileCopyProgram &) {}
void OnTileSwitchProgram::accept(ProgramVisitor &visitor) const { visitor.visitOnTileSwitch(*this); }
void ProgramVisitor::visitOnTileSwitch(const OnTileSwitchProgram &) {}
void RepeatWhileProgram::accept(ProgramVisitor &visitor) const { visitor.visitRepeatWhile(*this); }
void ProgramVisitor::visitRepeatWhile(const RepeatWhileProgram &) {}
void SetLocalConsensusProgram::accept(ProgramVisitor &visitor) const { visitor.visitSetLocalConsensus(*this); }
void ProgramVisitor::visitSetLocalConsensus(const SetLocalConsensusProgram &) {}
void SetLocalConsensusFromVarProgram::accept(ProgramVisitor &visitor) const {
  visitor.visitSetLocalConsensusFromVar(*this);
}
void ProgramVisitor::visitSetLocalConsensusFromVar(const SetLocalConsensusFromVarProgram &) {}
void GetGlobalConsensusProgram::accept(ProgramVisitor &visitor) const { visitor.visitGetGlobalConsensus(*this); }
void ProgramVisitor::visitGetGlobalConsensus(const GetGlobalConsensusProgram &) {}
void WriteUndefProgram::accept(ProgramVisitor &visitor) const { visitor.visitWriteUndef(*this); }
void ProgramVisitor::visitWriteUndef(const WriteUndefProgram &) {}
void AssumeEqualAcrossReplicasProgram::accept(ProgramVisitor &visitor) const {
  visitor.visitAssumeEqualAcrossReplicas(*this);
}
void ProgramVisitor::visitAssumeEqualAcrossReplicas(const AssumeEqualAcrossReplicasProgram &) {}
void SwitchProgram::accept(ProgramVisitor &visitor) const { visitor.visitSwitch(*this); }
void ProgramVisitor::visitSwitch(const SwitchProgram &) {}
void WhileProgram::accept(ProgramVisitor &visitor) const { visitor.visitWhile(*this); }
void ProgramVisitor::visitWhile(const WhileProgram &) {}
void BlockProgram::accept(ProgramVisitor &visitor) const { visitor.visitBlock(*this); }
void ProgramVisitor::visitBlock(const BlockProgram &) {}
void IfProgram::accept(ProgramVisitor &visitor) const { visitor.visitIf(*this); }
void ProgramVisitor::visitIf(const IfProgram &) {}
void AbortProgram::accept(ProgramVisitor &visitor) const { visitor.visitAbort(*this); }
void ProgramVisitor::visitAbort(const AbortProgram &) {}
void AbortOnConditionProgram::accept(ProgramVisitor &visitor) const { visitor.visitAbortOnCondition(*this); }
void ProgramVisitor::visitAbortOnCondition(const AbortOnConditionProgram &) {}
void ErrorProgramProgram::accept(ProgramVisitor &visitor) const { visitor.visitErrorProgram(*this); }
void ProgramVisitor::visitErrorProgram(const ErrorProgramProgram &) {}
void PrintTensorProgram::accept(ProgramVisitor &visitor) const { visitor.visitPrintTensor(*this); }
void ProgramVisitor::visitPrintTensor(const PrintTensorProgram &) {}
void WhileTestProgram::accept(ProgramVisitor &visitor) const { visitor.visitWhileTest(*this); }
void ProgramVisitor::visitWhileTest(const WhileTestProgram &) {}
void TileRegisterProgram::accept(ProgramVisitor &visitor) const { visitor.visitTileRegister(*this); }
void ProgramVisitor::visitTileRegister(const TileRegisterProgram &) {}

} // namespace pva
