#include "graph/lowering/ProgramLowering.hpp"

#include "base/DebugSites.hpp"
#include "graph/ir/ProgramKinds.hpp"

#include <algorithm>
#include <utility>

namespace popscope {
namespace {

/// Of a program with `own` inside of `around`. A DebugInfo around goes before a place in the code: what lies in one
/// belongs to it.
std::uint64_t innerContext(std::uint64_t around, std::uint64_t own) {
  const bool inDebugInfo = around != 0 && !isDebugSite(around);
  return own == 0 || (isDebugSite(own) && inDebugInfo) ? around : own;
}

} // namespace

ProgramLowering::ProgramLowering(LoweringContext &context, const GraphUses &uses)
    : c_(context), functions_(uses.functions), preparer_(context, uses.firstExecutes),
      newFunction_(context.graph.functions.size()),
      streams_(context.options.mergesHostCopies ? Bytes(context.options.maxCopyMergeBytes) : Bytes()),
      waiting_(context, Bytes(context.options.maxCopyMergeBytes)) {
  for (std::size_t i = 0; i < functions_.size(); ++i)
    newFunction_[functions_[i].index()] = FunctionId(static_cast<std::uint32_t>(i));
}

/// A program that occurs twice has children that do.
void ProgramLowering::noteRepeated(const ProgramPtr &program) {
  if (!program || (!seen_.insert(program.get()).second && !repeated_.insert(program.get()).second))
    return;
  for (const ProgramPtr &child : program->children)
    noteRepeated(child);
}

void ProgramLowering::run(const std::vector<ProgramPtr> &programs) {
  addStreams();
  for (const ProgramPtr &program : programs)
    noteRepeated(program);
  for (const auto &function : c_.graph.functions)
    noteRepeated(function.body);
  lowerEngine(programs);
  lowerFunctions();
}

void ProgramLowering::lowerFunctions() {
  for (const FunctionId f : functions_) {
    const auto &function = c_.graph.functions[f];
    const StepIndex root = lowerAsSequence(function.body);
    c_.out.functions.push({root, c_.name(function.name)});
  }
}

StepIndex ProgramLowering::push(const Step &step) {
  POPSCOPE_CHECK((waiting_.empty() && streams_.empty()) || step.kind == StepKind::Sequence,
                 "a step before copies that wait");
  c_.out.contexts.push_back(context_);
  return c_.out.steps.push(step);
}

void ProgramLowering::addContexts(StepIndex step, const std::vector<std::uint64_t> &contexts) {
  std::vector<std::uint64_t> told{0, c_.out.contexts[step.index()]};
  for (const std::uint64_t context : contexts)
    if (std::find(told.begin(), told.end(), context) == told.end()) {
      told.push_back(context);
      c_.out.moreContexts.push_back({step, context});
    }
}

StepIndex ProgramLowering::open(StepKind kind, const std::string &stepName, std::uint32_t payload) {
  Step step;
  step.kind = kind;
  step.name = c_.name(stepName);
  step.payload = payload;
  step.firstAccess = static_cast<std::uint32_t>(c_.out.accesses.size());
  const StepIndex index = push(step);
  close(index);
  return index;
}

void ProgramLowering::close(StepIndex step) {
  c_.out.steps[step].end = static_cast<std::uint32_t>(c_.out.steps.size());
}

void ProgramLowering::setAccesses(StepIndex step, std::vector<Touch> &touches) {
  const LoweredStep done =
      c_.finishStep(c_.out.steps[step].kind, c_.out.steps[step].name, c_.out.steps[step].payload, touches);
  c_.out.steps[step].firstAccess = done.firstAccess;
  c_.out.steps[step].numAccesses = done.numAccesses;
}

StepIndex ProgramLowering::leaf(StepKind kind, const std::string &stepName, std::uint32_t payload,
                                std::vector<Touch> &touches) {
  const StepIndex step = open(kind, stepName, payload);
  setAccesses(step, touches);
  return step;
}

void ProgramLowering::emitUnsourced(const LoweredSteps &steps, SourceId source) {
  for (const LoweredStep &lowered : steps) {
    Step step;
    step.kind = lowered.kind;
    step.name = lowered.name;
    step.source = source;
    step.payload = lowered.payload;
    step.firstAccess = lowered.firstAccess;
    step.numAccesses = lowered.numAccesses;
    close(push(step));
  }
}

void ProgramLowering::emit(const LoweredSteps &steps, const std::string &sourceName, ComputeSetId computeSet) {
  if (!steps.empty())
    emitUnsourced(steps, c_.out.sources.push({c_.name(sourceName), computeSet}));
}

StepIndex ProgramLowering::lowerAsSequence(const ProgramPtr &program) {
  const std::uint64_t around = context_;
  if (program && program->kind == ProgramKind::Sequence)
    context_ = innerContext(context_, program->context);
  const StepIndex sequence =
      open(StepKind::Sequence, program && program->kind == ProgramKind::Sequence ? program->name : "");
  lowerChildren(program);
  flushStreams();
  flushCopies();
  close(sequence);
  context_ = around;
  return sequence;
}

void ProgramLowering::lowerChildren(const ProgramPtr &program) {
  if (program && program->kind == ProgramKind::Sequence)
    for (const ProgramPtr &child : program->children)
      lowerProgram(child);
  else if (program)
    lowerProgram(program);
}

void ProgramLowering::lowerInnerSequence(const ProgramPtr &program) {
  const std::uint64_t around = std::exchange(context_, innerContext(context_, program->context));
  mark({true, program->name, context_});
  lowerChildren(program);
  mark({false, "", context_});
  context_ = around;
}

void ProgramLowering::mark(const Mark &mark) {
  marks_.push_back(mark);
  if (waiting_.empty() && streams_.empty())
    placeMarks();
}

void ProgramLowering::placeMarks() {
  const std::uint64_t around = context_;
  for (const Mark &mark : std::exchange(marks_, {})) {
    context_ = mark.context;
    if (mark.opens) {
      sequences_.push_back(open(StepKind::Sequence, mark.name));
    } else {
      close(sequences_.back());
      sequences_.pop_back();
    }
  }
  context_ = around;
}

void ProgramLowering::lowerProgram(const ProgramPtr &program) {
  if (!program)
    return;
  const std::uint64_t around = context_;
  const bool ofSet = program->kind == ProgramKind::Execute &&
                     (program->context == 0 || isDebugSite(program->context)) &&
                     c_.graph.computeSets[program->computeSet].context != 0;
  context_ = innerContext(context_, ofSet ? c_.graph.computeSets[program->computeSet].context : program->context);
  lowerNode(program);
  context_ = around;
}

void ProgramLowering::lowerNode(const ProgramPtr &program) {
  const ProgramNode &p = *program;
  if (p.kind != ProgramKind::Sequence && !programKindRow(p.kind).hostCopy)
    flushStreams();
  if (p.kind != ProgramKind::Sequence && p.kind != ProgramKind::Copy && p.kind != ProgramKind::Execute &&
      (p.kind != ProgramKind::CrossReplicaCopy || c_.graph.replicationFactor > 1))
    flushCopies();
  switch (p.kind) {
  case ProgramKind::Sequence: lowerInnerSequence(program); break;
  case ProgramKind::Execute: lowerExecute(p); break;
  case ProgramKind::Copy: lowerCopy(p); break;
  case ProgramKind::CrossReplicaCopy: lowerCrossReplicaCopy(p); break;
  case ProgramKind::StreamToTensor:
  case ProgramKind::TensorToStream:
  case ProgramKind::RemoteToTensor:
  case ProgramKind::TensorToRemote: lowerStreamCopy(p); break;
  case ProgramKind::Repeat: lowerRepeat(p); break;
  case ProgramKind::RepeatWhileTrue:
  case ProgramKind::RepeatWhileFalse: lowerWhile(p); break;
  case ProgramKind::If: lowerIf(p); break;
  case ProgramKind::Switch: lowerSwitch(p); break;
  case ProgramKind::Call: lowerCall(p); break;
  case ProgramKind::WriteUndef: lowerWriteUndef(p); break;
  case ProgramKind::Sync: lowerSync(p); break;
  case ProgramKind::PrintTensor: lowerPrint(p); break;
  case ProgramKind::ErrorProgram:
    if (viewCount(p.a) > 0)
      lowerPrint(p); // the tensor, under the message
    lowerMessage(StepKind::ErrorProgram, p);
    break;
  case ProgramKind::Abort: lowerMessage(StepKind::Abort, p); break;
  case ProgramKind::AbortOnCondition: lowerAbortOnCondition(p); break;
  case ProgramKind::AssumeEqualAcrossReplicas: readOnly(StepKind::AssumeEqualAcrossReplicas, p.name, 0, View()); break;
  case ProgramKind::ReadTileRegister:
  case ProgramKind::WriteTileRegister: lowerTileRegister(p); break;
  case ProgramKind::Block: {
    const StepIndex block = open(StepKind::Block, p.name, static_cast<std::uint32_t>(c_.out.blocks.size()));
    c_.out.blocks.emplace_back(); // see insertBlocks
    for (const ProgramPtr &child : p.children)
      lowerProgram(child);
    flushStreams();
    flushCopies();
    close(block);
    break;
  }
  }
}

void ProgramLowering::touchView(const View &view, AccessKind kind, std::vector<Touch> &touches) const {
  std::vector<Fragment> parts;
  c_.fragments(view, parts);
  for (const Fragment &part : parts)
    c_.touch(c_.bytesOf(part), kind, touches);
}

void ProgramLowering::readOnly(StepKind kind, const std::string &stepName, std::uint32_t payload, const View &view) {
  std::vector<Touch> touches;
  touchView(view, AccessKind::Read, touches);
  leaf(kind, stepName, payload, touches);
}

void ProgramLowering::lowerWriteUndef(const ProgramNode &p) {
  std::vector<Touch> touches;
  touchView(p.a, AccessKind::Undef, touches);
  leaf(StepKind::WriteUndef, p.name, 0, touches);
}

void ProgramLowering::lowerPrint(const ProgramNode &p) {
  PrintStep print;
  std::vector<Fragment> parts;
  c_.fragments(p.a, parts);
  for (const Fragment &part : parts)
    print.pieces.push_back(c_.bytesOf(part));
  print.type = p.a.type;
  print.shape = p.a.shape;
  print.format = p.format;
  c_.out.prints.push_back(std::move(print));
  readOnly(StepKind::PrintTensor, p.text, static_cast<std::uint32_t>(c_.out.prints.size() - 1), p.a);
}

void ProgramLowering::lowerTileRegister(const ProgramNode &p) {
  const auto piecesOf = [this](const View &view) {
    std::vector<Fragment> parts;
    c_.fragments(view, parts);
    std::vector<HomeBytes> pieces;
    for (const Fragment &part : parts)
      pieces.push_back(c_.bytesOf(part));
    return pieces;
  };
  TileRegisterStep step;
  step.reg = p.tileRegister;
  step.write = p.kind == ProgramKind::WriteTileRegister;
  step.pieces = piecesOf(step.write ? p.a : p.b);
  if (!step.write)
    step.since = piecesOf(p.a);
  step.clearBits = p.clearBits;
  step.setBits = p.setBits;
  step.tiles = p.tiles;
  c_.out.tileRegisters.push_back(std::move(step));
  std::vector<Touch> touches;
  touchView(p.a, AccessKind::Read, touches);
  touchView(p.b, AccessKind::Write, touches);
  leaf(StepKind::TileRegister, p.name, static_cast<std::uint32_t>(c_.out.tileRegisters.size() - 1), touches);
}

void ProgramLowering::lowerMessage(StepKind kind, const ProgramNode &p) {
  c_.out.messagesText.push_back({p.text});
  readOnly(kind, p.name, static_cast<std::uint32_t>(c_.out.messagesText.size() - 1), p.a);
}

void ProgramLowering::lowerSync(const ProgramNode &p) {
  static constexpr SyncKind kKinds[] = {SyncKind::External, SyncKind::Internal,
                                        SyncKind::Global}; // order of poplar::SyncType
  POPSCOPE_CHECK(p.syncType < 3, "sync type {}", p.syncType);
  LoweredSteps steps;
  c_.addSync(steps, kKinds[p.syncType]);
  steps.front().name = c_.name(p.name);
  emitUnsourced(steps);
}

} // namespace popscope
