// ProgramKinds: the only table of program kinds. A new kind needs an enumerator of ProgramKind, a row here, a class
// that creates the program (graph/api), and a lowering (LowerPrograms). The kind also needs a type of ProgramArguments
// if no existing type fits. Passes over programs read the traits of a kind from its row.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <array>
#include <type_traits>

namespace popscope {

/// The way in which a program uses one of its views.
enum class ViewRole : std::uint8_t {
  None,
  Read,
  Write,    // writes every element
  MayWrite, // writes some elements, or writes on some replicas only
  Undef,
  Promise, // makes a promise about the value of the view, and touches no element
};

/// The number of children of a program.
enum class ProgramChildren : std::uint8_t { None, Any, One, Two, Cases };

/// Returns the position of a type in a variant.
template <class T, class... Ts> constexpr std::size_t positionOf(const std::variant<Ts...> *) {
  std::size_t position = 0;
  static_cast<void>(((std::is_same_v<T, Ts> || (++position, false)) || ...));
  return position;
}
template <class Arguments>
inline constexpr std::size_t kArguments = positionOf<Arguments>(static_cast<const ProgramArguments *>(nullptr));

struct ProgramKindRow {
  ProgramKind kind;
  const char *name; // the name in messages and dumps
  std::size_t arguments = kArguments<std::monostate>;
  ProgramChildren children = ProgramChildren::None;
  ViewRole a = ViewRole::None, b = ViewRole::None; // an `offset` is always read
  bool decides = false;                            // `a` has one element, which decides how the program continues
  bool hostCopy = false;                           // the program copies to or from a stream or a remote buffer
};

inline constexpr std::array<ProgramKindRow, 24> kProgramKinds = {{
    {.kind = ProgramKind::Sequence, .name = "Sequence", .children = ProgramChildren::Any},
    {.kind = ProgramKind::Execute, .name = "Execute", .arguments = kArguments<ExecuteArguments>, .a = ViewRole::Write},
    {.kind = ProgramKind::Copy, .name = "Copy", .a = ViewRole::Read, .b = ViewRole::Write},
    {.kind = ProgramKind::StreamToTensor,
     .name = "StreamCopy",
     .arguments = kArguments<HostCopyArguments>,
     .b = ViewRole::Write,
     .hostCopy = true},
    {.kind = ProgramKind::TensorToStream,
     .name = "StreamCopy",
     .arguments = kArguments<HostCopyArguments>,
     .a = ViewRole::Read,
     .hostCopy = true},
    {.kind = ProgramKind::RemoteToTensor,
     .name = "RemoteBufferCopy",
     .arguments = kArguments<HostCopyArguments>,
     .b = ViewRole::Write,
     .hostCopy = true},
    {.kind = ProgramKind::TensorToRemote,
     .name = "RemoteBufferCopy",
     .arguments = kArguments<HostCopyArguments>,
     .a = ViewRole::Read,
     .hostCopy = true},
    {.kind = ProgramKind::Repeat,
     .name = "Repeat",
     .arguments = kArguments<RepeatArguments>,
     .children = ProgramChildren::One},
    {.kind = ProgramKind::RepeatWhileTrue,
     .name = "RepeatWhileTrue",
     .children = ProgramChildren::Two,
     .a = ViewRole::Read,
     .decides = true},
    {.kind = ProgramKind::RepeatWhileFalse,
     .name = "RepeatWhileFalse",
     .children = ProgramChildren::Two,
     .a = ViewRole::Read,
     .decides = true},
    {.kind = ProgramKind::If, .name = "If", .children = ProgramChildren::Two, .a = ViewRole::Read, .decides = true},
    {.kind = ProgramKind::Switch,
     .name = "Switch",
     .arguments = kArguments<SwitchArguments>,
     .children = ProgramChildren::Cases,
     .a = ViewRole::Read,
     .decides = true},
    {.kind = ProgramKind::Call, .name = "Call", .arguments = kArguments<CallArguments>},
    {.kind = ProgramKind::WriteUndef, .name = "WriteUndef", .a = ViewRole::Undef},
    {.kind = ProgramKind::Sync, .name = "Sync", .arguments = kArguments<SyncArguments>},
    {.kind = ProgramKind::PrintTensor,
     .name = "PrintTensor",
     .arguments = kArguments<TextArguments>,
     .a = ViewRole::Read},
    {.kind = ProgramKind::ErrorProgram,
     .name = "ErrorProgram",
     .arguments = kArguments<TextArguments>,
     .a = ViewRole::Read},
    {.kind = ProgramKind::Abort, .name = "Abort", .arguments = kArguments<TextArguments>, .a = ViewRole::Read},
    {.kind = ProgramKind::AbortOnCondition,
     .name = "AbortOnCondition",
     .arguments = kArguments<TextArguments>,
     .a = ViewRole::Read,
     .decides = true},
    {.kind = ProgramKind::CrossReplicaCopy,
     .name = "CrossReplicaCopy",
     .arguments = kArguments<CrossReplicaArguments>,
     .a = ViewRole::Read,
     .b = ViewRole::MayWrite},
    {.kind = ProgramKind::AssumeEqualAcrossReplicas, .name = "AssumeEqualAcrossReplicas", .a = ViewRole::Promise},
    {.kind = ProgramKind::Block, .name = "Block", .children = ProgramChildren::One},
    {.kind = ProgramKind::ReadTileRegister,
     .name = "ReadTileRegister",
     .arguments = kArguments<TileRegisterArguments>,
     .a = ViewRole::Read,
     .b = ViewRole::MayWrite},
    {.kind = ProgramKind::WriteTileRegister,
     .name = "WriteTileRegister",
     .arguments = kArguments<TileRegisterArguments>,
     .a = ViewRole::Read},
}};

constexpr bool programKindsAreInOrder() {
  for (std::size_t i = 0; i != kProgramKinds.size(); ++i)
    if (kProgramKinds[i].kind != static_cast<ProgramKind>(i))
      return false;
  return true;
}
static_assert(programKindsAreInOrder(), "a row of kProgramKinds stands where its kind does not");

[[nodiscard]] constexpr const ProgramKindRow &programKindRow(ProgramKind kind) {
  return kProgramKinds[static_cast<std::size_t>(kind)];
}
[[nodiscard]] constexpr const char *programKindName(ProgramKind kind) { return programKindRow(kind).name; }
/// Returns the program's kind and, if the program has a name, the name in quotes: Switch 'choose'.
[[nodiscard]] inline std::string programLabel(const ProgramNode &program) {
  const std::string kind = programKindName(program.kind);
  return program.name.empty() ? kind : kind + " '" + program.name + "'";
}

/// Returns whether the program uses tensors, a compute set or a function of another graph. If the user made the handle
/// of the compute set or function from a number, the program belongs to every graph that has this number.
[[nodiscard]] inline bool isForeign(const ProgramNode &program, const GraphIr &graph) {
  return program.graph.valid() && program.graph != graph.id;
}
/// Returns whether the program uses a compute set or function whose number the graph does not have.
[[nodiscard]] inline bool namesMissing(const ProgramNode &program, const GraphIr &graph) {
  if (const auto *const execute = std::get_if<ExecuteArguments>(&program.arguments))
    return execute->computeSet.index() >= graph.computeSets.size();
  const auto *const call = std::get_if<CallArguments>(&program.arguments);
  return call != nullptr && call->function.index() >= graph.functions.size();
}

/// Returns default-constructed arguments of the type that belongs to the kind.
[[nodiscard]] inline ProgramArguments initialArguments(ProgramKind kind) {
  ProgramArguments arguments;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((I == programKindRow(kind).arguments ? static_cast<void>(arguments.emplace<I>()) : void()), ...);
  }
  (std::make_index_sequence<std::variant_size_v<ProgramArguments>>());
  return arguments;
}

} // namespace popscope
