// LowerExecute: one compute set becomes
//   GlobalExchangePre, ExchangePre   remote inputs, straight into their buffers
//   OnTileCopyPre                    local parts of rearranged inputs that the tile does not hear from itself
//   the compute set
//   OnTileCopyPost                   rearranged outputs of the vertex's own tile
//   ExchangePost, GlobalExchangePost outputs that live on other tiles; where these are no words, the copies come after
// Inputs arrive before anything is written, so every vertex sees the values from before the compute set. The steps
// before the compute set are made when it no longer waits: copies before and after it may have joined them
// (MergeCopies).
#include "base/Parallel.hpp"
#include "graph/lowering/PlaceOperands.hpp"
#include "graph/lowering/ProgramLowering.hpp"
#include "graph/lowering/ReceiveWords.hpp"

#include <algorithm>
#include <array>

namespace popscope {
namespace {

constexpr std::size_t kVerticesPerTask = 1024;

/// Neighbouring vertices mostly go on where the same operand of the one before ended: then its touch grows.
class LastTouches {
public:
  LastTouches() { last_.fill(~std::size_t(0)); }
  void add(const LoweringContext &c, const HomeBytes &bytes, AccessKind kind, std::uint32_t operand,
           std::vector<Touch> &touches) {
    const std::size_t before = touches.size();
    c.touch(bytes, kind, touches);
    std::size_t &last = last_[2 * (operand % kOperands) + (kind == AccessKind::Write ? 1 : 0)];
    if (touches.size() == before + 1 && last < before && touches[last].var == touches[before].var &&
        touches[last].kind == kind && touches[last].end == touches[before].begin) {
      touches[last].end = touches[before].end;
      touches.pop_back();
    } else {
      last = touches.size() - 1;
    }
  }

private:
  static constexpr std::size_t kOperands = 8;
  std::array<std::size_t, 2 * kOperands> last_{};
};

/// The step of the vertices.
class ComputeBuilder {
public:
  ComputeBuilder(LoweringContext &context, const ExecuteParts &parts)
      : c_(context), cs_(parts.computeSet), placed_(parts.placed), firstVertex_(context.out.vertices.size()) {}

  LoweredStep run(const View &result) {
    ExecuteStep execute;
    execute.computeSet = c_.loweredSet(cs_);
    execute.firstVertex = static_cast<std::uint32_t>(firstVertex_);
    execute.numVertices = static_cast<std::uint32_t>(placed_.order.size());
    execute.firstCopy = static_cast<std::uint32_t>(c_.out.copies.size());
    typeVertices();
    std::vector<Touch> touches = fillVertices();
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
  /// What tables of types, footprints and states get in the order of the vertices.
  void typeVertices() {
    c_.out.vertices.resize(firstVertex_ + placed_.order.size());
    for (std::size_t v = 0; v < placed_.order.size(); ++v) {
      const GraphVertex vertex = c_.graph.vertices[placed_.order[v]];
      StepVertex &step = c_.out.vertices[firstVertex_ + v];
      step.type = c_.vertexType(vertex.codelet);
      step.footprint = c_.vertexFootprint(vertex);
      c_.addStates(vertex, step);
    }
  }
  std::vector<Touch> fillVertices() {
    const std::size_t tasks = (placed_.order.size() + kVerticesPerTask - 1) / kVerticesPerTask;
    std::vector<std::vector<Touch>> ofTask(tasks);
    parallelFor(c_.options.threads, tasks, [&](std::size_t t) {
      LastTouches last;
      for (std::size_t v = t * kVerticesPerTask; v < std::min(placed_.order.size(), (t + 1) * kVerticesPerTask); ++v)
        fillVertex(v, last, ofTask[t]);
    });
    std::size_t all = 0;
    for (const auto &touches : ofTask)
      all += touches.size();
    std::vector<Touch> touches;
    touches.reserve(all);
    for (const auto &some : ofTask)
      touches.insert(touches.end(), some.begin(), some.end());
    return touches;
  }
  void fillVertex(std::size_t v, LastTouches &last, std::vector<Touch> &touches) const {
    const VertexId id = placed_.order[v];
    const GraphVertex vertex = c_.graph.vertices[id];
    StepVertex &step = c_.out.vertices[firstVertex_ + v];
    step.tile = vertex.tile;
    step.id = id.index();
    step.estimate = id.index() < c_.estimates.cycles.size() ? c_.estimates.cycles[id.index()] : -1;
    step.fromEstimator = step.estimate >= 0 && vertex.cycleEstimate() < 0;
    step.firstEdge = placed_.firstOperand[v];
    step.numEdges = placed_.firstOperand[v + 1] - step.firstEdge;
    for (std::uint32_t e = 0; e < step.numEdges; ++e) {
      const VertexEdge &edge = c_.out.edges[step.firstEdge + e];
      if (edge.elements == 0)
        continue;
      const HomeBytes bytes{edge.home, edge.offset, edge.elements * c_.elementSize(edge.home)};
      if (edge.reads)
        last.add(c_, bytes, AccessKind::Read, e, touches);
      if (edge.writes)
        last.add(c_, bytes, AccessKind::Write, e, touches);
    }
  }

  LoweringContext &c_;
  ComputeSetId cs_;
  const PlacedVertices &placed_;
  std::size_t firstVertex_;
};

} // namespace

ExecuteParts ProgramLowering::placeExecute(ComputeSetId computeSet, const View &result) {
  ExecuteParts parts;
  parts.computeSet = computeSet;
  parts.result = &result;
  placeOperands(c_, parts);
  parts.moved = summaryOf(c_, parts.receive, parts.gather);
  return parts;
}

void ProgramLowering::buildExecute(ExecuteParts &parts) {
  if (!parts.steps.empty())
    return;
  const std::string &csName = c_.graph.names[c_.graph.computeSets[parts.computeSet].name];
  parts.steps.push_back(ComputeBuilder(c_, parts).run(*parts.result));
  const std::string copies = joinName(csName, "OnTileCopyPost");
  Moves arrived;
  receiveWords(c_, parts.send, arrived, true, [&](HomeId home, StorageCategory category) {
    return c_.name(fmt::format("<{}:{}>", storageCategoryKey(category), c_.out.names[c_.varOf(home).name]));
  });
  if (arrived.empty()) {
    c_.addCopies(parts.steps, copies, std::move(parts.scatter));
    c_.addExchanges(parts.steps, csName, "ExchangePost", std::move(parts.send));
  } else { // one set of copies: what arrived to its place, and what stays on its tile
    c_.addExchanges(parts.steps, csName, "ExchangePost", std::move(parts.send));
    arrived.insert(arrived.end(), parts.scatter.begin(), parts.scatter.end());
    c_.addCopies(parts.steps, copies, std::move(arrived));
  }
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
  placeMarks();
  waiting_.add({&p, context_, &parts});
  if (!waits)
    flushCopies(); // nothing that a copy could join
}

} // namespace popscope
