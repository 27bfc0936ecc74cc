#include "liveness/analysis/BuildFlowGraph.hpp"

#include "liveness/analysis/CollectFlow.hpp"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/depth_first_search.hpp>

#include <algorithm>
#include <utility>

namespace popscope {
namespace {

using Graph = boost::compressed_sparse_row_graph<boost::directedS>;
using BlockIds = std::vector<std::uint32_t>;
constexpr std::uint32_t kNone = FlowGraph::kNone;

// Finds what can be reached, and adds the edges back from functions: to call sites that can be reached only. A caller
// that never runs must not make its continuation reachable, nor its needs live in the function.
std::vector<bool> reachAndReturn(RawFlow &flow) {
  const Graph graph(boost::edges_are_unsorted_multi_pass, flow.edges.begin(), flow.edges.end(), flow.blocks.size());
  std::vector<boost::default_color_type> colours(flow.blocks.size(), boost::white_color);
  const auto reached = [&](std::uint32_t block) { return colours[block] != boost::white_color; };
  const auto visit = [&](std::uint32_t block) {
    boost::depth_first_visit(graph, block, boost::default_dfs_visitor(),
                             boost::make_iterator_property_map(colours.begin(), boost::get(boost::vertex_index, graph)));
  };
  visit(flow.root);
  std::vector<CallSite> waiting = flow.calls;
  for (bool moved = true; moved;) {
    moved = false;
    std::vector<CallSite> still;
    for (const CallSite &call : waiting) {
      if (!reached(call.block) || !reached(flow.exitOf[call.function])) {
        still.push_back(call);
        continue;
      }
      moved = true;
      flow.edges.emplace_back(flow.exitOf[call.function], call.back);
      if (!reached(call.back))
        visit(call.back);
    }
    waiting = std::move(still);
  }
  std::vector<bool> out(colours.size());
  for (std::size_t i = 0; i < colours.size(); ++i)
    out[i] = reached(static_cast<std::uint32_t>(i));
  return out;
}

// Predecessors of each block, ascending and each once.
void flattenPredecessors(const RawFlow &flow, const BlockIds &newId, FlowGraph &out) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges; // to, from
  edges.reserve(flow.edges.size());
  for (const auto &[from, to] : flow.edges)
    if (newId[from] != kNone && newId[to] != kNone)
      edges.emplace_back(newId[to], newId[from]);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  out.firstPred.assign(out.blocks.size() + 1, 0);
  for (const auto &[to, from] : edges) {
    ++out.firstPred[to + 1];
    out.preds.push_back(from);
  }
  for (std::size_t b = 0; b < out.blocks.size(); ++b)
    out.firstPred[b + 1] += out.firstPred[b];
}

void mapSteps(const RawFlow &flow, const BlockIds &newId, FlowGraph &out, std::size_t numSteps) {
  out.blockOf.assign(numSteps, kNone);
  out.echoOf.assign(out.blocks.size(), kNone);
  out.jumpOf.assign(out.blocks.size(), kNone);
  std::vector<bool> isEcho(flow.blocks.size());
  for (std::size_t b = 0; b < newId.size(); ++b) {
    if (newId[b] != kNone)
      out.jumpOf[newId[b]] = flow.jumpOf[b];
    const std::uint32_t echo = flow.echoOf[b];
    if (echo == kNone)
      continue;
    isEcho[echo] = true;
    if (newId[b] != kNone)
      out.echoOf[newId[b]] = newId[echo];
  }
  for (std::size_t b = 0; b < newId.size(); ++b) {
    if (newId[b] == kNone || isEcho[b])
      continue;
    for (std::uint32_t s = flow.blocks[b].begin; s < flow.blocks[b].end; ++s, ++out.reachableSteps)
      out.blockOf[s] = newId[b];
  }
}

} // namespace

FlowGraph buildFlowGraph(const StepProgram &program) {
  FlowGraph out;
  if (program.steps.empty()) {
    out.firstPred.push_back(0);
    return out;
  }
  RawFlow flow = collectFlow(program);
  const std::vector<bool> reachable = reachAndReturn(flow);
  BlockIds newId(flow.blocks.size(), kNone);
  for (std::size_t b = 0; b < newId.size(); ++b) {
    if (!reachable[b])
      continue;
    newId[b] = static_cast<std::uint32_t>(out.blocks.size());
    out.blocks.push_back(flow.blocks[b]);
  }
  flattenPredecessors(flow, newId, out);
  mapSteps(flow, newId, out, program.steps.size());
  out.controls = std::move(flow.controls);
  return out;
}

} // namespace popscope
