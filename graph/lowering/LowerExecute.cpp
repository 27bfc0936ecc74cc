// LowerExecute: one compute set becomes
//   GlobalExchangePre, ExchangePre   remote inputs, straight into their buffers
//   OnTileCopyPre                    local parts of rearranged inputs that the tile does not hear from itself
//   the compute set
//   OnTileCopyPost                   rearranged outputs of the vertex's own tile
//   ExchangePost, GlobalExchangePost outputs that live on other tiles
// Inputs arrive before anything is written, so every vertex sees the values from before the compute set. The steps
// before the compute set are made when it no longer waits: copies before and after it may have joined them
// (MergeCopies).
#include "graph/lowering/ProgramLowering.hpp"
#include "graph/lowering/ShareBuffers.hpp"

#include <algorithm>
#include <tuple>

namespace popscope {
namespace {

/// Buffers of the edges, and what moves to and from them.
class OperandPlacer {
public:
  OperandPlacer(LoweringContext &context, ExecuteParts &parts) : c_(context), placed_(parts.placed), moves_(parts) {}

  void run() {
    alignHomes();
    makeBuffers();
    listenToOwnSends();
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
    homes.reserve(shared.buffers.size());
    firstBuffer_ = c_.out.homes.size();
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
    c_.fragments(buffer.view(), parts_, ~std::size_t(0), buffer.tile);
    const StorageCategory category = bufferCategory(buffer);
    const std::uint64_t elements = viewCount(buffer.view());
    home_.front() = {buffer.tile, elements};
    const VarId var = c_.addVariable(c_.bufferName(category, buffer.view()), category, c_.storedType(buffer.view()),
                                     home_, buffer.alignment);
    c_.out.vars[var].interleaved = buffer.interleaved;
    ++c_.buffers;
    whole_.front() = {c_.onlyHome(var), 0, elements};
    if (buffer.reads)
      c_.pairFragments(parts_, whole_, moves_.receive, moves_.gather);
    if (buffer.writes)
      c_.pairFragments(whole_, parts_, moves_.send, moves_.scatter);
    return c_.onlyHome(var);
  }
  // What a tile has stays there, with two exceptions (docs/CYCLES.md, "What a tile sends to itself"). A local part of a
  // buffer that other tiles fill comes by the tile's own send where that goes out to others anyway; and so do a few
  // words, if hearing them takes no longer than the shortest copy vertex.
  void listenToOwnSends() {
    if (moves_.gather.empty() || moves_.receive.empty())
      return;
    using Sent = std::tuple<HomeId, std::uint64_t, std::uint64_t>;
    std::vector<Sent> sent;
    constexpr std::uint8_t kByOthers = 1, kFromIpu = 2; // the second: by tiles of its own IPU, so in the same exchange
    std::vector<std::uint8_t> filledBuffers(c_.out.homes.size() - firstBuffer_, 0); // all go to buffers
    const auto filled = [&](const Move &m) -> std::uint8_t & { return filledBuffers.at(m.dst.index() - firstBuffer_); };
    for (const Move &m : moves_.receive) {
      filled(m) |= kByOthers;
      if (c_.ipuOf(c_.tileOf(m.src)) != c_.ipuOf(c_.tileOf(m.dst)))
        continue;
      sent.emplace_back(m.src, m.srcOffset, m.bytes);
      filled(m) |= kFromIpu;
    }
    std::sort(sent.begin(), sent.end());
    listen([&](const Move &m) {
      return (filled(m) & kByOthers) != 0 &&
             std::binary_search(sent.begin(), sent.end(), Sent{m.src, m.srcOffset, m.bytes});
    });
    std::vector<std::uint64_t> cycles(c_.out.numTiles, 0); // of hearing all own parts that the tile could hear
    for (const Move &m : moves_.gather)
      if ((filled(m) & kFromIpu) != 0)
        cycles[c_.tileOf(m.dst).index()] +=
            c_.costs.exchangeTransfer(Bytes(m.bytes), 1).count() + c_.costs.exchangeControls(2).count();
    const std::uint64_t shortest =
        c_.costs.copyVertexCycles(CopyVertexKind::ShortMemcpy, Bytes(4), 1).count() * c_.graph.machine.workerContexts;
    listen([&](const Move &m) { return (filled(m) & kFromIpu) != 0 && cycles[c_.tileOf(m.dst).index()] <= shortest; });
  }
  template <class Predicate> void listen(const Predicate &heard) {
    const auto from = std::stable_partition(moves_.gather.begin(), moves_.gather.end(),
                                            [&](const Move &m) { return !m.src.valid() || !heard(m); });
    moves_.receive.insert(moves_.receive.end(), from, moves_.gather.end());
    moves_.gather.erase(from, moves_.gather.end());
  }

  LoweringContext &c_;
  PlacedVertices &placed_;
  ExecuteParts &moves_;
  std::size_t firstBuffer_ = 0; // the home of the first; those of the others follow it
  std::vector<Fragment> parts_; // scratch of makeBuffer, and these:
  std::vector<std::pair<TileId, std::uint64_t>> home_{{TileId(), 0}}; // one row
  std::vector<Fragment> whole_{Fragment()};                           // one row
};

/// The step of the vertices.
class ComputeBuilder {
public:
  ComputeBuilder(LoweringContext &context, const ExecuteParts &parts)
      : c_(context), cs_(parts.computeSet), placed_(parts.placed) {}

  LoweredStep run(const View &result) {
    ExecuteStep execute;
    execute.computeSet = c_.loweredSet(cs_);
    execute.firstVertex = static_cast<std::uint32_t>(c_.out.vertices.size());
    execute.numVertices = static_cast<std::uint32_t>(placed_.order.size());
    execute.firstCopy = static_cast<std::uint32_t>(c_.out.copies.size());
    std::vector<Touch> touches;
    touches.reserve(placed_.edges.size());
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

private:
  void addVertex(std::size_t v, std::vector<Touch> &touches) {
    const VertexId id = placed_.order[v];
    const GraphVertex vertex = c_.graph.vertices[id];
    StepVertex step;
    step.type = c_.vertexType(vertex.codelet);
    step.tile = vertex.tile;
    step.id = id.index();
    step.estimate = id.index() < c_.estimates.cycles.size() ? c_.estimates.cycles[id.index()] : -1;
    step.fromEstimator = step.estimate >= 0 && vertex.cycleEstimate() < 0;
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
  const PlacedVertices &placed_;
};

} // namespace

ExecuteParts ProgramLowering::placeExecute(ComputeSetId computeSet, const View &result) {
  ExecuteParts parts;
  parts.computeSet = computeSet;
  parts.result = &result;
  parts.placed = classifyEdges(c_, computeSet);
  OperandPlacer(c_, parts).run();
  parts.moved = summaryOf(c_, parts.receive, parts.gather);
  return parts;
}

void ProgramLowering::buildExecute(ExecuteParts &parts) {
  if (!parts.steps.empty())
    return;
  const std::string &csName = c_.graph.names[c_.graph.computeSets[parts.computeSet].name];
  parts.steps.push_back(ComputeBuilder(c_, parts).run(*parts.result));
  c_.addCopies(parts.steps, joinName(csName, "OnTileCopyPost"), std::move(parts.scatter));
  c_.addExchanges(parts.steps, csName, "ExchangePost", std::move(parts.send));
  parts.placed = {};
}

void ProgramLowering::lowerExecute(const ProgramNode &p) {
  const bool plain = viewCount(p.a) == 0;
  if (plain && c_.graph.computeSets[p.computeSet].vertices.empty())
    return; // nothing to do; with a result the AND over no vertices is written
  ExecuteParts &parts = plain ? executeCache_[p.computeSet.index()] : resultCache_[&p];
  if (!parts.computeSet.valid())
    parts = placeExecute(p.computeSet, p.a);
  if (!waiting_.joins(parts)) {
    CopyMerger behind = waiting_.behindSet();
    const bool later = !behind.empty() && (parts.moved.remote || parts.moved.local) && behind.joins(parts);
    if (later)
      waiting_.dropBehindSet();
    flushCopies();
    if (later)
      waiting_ = std::move(behind);
  }
  const bool waits = parts.moved.remote || parts.moved.local || !waiting_.empty();
  waiting_.add({&p, context_, &parts});
  if (!waits)
    flushCopies(); // nothing that a copy could join
}

} // namespace popscope
