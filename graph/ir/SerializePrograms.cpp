#include "graph/ir/ProgramKinds.hpp"
#include "graph/ir/SerializeParts.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace popscope {
namespace {

constexpr unsigned kDepthLimit = kMaxNesting - 1; // the outermost program is at depth 0
constexpr std::uint64_t kLastKind = kProgramKinds.size() - 1;
constexpr auto kLastRegister = static_cast<std::uint64_t>(TileRegister::FpControl);

/// Returns whether the node has exactly the children that lowering expects of its kind.
bool childCountFits(const ProgramNode &node) {
  const std::size_t n = node.children.size();
  switch (programKindRow(node.kind).children) {
  case ProgramChildren::None: return n == 0;
  case ProgramChildren::Any: return true;
  case ProgramChildren::One: return n == 1;
  case ProgramChildren::Two: return n == 2;
  case ProgramChildren::Cases: {
    const auto &cases = node.as<SwitchArguments>();
    return n == cases.labels.size() + (cases.hasDefault ? 1 : 0);
  }
  }
  return false;
}

} // namespace

template <class A> void ProgramArchive<A>::program(ProgramPtr &program, unsigned depth) {
  std::uint64_t number = known_.size(); // the number of a new program
  if constexpr (!A::kReads) {
    static const ProgramPtr nothing = std::make_shared<ProgramNode>();
    if (!program)
      program = nothing;
    if (const auto at = numbers_.find(program.get()); at != numbers_.end())
      number = at->second;
  }
  transferUpTo(a_, number, known_.size(), "the number of a program");
  if (number < known_.size()) {
    program = known_[number];
    return;
  }
  auto copy = std::make_shared<ProgramNode>();
  if constexpr (!A::kReads)
    *copy = *program;
  node(*copy, depth);
  if constexpr (A::kReads)
    program = copy;
  // The program gets its number when it is complete, so that its children have smaller numbers.
  numbers_.emplace(program.get(), known_.size());
  known_.push_back(program);
}

template <class A> void ProgramArchive<A>::node(ProgramNode &node, unsigned depth) {
  if constexpr (A::kReads)
    if (depth > kDepthLimit)
      a_.fail(fmt::format("programs are nested more than {} deep", kMaxNesting));
  transferUpTo(a_, node.kind, kLastKind, "a kind of program");
  transfer(a_, node.name);
  transferEach(a_, node.children, [&](ProgramPtr &child) {
    this->program(child, depth + 1);
    node.depth = std::max(node.depth, child->depth + 1);
  });
  for (View *view : {&node.a, &node.b, &node.offset})
    transferView(a_, *view, graph_.vars.raw());
  if constexpr (A::kReads)
    node.arguments = initialArguments(node.kind);
  std::visit([this](auto &arguments) { this->arguments(arguments); }, node.arguments);
  if constexpr (A::kReads)
    checkNode(node);
}

template <class A> void ProgramArchive<A>::arguments(std::monostate &) {} // all data are the views and children
template <class A> void ProgramArchive<A>::arguments(ExecuteArguments &p) {
  transferId(a_, p.computeSet, graph_.computeSets.size(), "a compute set");
}
template <class A> void ProgramArchive<A>::arguments(HostCopyArguments &p) {
  transferId(a_, p.stream, graph_.streams.size(), "a stream");
  transfer(a_, p.blocks);
}
template <class A> void ProgramArchive<A>::arguments(CrossReplicaArguments &p) { transfer(a_, p.replicaMap); }
template <class A> void ProgramArchive<A>::arguments(RepeatArguments &p) { transfer(a_, p.count); }
template <class A> void ProgramArchive<A>::arguments(SwitchArguments &p) {
  transfer(a_, p.labels);
  transfer(a_, p.hasDefault);
}
template <class A> void ProgramArchive<A>::arguments(CallArguments &p) {
  transfer(a_, p.function); // functions come later in the file; checkCalls checks them
}
template <class A> void ProgramArchive<A>::arguments(SyncArguments &p) { transferUpTo(a_, p.type, 2, "a sync type"); }
template <class A> void ProgramArchive<A>::arguments(TextArguments &p) {
  transfer(a_, p.text);
  transfer(a_, p.format);
}
template <class A> void ProgramArchive<A>::arguments(TileRegisterArguments &p) {
  transferUpTo(a_, p.reg, kLastRegister, "a register");
  transfer(a_, p.clearBits);
  transfer(a_, p.setBits);
  transfer(a_, p.tiles);
}

template <class A> void ProgramArchive<A>::checkNode(const ProgramNode &p) const {
  if constexpr (A::kReads) {
    if (!childCountFits(p))
      a_.fail(fmt::format("a program has {} children, which does not fit its kind", p.children.size()));
    if (p.depth > kMaxNesting) // for example, if the program refers to deep nodes
      a_.fail(fmt::format("programs are nested more than {} deep", kMaxNesting));
    if (const auto *const text = std::get_if<TextArguments>(&p.arguments);
        text && text->format >= graph_.printFormats.size())
      a_.fail(fmt::format("print format {} does not exist; the file has {} print formats", text->format,
                          graph_.printFormats.size()));
  }
}

template <class A> void ProgramArchive<A>::checkCalls() const {
  if constexpr (A::kReads)
    for (const ProgramPtr &p : known_)
      if (const auto *const call = std::get_if<CallArguments>(&p->arguments);
          call && (!call->function.valid() || call->function.index() >= graph_.functions.size()))
        a_.fail(fmt::format("function {} is called; the file has {} functions", call->function.index(),
                            graph_.functions.size()));
}

template class ProgramArchive<ArchiveWriter>;
template class ProgramArchive<ArchiveReader>;

} // namespace popscope
