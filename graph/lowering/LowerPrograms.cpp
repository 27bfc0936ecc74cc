#include "graph/lowering/ProgramLowering.hpp"

#include "graph/ir/ProgramKinds.hpp"
#include "graph/lowering/MergeStreams.hpp"

#include <algorithm>
#include <utility>

namespace popscope {

ProgramLowering::ProgramLowering(LoweringContext &context, const GraphUses &uses,
                                 const std::vector<ProgramPtr> &programs)
    : c_(context), programs_(programs), functions_(uses.functions), newFunction_(context.graph.functions.size()),
      placer_(context, uses, programs) {
  for (std::size_t i = 0; i < functions_.size(); ++i)
    newFunction_[functions_[i].index()] = FunctionId(static_cast<std::uint32_t>(i));
}

void ProgramLowering::run() {
  addStreams();
  lowerEngine();
  lowerFunctions();
}

void ProgramLowering::lowerFunctions() {
  for (const FunctionId f : functions_) {
    const auto &function = c_.graph.functions[f];
    const StepIndex root = lowerAsSequence(function.body);
    c_.out.functions.push({root, c_.name(function.name)});
  }
}

StepIndex ProgramLowering::push(const LoweredStep &lowered, SourceId source) {
  Step step;
  step.kind = lowered.kind;
  step.name = lowered.name;
  step.source = source;
  step.payload = lowered.payload;
  step.firstAccess = lowered.firstAccess;
  step.numAccesses = lowered.numAccesses;
  c_.out.contexts.push_back(context_);
  const StepIndex index = c_.out.steps.push(step);
  close(index);
  return index;
}

void ProgramLowering::addContexts(StepIndex step, const std::vector<std::uint64_t> &contexts) {
  std::vector<std::uint64_t> told{0, c_.out.contexts[step.index()]};
  for (const std::uint64_t context : contexts)
    if (std::find(told.begin(), told.end(), context) == told.end()) {
      told.push_back(context);
      c_.out.moreContexts.push_back({step, context});
    }
}

StepIndex ProgramLowering::open(StepKind kind, const std::string &stepName, std::uint32_t payload,
                                std::vector<Touch> touches) {
  return push(c_.finishStep(kind, c_.name(stepName), payload, std::move(touches)));
}

void ProgramLowering::close(StepIndex step) {
  c_.out.steps[step].end = static_cast<std::uint32_t>(c_.out.steps.size());
}

void ProgramLowering::emitUnsourced(const LoweredSteps &steps, SourceId source) {
  for (const LoweredStep &lowered : steps)
    push(lowered, source);
}

void ProgramLowering::emit(const LoweredSteps &steps, const std::string &sourceName, ComputeSetId computeSet) {
  if (!steps.empty())
    emitUnsourced(steps, c_.out.sources.push({c_.name(sourceName), computeSet}));
}

StepIndex ProgramLowering::lowerAsSequence(const ProgramPtr &program) {
  const bool isSequence = program && program->kind == ProgramKind::Sequence;
  const std::uint64_t around = context_;
  if (isSequence)
    context_ = innerContext(around, program->context);
  const StepIndex sequence = open(StepKind::Sequence, isSequence ? program->name : "");
  lowerBody(naiveBody(c_.graph, program, around));
  close(sequence);
  context_ = around;
  return sequence;
}

void ProgramLowering::lowerBody(NaiveBody body) {
  const std::uint64_t around = context_;
  const bool dumps = static_cast<bool>(c_.options.afterPass);
  const auto dump = [&, first = c_.out.steps.size() - 1](const NaiveBody &rows) {
    return fmt::format("body in step {}\n{}", first, dumpNaive(c_.graph, rows, 1));
  };
  if (dumps)
    c_.dumps.naive += dump(body);
  body = mergeStreams(std::move(body), c_);
  const std::size_t number = c_.dumps.mergedCopies.size();
  if (dumps) {
    c_.dumps.mergedStreams += dump(body);
    c_.dumps.mergedCopies.emplace_back();
  }
  NaiveBody merged;                 // for a dump
  std::vector<StepIndex> sequences; // open
  MergeCopies rows(c_, placer_, body);
  while (std::optional<MergedRow> row = rows.next()) {
    if (dumps)
      addMerged(*row, body, merged);
    if (auto *const group = std::get_if<CopyGroup>(&*row))
      lowerGroup(std::move(*group));
    else if (const auto *const copy = std::get_if<OverlappingCopy>(&*row))
      lowerOverlappingCopy(*copy);
    else
      lowerRow(std::get<NaiveRow>(*row), body, sequences);
  }
  if (dumps)
    c_.dumps.mergedCopies[number] = dump(merged);
  context_ = around;
}

void ProgramLowering::lowerRow(const NaiveRow &row, const NaiveBody &body, std::vector<StepIndex> &sequences) {
  if (row.kind == NaiveRow::Kind::CloseSequence) {
    close(sequences.back());
    return sequences.pop_back();
  }
  const NaiveProgram &program = body.programs[row.first];
  context_ = program.context;
  if (row.kind == NaiveRow::Kind::OpenSequence)
    sequences.push_back(open(StepKind::Sequence, program.node->name));
  else
    lowerPrograms(body.programsOf(row));
}

// Lowers one row; `merged` has several programs only for host copies.
void ProgramLowering::lowerPrograms(std::span<const NaiveProgram> merged) {
  const ProgramNode &p = *merged.front().node;
  switch (p.kind) {
  case ProgramKind::Sequence: // has no row; its borders have rows
  case ProgramKind::Execute:
  case ProgramKind::Copy: POPSCOPE_CHECK(false, "a {} that is in no group", programKindName(p.kind)); break;
  case ProgramKind::CrossReplicaCopy: lowerCrossReplicaCopy(p); break;
  case ProgramKind::StreamToTensor:
  case ProgramKind::TensorToStream:
  case ProgramKind::RemoteToTensor:
  case ProgramKind::TensorToRemote: lowerStreamCopies(merged); break;
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
      lowerPrint(p); // prints the tensor under the message as its name
    lowerMessage(StepKind::ErrorProgram, p);
    break;
  case ProgramKind::Abort: lowerMessage(StepKind::Abort, p); break;
  case ProgramKind::AbortOnCondition: lowerAbortOnCondition(p); break;
  case ProgramKind::AssumeEqualAcrossReplicas: readOnly(StepKind::AssumeEqualAcrossReplicas, p.name, 0, View()); break;
  case ProgramKind::ReadTileRegister:
  case ProgramKind::WriteTileRegister: lowerTileRegister(p); break;
  case ProgramKind::Block: lowerBlock(p); break;
  }
}

void ProgramLowering::lowerBlock(const ProgramNode &p) {
  const StepIndex block = open(StepKind::Block, p.name, static_cast<std::uint32_t>(c_.out.blocks.size()));
  c_.out.blocks.emplace_back(); // see insertBlocks
  lowerBody(naiveBody(c_.graph, p.children, context_));
  close(block);
}

std::vector<HomeBytes> ProgramLowering::placesOf(const View &view) const {
  std::vector<Fragment> parts;
  c_.fragments(view, parts);
  std::vector<HomeBytes> places;
  for (const Fragment &part : parts)
    places.push_back(c_.bytesOf(part));
  return places;
}

void ProgramLowering::touchView(const View &view, AccessKind kind, std::vector<Touch> &touches) const {
  for (const HomeBytes &place : placesOf(view))
    c_.touch(place, kind, touches);
}

void ProgramLowering::readOnly(StepKind kind, const std::string &stepName, std::uint32_t payload, const View &view) {
  std::vector<Touch> touches;
  touchView(view, AccessKind::Read, touches);
  open(kind, stepName, payload, std::move(touches));
}

void ProgramLowering::lowerWriteUndef(const ProgramNode &p) {
  std::vector<Touch> touches;
  touchView(p.a, AccessKind::Undef, touches);
  open(StepKind::WriteUndef, p.name, 0, std::move(touches));
}

void ProgramLowering::lowerPrint(const ProgramNode &p) {
  const auto &arguments = p.as<TextArguments>();
  c_.out.prints.push_back({placesOf(p.a), p.a.type, p.a.shape, arguments.format});
  readOnly(StepKind::PrintTensor, arguments.text, static_cast<std::uint32_t>(c_.out.prints.size() - 1), p.a);
}

void ProgramLowering::lowerTileRegister(const ProgramNode &p) {
  TileRegisterStep step;
  const auto &arguments = p.as<TileRegisterArguments>();
  step.reg = arguments.reg;
  step.write = p.kind == ProgramKind::WriteTileRegister;
  step.pieces = placesOf(step.write ? p.a : p.b);
  if (!step.write)
    step.since = placesOf(p.a);
  step.clearBits = arguments.clearBits;
  step.setBits = arguments.setBits;
  step.tiles = arguments.tiles;
  c_.out.tileRegisters.push_back(std::move(step));
  std::vector<Touch> touches;
  touchView(p.a, AccessKind::Read, touches);
  touchView(p.b, AccessKind::Write, touches);
  open(StepKind::TileRegister, p.name, static_cast<std::uint32_t>(c_.out.tileRegisters.size() - 1), std::move(touches));
}

void ProgramLowering::lowerMessage(StepKind kind, const ProgramNode &p) {
  c_.out.messagesText.push_back({p.as<TextArguments>().text});
  readOnly(kind, p.name, static_cast<std::uint32_t>(c_.out.messagesText.size() - 1), p.a);
}

void ProgramLowering::lowerSync(const ProgramNode &p) {
  static constexpr SyncKind kKinds[] = {SyncKind::External, SyncKind::Internal,
                                        SyncKind::Global}; // order of poplar::SyncType
  const std::uint8_t type = p.as<SyncArguments>().type;
  POPSCOPE_CHECK(type < 3, "sync type {}", type);
  LoweredSteps steps;
  c_.addSync(steps, kKinds[type]);
  steps.front().name = c_.name(p.name);
  emitUnsourced(steps);
}

} // namespace popscope
