#include "graph/lowering/LoweringContext.hpp"

#include <algorithm>
#include <tuple>

namespace popscope {

std::uint64_t viewCount(const RunList &view) { return view.elements(); }

std::string joinName(const std::string &name, const char *suffix) {
  return name.empty() ? suffix : name + "/" + suffix;
}

std::string displayName(const GraphIr &graph, GraphVarId var) {
  const std::string &name = graph.names[graph.vars[var].name];
  return !name.empty() ? name : graph.vars[var].constant ? "<const>" : "<anon>";
}

LoweringContext::LoweringContext(const GraphIr &g, const VertexEstimates &e, const CostModel &c,
                                 const LoweringOptions &o)
    : graph(g), estimates(e), costs(c), options(o) {
  out.numTiles = g.machine.numTiles();
  out.tilesPerIpu = g.machine.tilesPerIpu;
  out.replicationFactor = g.replicationFactor;
  loweredSets_.resize(g.computeSets.size());
  for (std::size_t cs = 0; cs < g.computeSets.size(); ++cs)
    if (!g.computeSets.raw()[cs].vertices.empty())
      loweredSet(g.computeSets.idAt(cs));
}

ComputeSetId LoweringContext::loweredSet(ComputeSetId ofGraph) {
  ComputeSetId &known = loweredSets_[ofGraph.index()];
  if (!known.valid())
    known = out.computeSets.push(name(graph.names[graph.computeSets[ofGraph].name]));
  return known;
}

LoweredStep LoweringContext::finishStep(StepKind kind, NameId stepName, std::uint32_t payload,
                                        std::vector<Touch> &touches) {
  std::sort(touches.begin(), touches.end(), [](const Touch &a, const Touch &b) {
    return std::tie(a.var, a.kind, a.member, a.begin, a.end) < std::tie(b.var, b.kind, b.member, b.begin, b.end);
  });
  LoweredStep step{kind, stepName, payload, static_cast<std::uint32_t>(out.accesses.size()), 0};
  const Touch *previous = nullptr;
  for (const Touch &t : touches) {
    if (t.begin == t.end)
      continue;
    if (previous == nullptr || previous->var != t.var || previous->kind != t.kind || previous->member != t.member) {
      out.accesses.push_back({t.var, t.kind, t.member, static_cast<std::uint32_t>(out.ranges.size()), 0});
      ++step.numAccesses;
    } else if (t.begin <= out.ranges.back().end) {
      out.ranges.back().end = std::max(out.ranges.back().end, t.end);
      continue;
    }
    previous = &t;
    out.ranges.push_back({t.begin, t.end});
    ++out.accesses.back().numRanges;
  }
  touches.clear();
  return step;
}

} // namespace popscope
