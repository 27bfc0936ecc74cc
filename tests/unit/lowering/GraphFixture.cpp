#include "GraphFixture.hpp"

#include "graph/ir/ProgramKinds.hpp"

namespace popscope {

TileMachine loweringMachine(std::uint32_t tiles, std::uint32_t ipus) {
  TileMachine m;
  m.name = m.architecture = "ipu2";
  m.numIpus = ipus;
  m.tilesPerIpu = tiles;
  m.bytesPerTile = 1 << 16;
  m.clockHz = 1e9;
  m.regions = {{RegionKind::NonInterleaved, 0, 1 << 16, 1 << 14, true}};
  m.exchange.minLatencyCycles = 10;
  m.exchange.maxLatencyCycles = 10;
  m.exchange.perMessageCycles = 3;
  m.host.bytesPerCycle = 4;
  m.host.singlePacketBytesPerCycle = 4;
  m.host.setupCycles = 5;
  m.instrument.blockRecordBytes = 24;
  m.instrument.blockHeaderBytes = 20;
  m.instrument.blockEdgeInstr = 10;
  m.link.bytesPerCycle = 2;
  m.link.latencyCycles = 100;
  m.link.packetHeaderBytes = 8;
  m.link.maxPacketBytes = 1024;
  m.copyChoice.shortCopyMaxBytes = 64;
  m.copyChoice.wideCopyMinBytes = 256;
  m.copyChoice.shareMinCycles = 1000;
  for (std::size_t kind = 0; kind < kNumCopyVertexKinds; ++kind) {
    CopyVertexModel copy;
    copy.name = copyVertexName(static_cast<CopyVertexKind>(kind));
    copy.supervisor = m.copyVertices.empty();
    copy.baseCycles = 20;
    copy.bytesPerStep = 8;
    copy.cyclesPerStep = 1;
    copy.pointerBytes = 8;
    copy.otherStateBytes = 4;
    copy.codeBytes = 100;
    m.copyVertices.push_back(copy);
  }
  m.library = {{"expf", 50, 200}};
  m.code.exchangeIdleInstr = 2;
  m.code.exchangeCallInstr = 7;
  m.code.executeCallInstr = 5;
  m.code.executePerVertexInstr = 3;
  m.code.branchInstr = 4;
  m.code.loopInstr = 6;
  m.code.callInstr = 2;
  m.code.hostCallInstr = 9;
  return m;
}

GraphVarId GraphFixture::var(const std::string &name, std::uint64_t elements, std::vector<MappedRange> mapping,
                             ElementType type) {
  GraphVar v;
  v.name = graph.names.intern(name);
  v.type = type;
  v.elements = elements;
  v.mapping = std::move(mapping);
  return graph.vars.push(std::move(v));
}

GraphVarId GraphFixture::onTile(const std::string &name, std::uint64_t elements, std::uint32_t tile, ElementType type) {
  return var(name, elements, {{0, elements, TileId(tile)}}, type);
}

GraphVarId GraphFixture::constant(const std::string &name, std::vector<std::uint8_t> bytes, std::uint32_t tile,
                                  ElementType type) {
  const GraphVarId v = onTile(name, bytes.size() / elementBytes(type), tile, type);
  graph.vars[v].constant = true;
  graph.vars[v].initial = std::move(bytes);
  return v;
}

View GraphFixture::slice(GraphVarId v, std::uint64_t begin, std::uint64_t end) const {
  return strided(v, begin, 1, end - begin);
}

View GraphFixture::strided(GraphVarId v, std::uint64_t begin, std::int64_t stride, std::uint64_t count) const {
  View view;
  view.type = graph.vars[v].type;
  view.shape = {static_cast<std::size_t>(count)};
  view.runs = {{v, begin, stride, count}};
  return view;
}

View GraphFixture::concat(const View &a, const View &b) {
  View view = a;
  view.shape = {static_cast<std::size_t>(a.elements() + b.elements())};
  std::vector<ViewRun> runs(a.runs.begin(), a.runs.end());
  runs.insert(runs.end(), b.runs.begin(), b.runs.end());
  view.runs = std::move(runs);
  return view;
}

int GraphFixture::codelet(const std::string &name, std::vector<FieldInfo> fields) {
  VertexClass c;
  c.name = name;
  c.fields = std::move(fields);
  c.codeBytes = 40;
  return graph.codelets.addClass(std::move(c));
}

FieldInfo GraphFixture::edge(const std::string &name, FieldDirection direction, FieldShape shape) {
  FieldInfo f;
  f.name = name;
  f.direction = direction;
  f.shape = shape;
  f.type = ElementType::Float;
  f.outer = shape == FieldShape::Scalar ? PtrLayout::NotAVector : PtrLayout::Span;
  f.inner = shape == FieldShape::VectorOfVectors ? PtrLayout::Span : PtrLayout::NotAVector;
  return f;
}

FieldInfo GraphFixture::state(const std::string &name, ElementType type, FieldShape shape) {
  FieldInfo f = edge(name, FieldDirection::State, shape);
  f.type = type;
  return f;
}

int GraphFixture::moveCodelet() {
  return codelet("Move", {edge("in", FieldDirection::Input), edge("out", FieldDirection::Output)});
}

ComputeSetId GraphFixture::computeSet(const std::string &name) {
  return graph.computeSets.push({graph.names.intern(name), {}});
}

VertexId GraphFixture::vertex(ComputeSetId cs, int codeletIndex, std::uint32_t tile,
                              const std::vector<Connection> &connections) {
  const VertexId id = graph.vertices.add(codeletIndex, cs, TileId(tile));
  for (const Connection &c : connections)
    POPSCOPE_CHECK(graph.vertices.connect(id, c.field, c.subIndex, c.view), "field {} is connected twice", c.field);
  graph.computeSets[cs].vertices.push_back(id);
  return id;
}

std::shared_ptr<ProgramNode> GraphFixture::node(ProgramKind kind, const std::string &name,
                                                std::vector<ProgramPtr> children) {
  auto p = std::make_shared<ProgramNode>();
  p->kind = kind;
  p->arguments = initialArguments(kind);
  p->name = name;
  p->children = std::move(children);
  return p;
}

ProgramPtr GraphFixture::sequence(std::vector<ProgramPtr> children, const std::string &name) {
  return node(ProgramKind::Sequence, name, std::move(children));
}

ProgramPtr GraphFixture::execute(ComputeSetId cs) {
  auto p = node(ProgramKind::Execute, "");
  p->arguments = ExecuteArguments{cs};
  return p;
}

ProgramPtr GraphFixture::copy(const View &a, const View &b, const std::string &name) {
  auto p = node(ProgramKind::Copy, name);
  p->a = a;
  p->b = b;
  return p;
}

StepProgram GraphFixture::lower(const std::vector<ProgramPtr> &programs, const LoweringOptions &options) const {
  LoweringOptions alone = options;
  alone.alwaysSwitch = false;
  StepProgram result = popscope::lower(graph, programs, estimates, CostModel(graph.machine), alone);
  verifySteps(result);
  return result;
}

} // namespace popscope
