#include "liveness/analysis/BuildFlowGraph.hpp"

#include "base/UniteRanges.hpp"
#include "liveness/analysis/CollectFlow.hpp"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/depth_first_search.hpp>

#include <algorithm>
#include <utility>

namespace popscope {
namespace {

// A Boost graph with 32-bit blocks and edges. With Boost's default of 64 bits, the graph takes more than twice the
// time.
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                 boost::no_property, std::uint32_t, std::uint32_t>;
using BlockIds = std::vector<std::uint32_t>;

// Marks the blocks that control can reach from the root's start. A call reaches its function and, if the function
// returns, the block after the call.
std::vector<bool> reach(const RawFlow &flow, const FunctionOrder &order) {
  auto edges = flow.edges;
  for (const FlowCall &call : flow.calls) {
    edges.emplace_back(call.block, flow.entryOf[call.function]);
    if (order.returns[call.function])
      edges.emplace_back(call.block, call.back);
  }
  const Graph graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), flow.blocks.size());
  std::vector<boost::default_color_type> colours(flow.blocks.size(), boost::white_color);
  boost::depth_first_visit(graph, flow.root, boost::default_dfs_visitor(),
                           boost::make_iterator_property_map(colours.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<bool> out(colours.size());
  for (std::size_t i = 0; i < colours.size(); ++i)
    out[i] = colours[i] != boost::white_color;
  return out;
}

// Stores the predecessors of each block, ascending and without duplicates.
void flattenPredecessors(const RawFlow &flow, const BlockIds &newId, FlowGraph &out) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges; // (to, from)
  edges.reserve(flow.edges.size());
  for (const auto &[from, to] : flow.edges)
    if (newId[from] != kNoBlock && newId[to] != kNoBlock)
      edges.emplace_back(newId[to], newId[from]);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  out.preds = {out.blocks.size(), [&](const auto &use) {
                 for (const auto &[to, from] : edges)
                   use(to, from);
               }};
}

void mapSteps(const RawFlow &flow, const BlockIds &newId, FlowGraph &out, std::size_t numSteps) {
  out.blockOf.assign(numSteps, kNoBlock);
  out.echoOf.assign(out.blocks.size(), kNoBlock);
  out.jumpOf.assign(out.blocks.size(), kNoBlock);
  std::vector<bool> isEcho(flow.blocks.size());
  for (std::size_t b = 0; b < newId.size(); ++b) {
    if (newId[b] != kNoBlock)
      out.jumpOf[newId[b]] = flow.jumpOf[b];
    const std::uint32_t echo = flow.echoOf[b];
    if (echo == kNoBlock)
      continue;
    isEcho[echo] = true;
    if (newId[b] != kNoBlock)
      out.echoOf[newId[b]] = newId[echo];
  }
  for (std::size_t b = 0; b < newId.size(); ++b) {
    if (isEcho[b])
      continue;
    const FlowBlock &block = flow.blocks[b];
    if (newId[b] != kNoBlock) {
      std::fill(out.blockOf.begin() + block.begin, out.blockOf.begin() + block.end, newId[b]);
      out.reachableSteps += block.end - block.begin;
    } else {
      for (std::uint32_t s = block.begin; s < block.end; ++s)
        out.steps[s].run = kNoBlock;
    }
  }
}

// Gives calls the numbers of the kept blocks, and builds the indices over calls: callOf, functions, sites and
// firstCall. Drops calls in blocks that control cannot reach. Cost: linear in blocks, and n log n in calls.
void mapCalls(const RawFlow &flow, const BlockIds &newId, FlowGraph &out) {
  out.callOf.assign(out.blocks.size(), kNoBlock);
  out.functionOf.resize(out.blocks.size());
  for (std::size_t b = 0; b < newId.size(); ++b)
    if (newId[b] != kNoBlock)
      out.functionOf[newId[b]] = flow.functionOf[b];
  for (const FlowCall &call : flow.calls)
    if (newId[call.block] != kNoBlock)
      out.calls.push_back({call.step, newId[call.block], newId[call.back], call.function});
  std::ranges::sort(out.calls, {}, &FlowCall::step);
  out.functions.resize(flow.entryOf.size());
  for (std::uint32_t c = 0; c < out.calls.size(); ++c)
    if (out.calls[c].back != kNoBlock)
      out.callOf[out.calls[c].back] = c;
  for (std::size_t f = 0; f < out.functions.size(); ++f) {
    out.functions[f].entry = newId[flow.entryOf[f]];
    out.functions[f].exit = newId[flow.exitOf[f]];
  }
  out.sites = {out.functions.size(), [&](const auto &use) {
                 for (std::uint32_t c = 0; c < out.calls.size(); ++c)
                   use(out.calls[c].function, c);
               }};
  for (FlowControl &control : out.controls)
    control.firstCall = out.callsBefore(control.step);
}

// Walks back from the function's exit to its entry. Stores the steps and calls between them in `through` and
// `throughCalls`. Never visits a block from which control cannot reach the exit.
void findThrough(FlowGraph &flow, FlowFunction &function, std::vector<bool> &seen) {
  if (function.exit == kNoBlock)
    return;
  BlockIds found{function.exit};
  const auto add = [&](std::uint32_t block) {
    if (!seen[block])
      found.push_back(block);
    seen[block] = true;
  };
  seen[function.exit] = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::uint32_t block = found[i];
    if (const FlowBlock &b = flow.blocks[block]; b.begin < b.end)
      function.through.push_back({StepIndex(b.begin), StepIndex(b.end)});
    if (flow.callOf[block] != kNoBlock) {
      function.throughCalls.push_back(flow.callOf[block]);
      add(flow.calls[flow.callOf[block]].block);
    }
    for (const std::uint32_t pred : flow.preds[block])
      add(pred);
  }
  uniteRanges(function.through);
}

} // namespace

FlowGraph buildFlowGraph(const StepProgram &program) {
  FlowGraph out;
  if (program.steps.empty())
    return out;
  out.order = orderFunctions(program);
  RawFlow flow = collectFlow(program, out.order);
  const std::vector<bool> reachable = reach(flow, out.order);
  BlockIds newId(flow.blocks.size(), kNoBlock);
  for (std::size_t b = 0; b < newId.size(); ++b) {
    if (!reachable[b])
      continue;
    newId[b] = static_cast<std::uint32_t>(out.blocks.size());
    out.blocks.push_back(flow.blocks[b]);
  }
  flattenPredecessors(flow, newId, out);
  out.steps = std::move(flow.steps);
  mapSteps(flow, newId, out, program.steps.size());
  out.regions = std::move(flow.regions);
  out.regionOfRun = std::move(flow.regionOfRun);
  out.controls = std::move(flow.controls);
  mapCalls(flow, newId, out);
  std::vector<bool> seen(out.blocks.size());
  for (FlowFunction &function : out.functions)
    findThrough(out, function, seen);
  return out;
}

} // namespace popscope
