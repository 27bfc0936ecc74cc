#include "graph/api/MapElements.hpp"

#include "graph/ir/MappingOps.hpp"
#include "graph/ir/Replicas.hpp"

namespace popscope {
namespace {

// From this number of ranges on, inserting each new range at once costs more than inserting all new ranges later.
constexpr std::size_t kManyRanges = 4096;
constexpr std::size_t kNearEnd = 256; // a new range with at most this many ranges after it is inserted at once
constexpr std::size_t kLargePart = 8; // new ranges that are more than 1/8 of the existing ranges are inserted at once

bool isCheap(const GraphVar &var, const std::vector<MappedRange> &ranges) {
  const std::vector<MappedRange> &mapping = var.mapping;
  return mapping.size() < kManyRanges || ranges.size() > mapping.size() / kLargePart || ranges.empty() ||
         ranges.front().begin >= mapping[mapping.size() - kNearEnd].begin;
}

} // namespace

void mapElements(GraphShared &graph, GraphVarId var, const std::vector<MappedRange> &ranges) {
  GraphVar &known = graph.ir.vars[var];
  MappedLater &later = graph.mappedLater;
  if (!known.replicas.empty()) { // a tile that another replica does not have is reported at once
    overlayMapping(known.mapping, ranges);
    return copyMappingToReplicas(graph.ir, var);
  }
  if (!later.calls.contains(var.index()) && isCheap(known, ranges))
    return overlayMapping(known.mapping, ranges);
  std::vector<MappedRange> &calls = later.calls[var.index()];
  calls.insert(calls.end(), ranges.begin(), ranges.end());
  if (calls.size() >= known.mapping.size()) {
    overlayMapping(known.mapping, calls);
    later.calls.erase(var.index());
  }
  later.any.store(!later.calls.empty(), std::memory_order_release);
}

void settleMappings(GraphShared &graph) {
  MappedLater &later = graph.mappedLater;
  if (!later.any.load(std::memory_order_acquire))
    return;
  const std::lock_guard lock(later.mutex);
  for (const auto &[var, calls] : later.calls)
    overlayMapping(graph.ir.vars[GraphVarId(var)].mapping, calls);
  later.calls.clear();
  later.any.store(false, std::memory_order_release);
}

} // namespace popscope
