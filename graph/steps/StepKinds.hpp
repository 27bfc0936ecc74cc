// StepKinds: the one table of step kinds. A kind more is a row here (and an enumerator of StepKind in the same place);
// the compiler then names each switch that must say what it does with it.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <array>

namespace popscope {

/// The table of a StepProgram that a step's `payload` is an index into.
enum class StepPayload : std::uint8_t {
  None,
  Sync,
  Exchange,
  Execute,
  StreamCopy,
  Switch,
  Repeat,
  Test,
  Call,
  Print,
  Message,
  TileRegister,
  Block,
};

/// How many steps lie directly inside of one.
enum class StepChildren : std::uint8_t {
  None,
  Any,
  One,   // the body
  Two,   // taken and not taken; test and body
  Cases, // one for each label, and a default or not
};

/// Instructions of control code that every tile has for one step; how many each of them is says the machine (code/...).
enum class ControlCost : std::uint8_t {
  None,
  Sync,
  TwoSyncs,
  CounterSync,
  ExchangeIdle,
  Branch,
  BranchEachChild,
  Loop,
  Call
};

struct StepKindRow {
  StepKind kind;
  const char *name; // in the summary, in pva (Program::Type) and in messages
  StepPayload payload;
  StepChildren children;
  ControlCost everyTile;
  bool livenessPoint; // stands in the list of liveness steps: what touches data or decides does
};

inline constexpr std::array<StepKindRow, 22> kStepKinds = {{
    {StepKind::Sequence, "Sequence", StepPayload::None, StepChildren::Any, ControlCost::None, false},
    {StepKind::Sync, "Sync", StepPayload::Sync, StepChildren::None, ControlCost::Sync, false},
    {StepKind::DoExchange, "DoExchange", StepPayload::Exchange, StepChildren::None, ControlCost::ExchangeIdle, true},
    {StepKind::GlobalExchange, "GlobalExchange", StepPayload::Exchange, StepChildren::None, ControlCost::ExchangeIdle,
     true},
    {StepKind::OnTileExecute, "OnTileExecute", StepPayload::Execute, StepChildren::None, ControlCost::CounterSync,
     true},
    {StepKind::StreamCopyBegin, "StreamCopyBegin", StepPayload::StreamCopy, StepChildren::None, ControlCost::Sync,
     true},
    {StepKind::StreamCopyMid, "StreamCopyMid", StepPayload::StreamCopy, StepChildren::None, ControlCost::None, true},
    {StepKind::StreamCopyEnd, "StreamCopyEnd", StepPayload::StreamCopy, StepChildren::None, ControlCost::TwoSyncs,
     true},
    {StepKind::Switch, "Switch", StepPayload::Switch, StepChildren::Cases, ControlCost::BranchEachChild, true},
    {StepKind::If, "If", StepPayload::Switch, StepChildren::Two, ControlCost::Branch, true},
    {StepKind::Repeat, "Repeat", StepPayload::Repeat, StepChildren::One, ControlCost::Loop, false},
    {StepKind::RepeatWhile, "RepeatWhile", StepPayload::Test, StepChildren::Two, ControlCost::Loop, false},
    {StepKind::WhileTest, "WhileTest", StepPayload::Test, StepChildren::None, ControlCost::Branch, true},
    {StepKind::Call, "Call", StepPayload::Call, StepChildren::None, ControlCost::Call, false},
    {StepKind::WriteUndef, "WriteUndef", StepPayload::None, StepChildren::None, ControlCost::None, true},
    {StepKind::PrintTensor, "PrintTensor", StepPayload::Print, StepChildren::None, ControlCost::None, true},
    {StepKind::Abort, "Abort", StepPayload::Message, StepChildren::None, ControlCost::Call, true},
    {StepKind::AbortOnCondition, "AbortOnCondition", StepPayload::Test, StepChildren::None, ControlCost::Branch, true},
    {StepKind::ErrorProgram, "ErrorProgram", StepPayload::Message, StepChildren::None, ControlCost::Call, true},
    {StepKind::Block, "Block", StepPayload::Block, StepChildren::Any, ControlCost::None, false},
    {StepKind::AssumeEqualAcrossReplicas, "AssumeEqualAcrossReplicas", StepPayload::None, StepChildren::None,
     ControlCost::None, true},
    {StepKind::TileRegister, "TileRegister", StepPayload::TileRegister, StepChildren::None, ControlCost::None, true},
}};

constexpr bool stepKindsAreInOrder() {
  for (std::size_t i = 0; i != kStepKinds.size(); ++i)
    if (kStepKinds[i].kind != static_cast<StepKind>(i))
      return false;
  return true;
}
static_assert(stepKindsAreInOrder(), "a row of kStepKinds stands where its kind does not");

[[nodiscard]] constexpr bool isStepKind(StepKind kind) { return static_cast<std::size_t>(kind) < kStepKinds.size(); }
/// The row of a kind that is one (isStepKind).
[[nodiscard]] constexpr const StepKindRow &stepKindRow(StepKind kind) {
  return kStepKinds[static_cast<std::size_t>(kind)];
}

/// Rows of the table that steps of this payload point into; ~0 for None, whose index nothing reads.
[[nodiscard]] std::size_t payloadRows(const StepProgram &program, StepPayload payload);

} // namespace popscope
