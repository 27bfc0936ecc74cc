// Cycle and operation estimates of vertices.
#include "graph/api/Estimates.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"

#include "base/Parallel.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace popscope {

namespace {

using Estimator = GraphShared::Estimator;

/// With this limit, sums over vertices and runs stay far below 64 bits.
constexpr std::uint64_t kMaxEstimate = std::uint64_t(1) << 48;

/// Returns the estimators by codelet index. With this list, an estimator is looked up once and not for each vertex.
std::vector<const Estimator *> estimatorsByCodelet(const GraphShared &graph) {
  std::vector<const Estimator *> byCodelet(graph.ir.codelets.size(), nullptr);
  for (std::size_t i = 0; i < byCodelet.size(); ++i) {
    const auto it = graph.estimators.find(normaliseVertexName(graph.ir.codelets.at(static_cast<int>(i)).name));
    if (it != graph.estimators.end())
      byCodelet[i] = &it->second;
  }
  return byCodelet;
}

struct Estimate {
  poplar::VertexPerfEstimate perf;
  bool flopsKnown = false;
};

std::optional<Estimate> estimate(const GraphShared &graph, VertexId id, const Estimator *estimator) {
  const GraphVertex vertex = graph.ir.vertices[id];
  if (vertex.cycleEstimate() >= 0) {
    const std::int64_t flops = vertex.flopEstimate();
    return Estimate{poplar::VertexPerfEstimate(static_cast<std::uint64_t>(vertex.cycleEstimate()),
                                               flops < 0 ? 0 : static_cast<std::uint64_t>(flops)),
                    flops >= 0};
  }
  if (estimator == nullptr)
    return std::nullopt;
  Estimate made{estimator->function(GraphAccess::introspector(&graph, id), graph.target)};
  made.flopsKnown = made.perf.flops != 0;
  const auto check = [&](std::uint64_t value, const char *unit) {
    if (value > kMaxEstimate)
      throw poplar::overflow_error(fmt::format("The estimator of {} gives {} {}; an estimate is {} (2^48) at most.",
                                               describe(graph, id), value, unit, kMaxEstimate));
  };
  check(made.perf.cycles, "cycles");
  check(made.perf.flops, "floating-point operations");
  return made;
}

} // namespace

VertexEstimates estimateVertices(const poplar::Graph &graph, Threads threads) {
  const GraphShared &shared = *GraphAccess::shared(graph);
  const std::size_t n = shared.ir.vertices.size();
  const std::vector<const Estimator *> estimators = estimatorsByCodelet(shared);
  VertexEstimates made;
  const auto any = [&](const auto &says) { return std::any_of(estimators.begin(), estimators.end(), says); };
  if (!any([](const Estimator *e) { return e != nullptr; }))
    return made;
  made.cycles.assign(n, -1);
  if (any([](const Estimator *e) { return e != nullptr && e->flops; }))
    made.flops.assign(n, -1);
  constexpr std::size_t kVerticesPerTask = 512;
  parallelFor(
      threads, n,
      [&](std::size_t i) {
        const VertexId id = shared.ir.vertices.idAt(i);
        const GraphVertex vertex = shared.ir.vertices[id];
        const Estimator *const estimator = estimators[static_cast<std::size_t>(vertex.codelet)];
        if (estimator == nullptr || vertex.cycleEstimate() >= 0)
          return;
        const auto e = estimate(shared, id, estimator);
        made.cycles[i] = static_cast<std::int64_t>(e->perf.cycles);
        if (e->flopsKnown)
          made.flops[i] = static_cast<std::int64_t>(e->perf.flops);
      },
      kVerticesPerTask);
  return made;
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
  const auto made = popscope::estimate(shared, id, it == shared.estimators.end() ? nullptr : &it->second);
  return made ? std::optional(made->perf) : std::nullopt;
}

std::string missing(const Graph &graph, const VertexRef &v) {
  const GraphShared &shared = *GraphAccess::shared(graph);
  return popscope::describe(shared, GraphAccess::vertex(shared, v)) +
         " has no estimate: call setPerfEstimate for the vertex, or registerPerfEstimator for its type.";
}

} // namespace

namespace {
std::int64_t estimateOf(const GraphShared &graph, const VertexRef &v, const char *operation, std::uint64_t value) {
  if (value > popscope::kMaxEstimate)
    throw overflow_error(fmt::format("{}: {} is given {}; an estimate is {} (2^48) at most.", operation,
                                     popscope::describe(graph, GraphAccess::vertex(graph, v)), value,
                                     popscope::kMaxEstimate));
  return static_cast<std::int64_t>(value);
}
} // namespace

void Graph::setPerfEstimate(const VertexRef &v, std::uint64_t cycles, std::uint64_t flops) {
  GraphShared &shared = *GraphAccess::shared(*this);
  const popscope::VertexId id = GraphAccess::vertex(shared, v);
  const std::int64_t known = estimateOf(shared, v, "setPerfEstimate", cycles);
  const std::int64_t operations = estimateOf(shared, v, "setPerfEstimate", flops);
  shared.ir.vertices.setEstimate(id, known, operations == 0 ? -1 : operations); // 0, the default, states no operations
}

void Graph::setPerfEstimate(const VertexRef &v, const VertexPerfEstimate &estimate) {
  setPerfEstimate(v, estimate.cycles, estimate.flops);
}

void Graph::setCycleEstimate(const VertexRef &v, std::uint64_t cycles) {
  GraphShared &shared = *GraphAccess::shared(*this);
  const popscope::VertexId id = GraphAccess::vertex(shared, v);
  shared.ir.vertices.setEstimate(id, estimateOf(shared, v, "setCycleEstimate", cycles),
                                 shared.ir.vertices[id].flopEstimate());
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

namespace {
void registerEstimator(GraphShared &graph, StringRef type, const char *operation, PerfEstimateFunc f, bool flops) {
  if (!f)
    throw poplar_error(fmt::format("{}(\"{}\"): the function is empty.", operation, type.cloneAsString()));
  graph.estimators[popscope::normaliseVertexName(type)] = {std::move(f), flops};
}
} // namespace

void Graph::registerPerfEstimator(StringRef vertexTypeName, PerfEstimateFunc f) {
  registerEstimator(*GraphAccess::shared(*this), vertexTypeName, "registerPerfEstimator", std::move(f), true);
}

void Graph::registerCycleEstimator(StringRef vertexTypeName, CycleEstimateFunc f) {
  PerfEstimateFunc cycles;
  if (f)
    cycles = [f](const VertexIntrospector &v, const Target &target) { return VertexPerfEstimate(f(v, target)); };
  registerEstimator(*GraphAccess::shared(*this), vertexTypeName, "registerCycleEstimator", std::move(cycles), false);
}

} // namespace poplar
