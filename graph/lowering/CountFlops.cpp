#include "graph/lowering/CountFlops.hpp"
#include "graph/steps/ExecutedSets.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>
#include <limits>
#include <map>

namespace popscope {

std::int64_t estimatedFlops(const GraphVertex &vertex, const std::vector<std::int64_t> &estimates) {
  if (vertex.cycleEstimate() >= 0)
    return vertex.flopEstimate();
  const auto id = vertex.id().index();
  return id < estimates.size() ? estimates[id] : -1;
}

void countFlops(StepProgram &p, const VertexTable &vertices, const std::vector<std::int64_t> &estimates) {
  if (estimates.empty() && !vertices.anyFlops())
    return;
  std::map<std::pair<ComputeSetId, VertexTypeId>, TypeFlops> sums;
  forEachExecutedSet(p, [&](const ExecuteStep &execute) {
    for (const StepVertex &v : verticesOf(p, execute)) {
      const std::int64_t estimate = estimatedFlops(vertices[VertexId(v.id)], estimates);
      if (estimate < 0)
        continue;
      TypeFlops &sum = sums[{execute.computeSet, v.type}];
      const auto flops = static_cast<std::uint64_t>(estimate);
      constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
      if (flops > kMost - sum.flops)
        throw poplar::overflow_error(fmt::format(
            "Compute set '{}': the floating-point operations of its vertices {} are more than {} (2^63 - 1) "
            "together; give smaller estimates.",
            p.names[p.computeSets[execute.computeSet]], p.vertexTypes[v.type].name, kMost));
      ++sum.vertices;
      sum.flops += flops;
    }
  });
  for (auto &[key, sum] : sums) {
    sum.computeSet = key.first;
    sum.type = key.second;
    p.typeFlops.push_back(sum);
  }
}

} // namespace popscope
