// LowerExecute: one compute set becomes
//   GlobalExchangePre, ExchangePre   remote inputs, straight into their buffers
//   OnTileCopyPre                    local parts of rearranged inputs that the tile does not hear from itself
//   the compute set
//   OnTileCopyPost                   rearranged outputs of the vertex's own tile
//   ExchangePost, GlobalExchangePost outputs that live on other tiles
// Inputs arrive before anything is written, so every vertex sees the values from before the compute set.
#include "graph/lowering/ProgramLowering.hpp"
#include "graph/lowering/ShareBuffers.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace popscope {
namespace {

class ExecuteBuilder {
public:
  ExecuteBuilder(LoweringContext &context, ComputeSetId cs) : c_(context), cs_(cs), placed_(classifyEdges(context, cs)) {}

  LoweredSteps run(const View &result) {
    alignHomes();
    makeBuffers();
    const std::string &csName = c_.graph.names[c_.graph.computeSets[cs_].name];
    LoweredSteps steps;
    listenToOwnSends();
    c_.addExchanges(steps, csName, "ExchangePre", std::move(receive_));
    c_.addCopies(steps, joinName(csName, "OnTileCopyPre"), std::move(gather_));
    steps.push_back(compute(result));
    c_.addCopies(steps, joinName(csName, "OnTileCopyPost"), std::move(scatter_));
    c_.addExchanges(steps, csName, "ExchangePost", std::move(send_));
    return steps;
  }

private:
  void alignHomes() {
    for (const PlacedEdge &edge : placed_.edges)
      if (edge.home.valid()) {
        StepVar &var = c_.out.vars[c_.out.homes[edge.home].var];
        var.alignment = std::max(var.alignment, edge.alignment);
        var.interleaved = var.interleaved || edge.interleaved;
      }
  }
  void makeBuffers() {
    const SharedBuffers shared = shareBuffers(c_, placed_.edges);
    std::vector<HomeId> homes;
    for (const SharedBuffer &buffer : shared.buffers)
      homes.push_back(makeBuffer(buffer));
    for (std::size_t e = 0; e < placed_.edges.size(); ++e) {
      PlacedEdge &edge = placed_.edges[e];
      if (!edge.buffered)
        continue;
      ++c_.bufferedEdges;
      edge.home = homes[shared.places[e].buffer];
      edge.offset = shared.places[e].element * c_.elementSize(edge.home);
    }
  }
  [[nodiscard]] StorageCategory bufferCategory(const SharedBuffer &buffer) const {
    bool anyLocal = false, anyRemote = false, otherIpu = false;
    for (const Fragment &part : parts_) {
      const TileId tile = part.home.valid() ? c_.tileOf(part.home) : buffer.tile;
      anyLocal = anyLocal || tile == buffer.tile;
      anyRemote = anyRemote || tile != buffer.tile;
      otherIpu = otherIpu || c_.ipuOf(tile) != c_.ipuOf(buffer.tile);
    }
    if (!buffer.reads)
      return anyRemote ? StorageCategory::OutputEdge : StorageCategory::Rearrangement;
    if (anyLocal)
      return StorageCategory::Rearrangement;
    return otherIpu ? StorageCategory::GlobalMessage : StorageCategory::Message;
  }
  HomeId makeBuffer(const SharedBuffer &buffer) {
    c_.fragments(buffer.view, parts_, ~std::size_t(0), buffer.tile);
    const StorageCategory category = bufferCategory(buffer);
    const std::uint64_t elements = viewCount(buffer.view);
    const VarId var = c_.addVariable(c_.bufferName(category, buffer.view), category, c_.storedType(buffer.view), {{buffer.tile, elements}}, buffer.alignment);
    c_.out.vars[var].interleaved = buffer.interleaved;
    ++c_.buffers;
    const std::vector<Fragment> whole{{c_.onlyHome(var), 0, elements}};
    if (buffer.reads)
      c_.pairFragments(parts_, whole, receive_, gather_);
    if (buffer.writes)
      c_.pairFragments(whole, parts_, send_, scatter_);
    return c_.onlyHome(var);
  }
  // What a tile has stays there, with two exceptions (docs/CYCLES.md, "What a tile sends to itself"). A local part of a buffer
  // that other tiles fill comes by the tile's own send where that goes out to others anyway; and so do a few words, if hearing
  // them takes no longer than the shortest copy vertex.
  void listenToOwnSends() {
    using Sent = std::tuple<HomeId, std::uint64_t, std::uint64_t>;
    std::set<Sent> sent;
    std::set<HomeId> filledByOthers, filledFromIpu; // the second: by tiles of its own IPU, so in the same exchange
    for (const Move &m : receive_) {
      filledByOthers.insert(m.dst);
      if (c_.ipuOf(c_.tileOf(m.src)) != c_.ipuOf(c_.tileOf(m.dst)))
        continue;
      sent.insert({m.src, m.srcOffset, m.bytes});
      filledFromIpu.insert(m.dst);
    }
    listen([&](const Move &m) { return filledByOthers.count(m.dst) != 0 && sent.count({m.src, m.srcOffset, m.bytes}) != 0; });
    std::map<TileId, std::uint64_t> cycles; // of hearing all own parts that the tile could hear
    for (const Move &m : gather_)
      if (filledFromIpu.count(m.dst) != 0)
        cycles[c_.tileOf(m.dst)] += c_.costs.exchangeTransfer(Bytes(m.bytes), false).count() + c_.costs.exchangeControls(2).count();
    const std::uint64_t shortest = c_.costs.copyVertexCycles(CopyVertexKind::ShortMemcpy, Bytes(4), 1).count() * c_.graph.machine.workerContexts;
    listen([&](const Move &m) { return filledFromIpu.count(m.dst) != 0 && cycles.at(c_.tileOf(m.dst)) <= shortest; });
  }
  template <class Predicate> void listen(const Predicate &heard) {
    const auto from = std::stable_partition(gather_.begin(), gather_.end(), [&](const Move &m) { return !m.src.valid() || !heard(m); });
    receive_.insert(receive_.end(), from, gather_.end());
    gather_.erase(from, gather_.end());
  }
  LoweredStep compute(const View &result) {
    ExecuteStep execute;
    execute.computeSet = c_.loweredSet(cs_);
    execute.firstVertex = static_cast<std::uint32_t>(c_.out.vertices.size());
    execute.numVertices = static_cast<std::uint32_t>(placed_.order.size());
    execute.firstCopy = static_cast<std::uint32_t>(c_.out.copies.size());
    std::vector<Touch> touches;
    for (std::size_t v = 0; v < placed_.order.size(); ++v)
      addVertex(v, touches);
    if (viewCount(result) > 0) {
      const HomeBytes word = c_.singleRun(result);
      execute.result = word.home;
      execute.resultOffset = word.offset;
      c_.touch(word, AccessKind::Write, touches);
    }
    c_.out.executes.push_back(execute);
    return c_.finishStep(StepKind::OnTileExecute, c_.name(c_.graph.names[c_.graph.computeSets[cs_].name]),
                         static_cast<std::uint32_t>(c_.out.executes.size() - 1), touches);
  }
  void addVertex(std::size_t v, std::vector<Touch> &touches) {
    const VertexId id = placed_.order[v];
    const GraphVertex &vertex = c_.graph.vertices[id];
    StepVertex step;
    step.type = c_.vertexType(vertex.codelet);
    step.tile = vertex.tile;
    step.id = id.index();
    step.estimate = id.index() < c_.estimates.size() ? c_.estimates[id.index()] : -1;
    step.fromEstimator = step.estimate >= 0 && vertex.cycleEstimate < 0;
    step.footprint = c_.vertexFootprint(vertex);
    step.firstEdge = static_cast<std::uint32_t>(c_.out.edges.size());
    step.numEdges = placed_.firstEdge[v + 1] - placed_.firstEdge[v];
    for (std::uint32_t e = placed_.firstEdge[v]; e < placed_.firstEdge[v + 1]; ++e)
      addEdge(placed_.edges[e], touches);
    c_.addStates(vertex, step);
    c_.out.vertices.push_back(step);
  }
  void addEdge(const PlacedEdge &edge, std::vector<Touch> &touches) {
    VertexEdge out;
    out.field = edge.field;
    out.writes = edge.writes;
    out.reads = edge.reads;
    out.subIndex = edge.subIndex;
    out.home = edge.home;
    out.offset = edge.offset;
    out.elements = edge.elements;
    c_.out.edges.push_back(out);
    if (edge.elements == 0)
      return;
    const HomeBytes bytes{edge.home, edge.offset, edge.elements * c_.elementSize(edge.home)};
    if (edge.reads)
      c_.touch(bytes, AccessKind::Read, touches);
    if (edge.writes)
      c_.touch(bytes, AccessKind::Write, touches);
  }

  LoweringContext &c_;
  ComputeSetId cs_;
  PlacedVertices placed_;
  std::vector<Fragment> parts_;
  Moves receive_, gather_, scatter_, send_;
};

} // namespace

LoweredSteps ProgramLowering::buildExecute(ComputeSetId computeSet, const View &result) { return ExecuteBuilder(c_, computeSet).run(result); }

void ProgramLowering::lowerExecute(const ProgramNode &p) {
  const std::string &csName = c_.graph.names[c_.graph.computeSets[p.computeSet].name];
  const bool plain = viewCount(p.a) == 0;
  if (plain && c_.graph.computeSets[p.computeSet].vertices.empty())
    return; // nothing to do; with a result the AND over no vertices is written
  LoweredSteps &steps = plain ? executeCache_[p.computeSet.index()] : nodeCache_[&p];
  if (steps.empty())
    steps = buildExecute(p.computeSet, p.a);
  emit(steps, csName, c_.loweredSet(p.computeSet));
}

} // namespace popscope
