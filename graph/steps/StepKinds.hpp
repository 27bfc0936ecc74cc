// StepKinds: the only table of step kinds. A new kind needs an enumerator and a row here at the same position, a
// lowering that creates steps of this kind, code that executes such steps (instrument/machine), a pva::Program::Type
// with its class (report/pva/ProgramTypes.cpp), and a case in report/answers/StepTimes.cpp. All other code that walks
// over steps reads the traits in the kind's row, or the payload (StepPayloads.hpp), and needs no change. This header is
// part of StepProgram.hpp.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace popscope {

enum class StepKind : std::uint8_t {
  Sequence,
  Sync,
  DoExchange,
  GlobalExchange,
  OnTileExecute,
  StreamCopyBegin,
  StreamCopyMid,
  StreamCopyEnd,
  Switch,
  If,
  Repeat,
  RepeatWhile,
  WhileTest,
  Call,
  WriteUndef,
  PrintTensor,
  Abort,
  AbortOnCondition,
  ErrorProgram,
  Block,
  AssumeEqualAcrossReplicas,
  TileRegister,
};

/// The table of a StepProgram that contains a step's payload (StepPayloads.hpp). Step::payload is an index into this
/// table.
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

/// The number of children of a step.
enum class StepChildren : std::uint8_t {
  None,
  Any,
  One,   // the body
  Two,   // If: taken and not taken; RepeatWhile: condition and body
  Cases, // one for each label, and perhaps a default
};

/// The way in which execution continues from a step.
enum class StepFlow : std::uint8_t {
  Straight, // executes the children in order, then continues
  Branch,   // executes one child, or none (mayGoStraightOn in liveness/analysis)
  Repeat,   // executes the children as often as the payload states
  While,    // executes the condition, then either executes the body and repeats both, or continues
  Call,     // executes the function, then continues
  Stop,     // does not continue
};

/// The control code that every tile has for one step. The object "code" of the machine description contains the number
/// of instructions of each kind.
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

/// The counters that instrumentation adds to a step on request.
enum class StepCounters : std::uint8_t {
  None,
  Compute,  // debug.computeInstrumentationLevel
  External, // counters of host copies and of exchanges between IPUs
  Control,  // counters of loops and branches, on one tile; the engine's own Switch has none
};

/// The answer to the question whether a loop over only this step can stop after the first iteration. Yes: further
/// iterations would change no data and take no time. AsItsContent: the answer depends on the step's children or on the
/// called function.
enum class Idempotent : std::uint8_t { No, AsItsContent, Yes };

struct StepKindRow {
  StepKind kind;
  const char *name; // the name in the summary, in pva (Program::Type) and in messages
  StepPayload payload = StepPayload::None;
  StepChildren children = StepChildren::None;
  StepFlow flow = StepFlow::Straight;
  ControlCost everyTile = ControlCost::None;
  StepCounters counters = StepCounters::None;
  Idempotent idempotent = Idempotent::No;
  bool livenessPoint = true; // true: a liveness step (docs/GLOSSARY.md)
  bool operands = false;     // true: the step reads and writes exactly the operands that its payload names
  bool takesTime = true;     // false: lightweight profiling does not record such steps
};

inline constexpr std::array<StepKindRow, 22> kStepKinds = {{
    {.kind = StepKind::Sequence,
     .name = "Sequence",
     .children = StepChildren::Any,
     .idempotent = Idempotent::AsItsContent,
     .livenessPoint = false},
    {.kind = StepKind::Sync,
     .name = "Sync",
     .payload = StepPayload::Sync,
     .everyTile = ControlCost::Sync,
     .livenessPoint = false},
    {.kind = StepKind::DoExchange,
     .name = "DoExchange",
     .payload = StepPayload::Exchange,
     .everyTile = ControlCost::ExchangeIdle,
     .operands = true},
    {.kind = StepKind::GlobalExchange,
     .name = "GlobalExchange",
     .payload = StepPayload::Exchange,
     .everyTile = ControlCost::ExchangeIdle,
     .counters = StepCounters::External,
     .operands = true},
    {.kind = StepKind::OnTileExecute,
     .name = "OnTileExecute",
     .payload = StepPayload::Execute,
     .everyTile = ControlCost::CounterSync,
     .counters = StepCounters::Compute,
     .operands = true},
    {.kind = StepKind::StreamCopyBegin,
     .name = "StreamCopyBegin",
     .payload = StepPayload::StreamCopy,
     .everyTile = ControlCost::Sync,
     .counters = StepCounters::External},
    {.kind = StepKind::StreamCopyMid,
     .name = "StreamCopyMid",
     .payload = StepPayload::StreamCopy,
     .counters = StepCounters::External,
     .operands = true},
    {.kind = StepKind::StreamCopyEnd,
     .name = "StreamCopyEnd",
     .payload = StepPayload::StreamCopy,
     .everyTile = ControlCost::TwoSyncs,
     .counters = StepCounters::External},
    {.kind = StepKind::Switch,
     .name = "Switch",
     .payload = StepPayload::Switch,
     .children = StepChildren::Cases,
     .flow = StepFlow::Branch,
     .everyTile = ControlCost::BranchEachChild,
     .counters = StepCounters::Control,
     .idempotent = Idempotent::AsItsContent,
     .operands = true},
    {.kind = StepKind::If,
     .name = "If",
     .payload = StepPayload::Switch,
     .children = StepChildren::Two,
     .flow = StepFlow::Branch,
     .everyTile = ControlCost::Branch,
     .counters = StepCounters::Control,
     .idempotent = Idempotent::AsItsContent,
     .operands = true},
    {.kind = StepKind::Repeat,
     .name = "Repeat",
     .payload = StepPayload::Repeat,
     .children = StepChildren::One,
     .flow = StepFlow::Repeat,
     .everyTile = ControlCost::Loop,
     .counters = StepCounters::Control,
     .idempotent = Idempotent::AsItsContent,
     .livenessPoint = false},
    {.kind = StepKind::RepeatWhile,
     .name = "RepeatWhile",
     .payload = StepPayload::Test,
     .children = StepChildren::Two,
     .flow = StepFlow::While,
     .everyTile = ControlCost::Loop,
     .counters = StepCounters::Control,
     .livenessPoint = false},
    {.kind = StepKind::WhileTest,
     .name = "WhileTest",
     .payload = StepPayload::Test,
     .everyTile = ControlCost::Branch,
     .operands = true,
     .takesTime = false},
    {.kind = StepKind::Call,
     .name = "Call",
     .payload = StepPayload::Call,
     .flow = StepFlow::Call,
     .everyTile = ControlCost::Call,
     .idempotent = Idempotent::AsItsContent,
     .livenessPoint = false},
    {.kind = StepKind::WriteUndef, .name = "WriteUndef", .idempotent = Idempotent::Yes, .takesTime = false},
    {.kind = StepKind::PrintTensor, .name = "PrintTensor", .payload = StepPayload::Print, .operands = true},
    {.kind = StepKind::Abort,
     .name = "Abort",
     .payload = StepPayload::Message,
     .flow = StepFlow::Stop,
     .everyTile = ControlCost::Call},
    {.kind = StepKind::AbortOnCondition, // in a loop over this step, a stop occurs in the first iteration or never
     .name = "AbortOnCondition",
     .payload = StepPayload::Test,
     .everyTile = ControlCost::Branch,
     .idempotent = Idempotent::Yes,
     .operands = true},
    {.kind = StepKind::ErrorProgram,
     .name = "ErrorProgram",
     .payload = StepPayload::Message,
     .flow = StepFlow::Stop,
     .everyTile = ControlCost::Call},
    {.kind = StepKind::Block,
     .name = "Block",
     .payload = StepPayload::Block,
     .children = StepChildren::Any,
     .idempotent = Idempotent::AsItsContent,
     .livenessPoint = false},
    {.kind = StepKind::AssumeEqualAcrossReplicas,
     .name = "AssumeEqualAcrossReplicas",
     .idempotent = Idempotent::Yes,
     .takesTime = false},
    {.kind = StepKind::TileRegister, .name = "TileRegister", .payload = StepPayload::TileRegister, .operands = true},
}};

constexpr bool stepKindsAreInOrder() {
  for (std::size_t i = 0; i != kStepKinds.size(); ++i)
    if (kStepKinds[i].kind != static_cast<StepKind>(i))
      return false;
  return true;
}
static_assert(stepKindsAreInOrder(), "a row of kStepKinds stands where its kind does not");

[[nodiscard]] constexpr bool isStepKind(StepKind kind) { return static_cast<std::size_t>(kind) < kStepKinds.size(); }
/// Returns the row of a valid kind (isStepKind).
[[nodiscard]] constexpr const StepKindRow &stepKindRow(StepKind kind) {
  return kStepKinds[static_cast<std::size_t>(kind)];
}
/// Returns the kind's name as profiles store it: "DoExchange", "StreamCopyBegin", "Switch", ...
[[nodiscard]] constexpr const char *stepKindName(StepKind kind) {
  return isStepKind(kind) ? stepKindRow(kind).name : "unknown";
}

} // namespace popscope
