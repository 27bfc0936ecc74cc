// Programs on registers of tiles: cycle counter, random seeds, floating-point control.
#include "graph/api/Describe.hpp"
#include "graph/api/ProgramBuild.hpp"

#include <poplar/CSRFunctions.hpp>
#include <poplar/CycleCount.hpp>
#include <poplar/RandomSeed.hpp>
#include <poplar/exceptions.hpp>

#include <fmt/format.h>

using popscope::GraphAccess;
using popscope::ProgramKind;
using popscope::TileRegister;

namespace poplar {

namespace {

class RegisterProgram : public program::Program {
public:
  explicit RegisterProgram(popscope::ProgramPtr node) { GraphAccess::setNode(*this, std::move(node)); }
};

DebugContext named(const DebugContext &dc, const char *name) { return DebugContext(dc, StringRef(name)); }

/// Returns the program that reads the register. `since` may be invalid.
RegisterProgram readInto(TileRegister reg, const Tensor &destination, const Tensor &since, const DebugContext &dc) {
  auto node = popscope::newNode(ProgramKind::ReadTileRegister, dc);
  node->as<popscope::TileRegisterArguments>().reg = reg;
  node->b = popscope::take(*node, GraphAccess::data(destination));
  if (since.valid())
    node->a = popscope::take(*node, GraphAccess::data(since));
  return RegisterProgram(std::move(node));
}

RegisterProgram writeFrom(TileRegister reg, const Tensor &source, const DebugContext &dc) {
  auto node = popscope::newNode(ProgramKind::WriteTileRegister, dc);
  node->as<popscope::TileRegisterArguments>().reg = reg;
  node->a = popscope::take(*node, GraphAccess::data(source));
  return RegisterProgram(std::move(node));
}

RegisterProgram changeFpControl(const Graph &graph, std::uint32_t clear, std::uint32_t set, const DebugContext &dc) {
  auto node = popscope::newNode(ProgramKind::WriteTileRegister, dc);
  popscope::TileRegisterArguments change{TileRegister::FpControl, clear, set, GraphAccess::handle(graph).tiles};
  if (const popscope::SplitIndex split = GraphAccess::handle(graph).split; split != 0) {
    change.tiles.clear();
    for (const auto &tiles : popscope::irOf(graph).splits[split - 1].tiles)
      change.tiles.insert(change.tiles.end(), tiles.begin(), tiles.end());
  }
  node->arguments = std::move(change);
  node->graph = GraphAccess::shared(graph)->ir.id;
  return RegisterProgram(std::move(node));
}

/// Creates a variable whose row t (of `rowShape`) is on tile t.
Tensor rowPerTile(Graph &graph, std::vector<std::size_t> rowShape, const DebugContext &dc) {
  const unsigned tiles = graph.getTarget().getNumTiles();
  rowShape.insert(rowShape.begin(), tiles);
  const Tensor t = graph.addVariable(UNSIGNED_INT, rowShape, dc);
  const std::size_t row = t.numElements() / tiles;
  Graph::TileToTensorMapping mapping(tiles);
  for (unsigned tile = 0; tile < tiles; ++tile)
    mapping[tile] = {Interval(tile * row, (tile + 1) * row)};
  graph.setTileMapping(t, mapping);
  return t;
}

/// Returns `t` itself if its rows are on their tiles, or a copy that `prog` fills.
Tensor onOwnTiles(Graph &graph, const Tensor &t, std::vector<std::size_t> rowShape, program::Sequence &prog,
                  const char *what, const DebugContext &dc) {
  std::vector<std::size_t> shape = rowShape;
  shape.insert(shape.begin(), graph.getTarget().getNumTiles());
  if (t.elementType() != UNSIGNED_INT)
    throw type_error(fmt::format("{}: {} is given; its elements must be unsigned int.", what, popscope::describe(t)));
  if (t.shape() != shape)
    throw poplar_error(fmt::format("{}: {} is given; the shape must be {}, one row per tile.", what,
                                   popscope::describe(t), popscope::shapeText(shape)));
  const Tensor local = rowPerTile(graph, std::move(rowShape), named(dc, "local"));
  if (graph.getTileMapping(t) == graph.getTileMapping(local))
    return t;
  prog.add(program::Copy(t, local, false, dc));
  return local;
}

Tensor stampVariable(Graph &graph, unsigned tile, const DebugContext &dc) {
  const Tensor t = graph.addVariable(UNSIGNED_INT, {2}, dc);
  graph.setTileMapping(t, tile);
  return t;
}

std::uint32_t bitsOf(const Graph &graph, const FloatingPointBehaviour &b) {
  return graph.getTarget().makeFpIctlValue(b.inv, b.div0, b.oflo, b.esr, b.nanoo);
}

} // namespace

Tensor cycleCount(Graph &graph, program::Sequence &prog, unsigned tile, SyncType syncType, const DebugContext &dc) {
  const Tensor start = stampVariable(graph, tile, named(dc, "cycleCountStart"));
  const Tensor cycles = stampVariable(graph, tile, named(dc, "cycleCount"));
  program::Sequence counted{dc};
  counted.add(program::Sync(syncType, named(dc, "cycleCountSync")));
  counted.add(readInto(TileRegister::CycleCounter, start, Tensor(), named(dc, "cycleCountStart")));
  counted.add(prog);
  counted.add(program::Sync(syncType, named(dc, "cycleCountSync")));
  counted.add(readInto(TileRegister::CycleCounter, cycles, start, named(dc, "cycleCount")));
  prog = counted;
  return cycles;
}
Tensor cycleCount(Graph &graph, program::Sequence &prog, unsigned tile, const DebugContext &dc) {
  return cycleCount(graph, prog, tile, SyncType::INTERNAL, dc);
}

std::vector<Tensor> cycleStamp(Graph &graph, program::Sequence &prog, const std::vector<unsigned> &tiles,
                               SyncType syncType, const DebugContext &dc) {
  std::vector<Tensor> stamps;
  for (const unsigned tile : tiles) // before `prog` changes, so that a bad tile leaves `prog` as it was
    stamps.push_back(stampVariable(graph, tile, named(dc, "cycleStamp")));
  prog.add(program::Sync(syncType, named(dc, "cycleStampSync")));
  for (const Tensor &stamp : stamps)
    prog.add(readInto(TileRegister::CycleCounter, stamp, Tensor(), named(dc, "cycleStamp")));
  return stamps;
}
Tensor cycleStamp(Graph &graph, program::Sequence &prog, unsigned tile, SyncType syncType, const DebugContext &dc) {
  return cycleStamp(graph, prog, std::vector<unsigned>{tile}, syncType, dc).front();
}

Tensor getHwSeeds(Graph &graph, program::Sequence &prog, const DebugContext &dc) {
  const Tensor seeds = rowPerTile(graph, {graph.getTarget().getNumWorkerContexts(), 4}, named(dc, "hwSeeds"));
  prog.add(readInto(TileRegister::Seeds, seeds, Tensor(), named(dc, "getHwSeeds")));
  return seeds;
}

void setHwSeeds(Graph &graph, const Tensor &seeds, program::Sequence &prog, const DebugContext &dc) {
  const Tensor local = onOwnTiles(graph, seeds, {graph.getTarget().getNumWorkerContexts(), 4}, prog, "setHwSeeds",
                                  named(dc, "setHwSeeds"));
  prog.add(writeFrom(TileRegister::Seeds, local, named(dc, "setHwSeeds")));
}

void setFloatingPointBehaviour(Graph &graph, program::Sequence &prog, const FloatingPointBehaviour &behaviour,
                               const DebugContext &dc) {
  prog.add(changeFpControl(graph, bitsOf(graph, FloatingPointBehaviour()), bitsOf(graph, behaviour),
                           named(dc, "setFloatingPointBehaviour")));
}

void setFloatingPointBehaviour(Graph &graph, program::Sequence &prog, const Tensor &behaviour, const DebugContext &dc) {
  const Tensor local = onOwnTiles(graph, behaviour, {}, prog, "setFloatingPointBehaviour", dc);
  prog.add(writeFrom(TileRegister::FpControl, local, named(dc, "setFloatingPointBehaviour")));
}

Tensor getAndModifyFloatingPointBehaviour(Graph &graph, program::Sequence &prog, const FloatingPointBehaviour &clear,
                                          const FloatingPointBehaviour &set, const DebugContext &dc) {
  const Tensor before = rowPerTile(graph, {}, named(dc, "floatingPointBehaviour"));
  prog.add(readInto(TileRegister::FpControl, before, Tensor(), named(dc, "getFloatingPointBehaviour")));
  prog.add(changeFpControl(graph, bitsOf(graph, clear), bitsOf(graph, set), named(dc, "modifyFloatingPointBehaviour")));
  return before;
}

void setStochasticRounding(Graph &graph, program::Sequence &prog, bool enable, const DebugContext &dc) {
  const FloatingPointBehaviour esr(false, false, false, true, false);
  prog.add(
      changeFpControl(graph, bitsOf(graph, esr), enable ? bitsOf(graph, esr) : 0, named(dc, "setStochasticRounding")));
}

} // namespace poplar
