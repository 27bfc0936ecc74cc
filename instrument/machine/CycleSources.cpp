#include "instrument/machine/CycleSources.hpp"

#include <algorithm>
#include <utility>

namespace popscope {

const char *cycleSourceName(CycleSource source) {
  switch (source) {
  case CycleSource::None: return "";
  case CycleSource::Estimate: return "estimate";
  case CycleSource::Estimator: return "estimator";
  case CycleSource::Codelet: return "codelet";
  case CycleSource::StandIn: return "stand-in";
  case CycleSource::LastKnown: return "last known";
  case CycleSource::Runtime: return "runtime";
  }
  return "";
}

void CycleSources::takeRecords(CycleSources &&earlier) {
  ofType_ = std::move(earlier.ofType_);
  origins_ = std::move(earlier.origins_);
  static_ = std::move(earlier.static_);
}

void CycleSources::add(const ExecuteStep &execute, const std::vector<CycleSource> &sources,
                       const std::vector<std::uint64_t> &flops) {
  tally(execute, [&](std::uint32_t v) { return sources[v]; });
  tallyFlops(execute, sources, flops);
}

void CycleSources::tallyFlops(const ExecuteStep &execute, const std::vector<CycleSource> &sources,
                              const std::vector<std::uint64_t> &flops) {
  const Key first(execute.computeSet, VertexTypeId(0), CycleSource::None);
  for (auto at = origins_.lower_bound(first); at != origins_.end() && std::get<0>(at->first) == execute.computeSet;
       ++at)
    if (std::get<CycleSource>(at->first) >= CycleSource::StandIn)
      at->second.flops = {};
  for (std::uint32_t v = 0; v < execute.numVertices; ++v) {
    if (flops[v] == kNotCounted)
      continue;
    const VertexTypeId type = program_.vertices[execute.firstVertex + v].type;
    CountedFlops &sum = origins_[{execute.computeSet, type, sources[v]}].flops;
    ++sum.vertices;
    sum.operations += flops[v];
  }
}

void CycleSources::addFlops(const ExecuteStep &execute, VertexTypeId type, CycleSource source,
                            std::uint64_t operations) {
  CountedFlops &sum = origins_[{execute.computeSet, type, source}].flops;
  ++sum.vertices;
  sum.operations += operations;
}

void CycleSources::settle() {
  for (const ExecuteStep *execute : static_)
    tally(*execute, [&](std::uint32_t v) {
      return program_.formOf(program_.vertices[execute->firstVertex + v]).fromEstimator ? CycleSource::Estimator
                                                                                        : CycleSource::Estimate;
    });
  static_.clear();
}

template <class SourceOf> void CycleSources::tally(const ExecuteStep &execute, const SourceOf &sourceOf) {
  std::map<Key, std::uint64_t> counts;
  std::uint64_t *count = nullptr; // neighbouring vertices usually share a count
  Key last;
  const auto add = [&](VertexTypeId type, CycleSource source) {
    const Key key(execute.computeSet, type, source);
    if (count == nullptr || key != last)
      count = &counts[key];
    last = key;
    ++*count;
  };
  for (std::uint32_t v = 0; v < execute.numVertices; ++v)
    add(program_.vertices[execute.firstVertex + v].type, sourceOf(v));
  for (std::uint32_t c = execute.firstCopy; c < execute.firstCopy + execute.numCopies; ++c)
    add(program_.copies[c].type, CycleSource::Runtime);
  for (const auto &[key, number] : counts) {
    std::uint64_t &most = origins_[key].most;
    most = std::max(most, number);
    CycleSource &type = ofType_[std::get<VertexTypeId>(key)];
    type = std::max(type, std::get<CycleSource>(key));
  }
}

CycleSource CycleSources::leastDirect(VertexTypeId type) {
  settle();
  return ofType_[type];
}

void CycleSources::addReason(const ExecuteStep &execute, VertexTypeId type, CycleSource source,
                             const std::string &reason) {
  std::string &known = origins_[{execute.computeSet, type, source}].reason;
  if (known.empty())
    known = reason;
}

std::vector<CycleOrigin> CycleSources::origins() {
  settle();
  std::vector<CycleOrigin> rows;
  for (const auto &[key, origin] : origins_)
    rows.push_back({std::get<ComputeSetId>(key), std::get<VertexTypeId>(key),
                    cycleSourceName(std::get<CycleSource>(key)), origin.most, origin.reason, origin.flops});
  return rows;
}

} // namespace popscope
