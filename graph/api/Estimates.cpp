// Cycle and operation estimates of vertices.
#include "graph/api/Estimates.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"

#include "base/Parallel.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <fmt/format.h>
#include <optional>

namespace popscope {

namespace {

/// Estimators by codelet index; looked up once, not for each vertex.
std::vector<const poplar::PerfEstimateFunc *> estimatorsByCodelet(const GraphShared &graph) {
  std::vector<const poplar::PerfEstimateFunc *> byCodelet(graph.ir.codelets.size(), nullptr);
  for (std::size_t i = 0; i < byCodelet.size(); ++i) {
    const auto it = graph.estimators.find(normaliseVertexName(graph.ir.codelets.at(static_cast<int>(i)).name));
    if (it != graph.estimators.end())
      byCodelet[i] = &it->second;
  }
  return byCodelet;
}

std::optional<poplar::VertexPerfEstimate> estimate(const GraphShared &graph, VertexId id,
                                                   const poplar::PerfEstimateFunc *estimator) {
  const GraphVertex &vertex = graph.ir.vertices[id];
  if (vertex.cycleEstimate >= 0)
    return poplar::VertexPerfEstimate(static_cast<std::uint64_t>(vertex.cycleEstimate),
                                      vertex.flopEstimate < 0 ? 0 : static_cast<std::uint64_t>(vertex.flopEstimate));
  if (estimator == nullptr)
    return std::nullopt;
  return (*estimator)(GraphAccess::introspector(&graph, id), graph.target);
}

} // namespace

VertexEstimates estimateVertices(const poplar::Graph &graph, std::vector<std::int64_t> *flops) {
  return estimateVertices(graph, flops, {});
}

VertexEstimates estimateVertices(const poplar::Graph &graph, std::vector<std::int64_t> *flops, Threads threads) {
  const GraphShared &shared = *GraphAccess::shared(graph);
  const std::size_t n = shared.ir.vertices.size();
  const std::vector<const poplar::PerfEstimateFunc *> estimators = estimatorsByCodelet(shared);
  VertexEstimates cycles(n, -1);
  if (flops)
    flops->assign(n, -1);
  constexpr std::size_t kVerticesPerTask = 512;
  parallelFor(
      threads, n,
      [&](std::size_t i) {
        const VertexId id = shared.ir.vertices.idAt(i);
        const auto e = estimate(shared, id, estimators[static_cast<std::size_t>(shared.ir.vertices[id].codelet)]);
        if (!e)
          return;
        cycles[i] = static_cast<std::int64_t>(e->cycles);
        if (flops)
          (*flops)[i] = static_cast<std::int64_t>(e->flops);
      },
      kVerticesPerTask);
  return cycles;
}

} // namespace popscope

namespace poplar {

using popscope::GraphAccess;
using popscope::GraphShared;

namespace {

std::optional<VertexPerfEstimate> find(const Graph &graph, const VertexRef &v) {
  const GraphShared &shared = *GraphAccess::shared(graph);
  const popscope::VertexId id = GraphAccess::vertex(shared, v);
  const auto it =
      shared.estimators.find(popscope::normaliseVertexName(shared.ir.codelets.at(shared.ir.vertices[id].codelet).name));
  return popscope::estimate(shared, id, it == shared.estimators.end() ? nullptr : &it->second);
}

std::string missing(const Graph &graph, const VertexRef &v) {
  const GraphShared &shared = *GraphAccess::shared(graph);
  return popscope::describe(shared, GraphAccess::vertex(shared, v)) +
         " has no estimate: setPerfEstimate gives it one, registerPerfEstimator gives all of its type one.";
}

} // namespace

namespace {
/// Sums over vertices and runs stay far from 64 bits.
std::int64_t estimateOf(const GraphShared &graph, const VertexRef &v, const char *operation, std::uint64_t value) {
  constexpr std::uint64_t kMost = std::uint64_t(1) << 48;
  if (value > kMost)
    throw overflow_error(fmt::format("{}: {} is given {}; an estimate is {} (2^48) at most.", operation,
                                     popscope::describe(graph, GraphAccess::vertex(graph, v)), value, kMost));
  return static_cast<std::int64_t>(value);
}
} // namespace

void Graph::setPerfEstimate(const VertexRef &v, std::uint64_t cycles, std::uint64_t flops) {
  GraphShared &shared = *GraphAccess::shared(*this);
  popscope::GraphVertex &vertex = shared.ir.vertices[GraphAccess::vertex(shared, v)];
  vertex.cycleEstimate = estimateOf(shared, v, "setPerfEstimate", cycles);
  vertex.flopEstimate = estimateOf(shared, v, "setPerfEstimate", flops);
}

void Graph::setPerfEstimate(const VertexRef &v, const VertexPerfEstimate &estimate) {
  setPerfEstimate(v, estimate.cycles, estimate.flops);
}

void Graph::setCycleEstimate(const VertexRef &v, std::uint64_t cycles) {
  GraphShared &shared = *GraphAccess::shared(*this);
  shared.ir.vertices[GraphAccess::vertex(shared, v)].cycleEstimate = estimateOf(shared, v, "setCycleEstimate", cycles);
}

VertexPerfEstimate Graph::getPerfEstimate(const VertexRef &v) const {
  const auto e = find(*this, v);
  if (!e)
    throw missing_perf_estimate(missing(*this, v));
  return *e;
}

std::uint64_t Graph::getCycleEstimate(const VertexRef &v) const {
  const auto e = find(*this, v);
  if (!e)
    throw missing_cycle_estimate(missing(*this, v));
  return e->cycles;
}

void Graph::registerPerfEstimator(StringRef vertexTypeName, PerfEstimateFunc f) {
  if (!f)
    throw poplar_error(
        fmt::format("registerPerfEstimator(\"{}\"): the function is empty.", vertexTypeName.cloneAsString()));
  GraphAccess::shared(*this)->estimators[popscope::normaliseVertexName(vertexTypeName)] = std::move(f);
}

void Graph::registerCycleEstimator(StringRef vertexTypeName, CycleEstimateFunc f) {
  if (!f)
    throw poplar_error(
        fmt::format("registerCycleEstimator(\"{}\"): the function is empty.", vertexTypeName.cloneAsString()));
  registerPerfEstimator(vertexTypeName, [f](const VertexIntrospector &v, const Target &target) {
    return VertexPerfEstimate(f(v, target));
  });
}

} // namespace poplar
