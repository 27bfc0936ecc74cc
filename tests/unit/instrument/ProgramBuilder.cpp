#include "ProgramBuilder.hpp"

namespace popscope::test {

ProgramBuilder::ProgramBuilder(std::uint32_t tiles, std::uint32_t tilesPerIpu) {
  program.numTiles = tiles;
  program.tilesPerIpu = tilesPerIpu == 0 ? tiles : tilesPerIpu;
  program.root = open(StepKind::Sequence);
}

HomeId ProgramBuilder::addVar(const std::string &name, ElementType type, std::uint32_t tile, std::size_t elements,
                              const void *data, std::size_t bytes) {
  StepVar var;
  var.name = program.names.intern(name);
  var.type = type;
  var.elements = elements;
  var.firstPiece = static_cast<std::uint32_t>(program.pieces.size());
  var.firstHome = static_cast<std::uint32_t>(program.homes.size());
  var.numPieces = var.numHomes = 1;
  var.initialData = static_cast<std::int64_t>(program.data.size());
  const auto *from = static_cast<const std::uint8_t *>(data);
  program.data.insert(program.data.end(), from, from + bytes);
  const VarId id = program.vars.push(var);
  const HomeId home = program.homes.push({id, TileId(tile), elements});
  program.pieces.push_back({{0, elements}, home, 0});
  return home;
}

VertexTypeId ProgramBuilder::type(const std::string &name, int codelet, VertexKind kind) {
  StepVertexType t;
  t.name = name;
  t.kind = kind;
  t.codelet = codelet;
  return program.vertexTypes.push(t);
}

StepIndex ProgramBuilder::add(StepKind kind, const std::string &name, std::uint32_t payload) {
  Step step;
  step.kind = kind;
  step.name = program.names.intern(name);
  step.payload = payload;
  step.end = static_cast<std::uint32_t>(program.steps.size()) + 1;
  return program.steps.push(step);
}

StepIndex ProgramBuilder::open(StepKind kind, const std::string &name, std::uint32_t payload) {
  open_.push_back(add(kind, name, payload));
  return open_.back();
}

void ProgramBuilder::close() {
  program.steps[open_.back()].end = static_cast<std::uint32_t>(program.steps.size());
  open_.pop_back();
}

StepIndex ProgramBuilder::sync(SyncKind kind) {
  program.syncs.push_back({static_cast<std::uint8_t>(kind)});
  return add(StepKind::Sync, "", static_cast<std::uint32_t>(program.syncs.size() - 1));
}

StepIndex ProgramBuilder::exchange(StepKind kind, const std::string &name) {
  ExchangeStep step;
  step.firstMessage = static_cast<std::uint32_t>(program.messages.size());
  step.firstTile = static_cast<std::uint32_t>(program.exchangeTiles.size());
  program.exchanges.push_back(step);
  return add(kind, name, static_cast<std::uint32_t>(program.exchanges.size() - 1));
}

void ProgramBuilder::message(HomeId src, std::uint64_t srcOffset, HomeId dst, std::uint64_t dstOffset,
                             std::uint64_t bytes) {
  program.messages.push_back({src, narrow(Bytes(srcOffset)), dst, narrow(Bytes(dstOffset)), narrow(Bytes(bytes))});
  ++program.exchanges.back().numMessages;
}

void ProgramBuilder::busyTile(std::uint32_t tile, std::uint64_t cycles, std::uint64_t sent, std::uint64_t received) {
  ExchangeTile row;
  row.tile = TileId(tile);
  row.cycles = narrow(Cycles(cycles));
  row.bytesSent = narrow(Bytes(sent));
  row.bytesReceived = narrow(Bytes(received));
  program.exchangeTiles.push_back(row);
  ++program.exchanges.back().numTiles;
}

StepIndex ProgramBuilder::execute(const std::string &name) {
  ExecuteStep step;
  step.firstVertex = static_cast<std::uint32_t>(program.vertices.size());
  step.firstCopy = static_cast<std::uint32_t>(program.copies.size());
  program.executes.push_back(step);
  return add(StepKind::OnTileExecute, name, static_cast<std::uint32_t>(program.executes.size() - 1));
}

std::uint32_t ProgramBuilder::vertex(VertexTypeId type, std::uint32_t tile, std::int64_t estimate) {
  StepVertex v;
  v.type = type;
  v.tile = TileId(tile);
  v.firstEdge = static_cast<std::uint32_t>(program.edges.size());
  v.firstState = static_cast<std::uint32_t>(program.states.size());
  v.id = 100 + program.vertices.size();
  v.estimate = estimate;
  v.form = static_cast<std::uint32_t>(program.forms.size());
  program.forms.emplace_back().firstOperand = static_cast<std::uint32_t>(program.operandKinds.size());
  program.vertices.push_back(v);
  ++program.executes.back().numVertices;
  return static_cast<std::uint32_t>(program.vertices.size() - 1);
}

void ProgramBuilder::edge(std::uint16_t field, HomeId home, std::uint64_t offset, std::uint64_t elements, bool reads,
                          bool writes, std::uint32_t subIndex) {
  OperandKind &kind = program.operandKinds.emplace_back();
  kind.field = field;
  kind.reads = reads;
  kind.writes = writes;
  kind.subIndex = subIndex;
  kind.elements = elements;
  program.edges.push_back({home, narrow(Bytes(offset))});
  ++program.forms.back().numOperands;
  Step &step = program.steps[StepIndex(static_cast<std::uint32_t>(program.steps.size()) - 1)];
  if (!writes || step.kind != StepKind::OnTileExecute)
    return;
  if (step.numAccesses++ == 0)
    step.firstAccess = static_cast<std::uint32_t>(program.accesses.size());
  program.accesses.push_back({program.homes[home].var, AccessKind::Write});
}

void ProgramBuilder::addState(std::uint16_t field, std::uint64_t elements, const void *data, std::size_t bytes) {
  program.states.push_back({field, elements, program.data.size()});
  const auto *from = static_cast<const std::uint8_t *>(data);
  program.data.insert(program.data.end(), from, from + bytes);
  ++program.forms.back().numState;
}

void ProgramBuilder::copy(VertexTypeId type, std::uint32_t tile, CopyVertexKind kind, std::uint64_t cycles) {
  CopyVertex c;
  c.type = type;
  c.tile = TileId(tile);
  c.kind = static_cast<std::uint8_t>(kind);
  c.firstRun = static_cast<std::uint32_t>(program.copyRuns.size());
  c.cycles = Cycles(cycles);
  program.copies.push_back(c);
  ++program.executes.back().numCopies;
}

void ProgramBuilder::run(HomeId src, std::uint64_t srcOffset, HomeId dst, std::uint64_t dstOffset,
                         std::uint64_t bytes) {
  program.copyRuns.push_back({Bytes(srcOffset), src, dst, narrow(Bytes(dstOffset)), narrow(Bytes(bytes))});
  program.copies.back().bytes += Bytes(bytes);
  ++program.copies.back().numRuns;
}

StepIndex ProgramBuilder::test(StepKind kind, HomeId predicate, ElementType type, bool continueOn, std::int64_t text) {
  TestStep t;
  t.predicate = {predicate, {}, Bytes(elementBytes(type))};
  t.type = type;
  t.continueOn = continueOn;
  t.text = text;
  program.tests.push_back(t);
  const auto payload = static_cast<std::uint32_t>(program.tests.size() - 1);
  for (auto loop = open_.rbegin(); kind == StepKind::WhileTest && loop != open_.rend(); ++loop)
    if (program.steps[*loop].kind == StepKind::RepeatWhile) {
      program.steps[*loop].payload = payload;
      break;
    }
  return add(kind, "", payload);
}

StreamId ProgramBuilder::stream(const std::string &handle, ElementType type, std::uint64_t elements, bool toDevice,
                                std::uint64_t repeats) {
  StreamInfo info;
  info.handle = handle;
  info.type = type;
  info.elements = elements;
  info.toDevice = toDevice;
  info.repeats = repeats;
  return program.streams.push(info);
}

StreamCopyStep &ProgramBuilder::streamCopy(StreamId stream, bool toDevice, std::uint64_t bytes, std::uint64_t cycles) {
  StreamCopyStep step;
  step.firstPart = static_cast<std::uint32_t>(program.streamParts.size());
  step.numParts = stream.valid() ? 1 : 0;
  step.toDevice = toDevice;
  step.bytes = Bytes(bytes);
  step.cycles = Cycles(cycles);
  step.firstTransfer = static_cast<std::uint32_t>(program.transfers.size());
  step.firstTile = static_cast<std::uint32_t>(program.hostTiles.size());
  if (stream.valid())
    program.streamParts.push_back({stream, step.firstTransfer, 0});
  program.streamCopies.push_back(step);
  add(StepKind::StreamCopyMid, "", static_cast<std::uint32_t>(program.streamCopies.size() - 1));
  return program.streamCopies.back();
}

void ProgramBuilder::transfer(HomeId home, std::uint64_t offset, std::uint64_t bytes, std::uint64_t streamOffset) {
  program.transfers.push_back({{{home, Bytes(offset), Bytes(bytes)}}, Bytes(streamOffset)});
  ++program.streamCopies.back().numTransfers;
  if (program.streamCopies.back().numParts > 0)
    ++program.streamParts.back().numTransfers;
}

void ProgramBuilder::hostTile(std::uint32_t tile, std::uint64_t bytes) {
  HostTile row;
  row.tile = TileId(tile);
  row.bytes = Bytes(bytes);
  program.hostTiles.push_back(row);
  ++program.streamCopies.back().numTiles;
}

void ProgramBuilder::finishRoot(std::uint32_t enginePrograms) {
  close();
  program.programs.resize(enginePrograms);
  for (auto &p : program.programs)
    p.root = program.root;
}

FunctionId ProgramBuilder::openFunction(const std::string &name) {
  return program.functions.push({open(StepKind::Sequence, name), program.names.intern(name)});
}

TileMachine testMachine(std::uint32_t tilesPerIpu, std::uint32_t ipus) {
  TileMachine machine = loadTileMachine("ipu1");
  machine.numIpus = ipus;
  machine.tilesPerIpu = tilesPerIpu;
  machine.sync.relativeDelay = true;
  machine.sync.minDelayCycles = 64;
  machine.sync.maxDelayCycles = 118;
  machine.sync.globalCycles = 48;
  return machine;
}

} // namespace popscope::test
