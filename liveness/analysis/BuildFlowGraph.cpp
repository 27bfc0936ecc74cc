#include "liveness/analysis/BuildFlowGraph.hpp"

#include "base/Check.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>

#include <algorithm>
#include <utility>

namespace popscope {
namespace {

using Graph = boost::adjacency_list<boost::setS, boost::vecS, boost::directedS>;
using BlockIds = std::vector<std::uint32_t>;
constexpr std::uint32_t kNone = FlowGraph::kNone;

// The block that ends with a Call, and the empty one where it comes back.
struct CallSite {
  std::uint32_t block, function, back;
};

// Walks the tree once. `pending_` holds the blocks that lead to whatever comes next; `open_` is the block that the next
// step joins when nothing branches in between.
class FlowBuilder {
public:
  explicit FlowBuilder(const StepProgram &program) : program_(program) {
    for (std::size_t f = 0; f < program.functions.size(); ++f)
      exitOf_.push_back(addBlock(0, 0));
    entryOf_.resize(program.functions.size(), kNone);
  }

  void build() {
    root_ = nextBlock();
    walk(program_.root.index());
    link(takeExits(), root_);
    for (std::size_t f = 0; f < program_.functions.size(); ++f) {
      entryOf_[f] = nextBlock();
      walk(program_.functions.raw()[f].root.index());
      link(takeExits(), exitOf_[f]);
    }
    for (const CallSite &call : calls_)
      edges_.emplace_back(call.block, entryOf_[call.function]);
  }

  [[nodiscard]] std::uint32_t root() const { return root_; }
  [[nodiscard]] const std::vector<FlowBlock> &blocks() const { return blocks_; }
  [[nodiscard]] const BlockIds &echoOf() const { return echoOf_; }
  [[nodiscard]] const std::vector<CallSite> &calls() const { return calls_; }
  [[nodiscard]] std::uint32_t exitOf(std::uint32_t function) const { return exitOf_[function]; }
  /// Without the edges from a function's exit back to its call sites.
  [[nodiscard]] Graph graph() const { return Graph(edges_.begin(), edges_.end(), blocks_.size()); }

private:
  [[nodiscard]] std::uint32_t nextBlock() const { return static_cast<std::uint32_t>(blocks_.size()); }

  std::uint32_t addBlock(std::uint32_t begin, std::uint32_t end) {
    blocks_.push_back({begin, end});
    echoOf_.push_back(kNone);
    return nextBlock() - 1;
  }
  void link(const BlockIds &from, std::uint32_t to) {
    for (const std::uint32_t block : from)
      edges_.emplace_back(block, to);
  }
  void append(std::uint32_t step) {
    if (open_ == kNone) {
      open_ = addBlock(step, step);
      link(std::exchange(pending_, {}), open_);
    }
    POPSCOPE_CHECK(blocks_[open_].end == step, "step {} does not follow step {} in its block", step,
                   blocks_[open_].end);
    blocks_[open_].end = step + 1;
  }
  std::uint32_t closeBlock() { return std::exchange(open_, kNone); }

  // What leads onwards from here; afterwards nothing does.
  BlockIds takeExits() {
    if (open_ != kNone)
      pending_.push_back(closeBlock());
    return std::exchange(pending_, {});
  }

  [[nodiscard]] std::vector<std::uint32_t> children(std::uint32_t step) const {
    std::vector<std::uint32_t> out;
    const auto &steps = program_.steps.raw();
    for (std::uint32_t c = step + 1; c < steps[step].end; c = steps[c].end)
      out.push_back(c);
    return out;
  }

  void walk(std::uint32_t step) {
    append(step);
    switch (program_.steps.raw()[step].kind) {
    case StepKind::If:
    case StepKind::Switch: return walkBranch(step);
    case StepKind::Repeat: return walkRepeat(step);
    case StepKind::RepeatWhile: return walkWhile(step);
    case StepKind::Call: return walkCall(step);
    case StepKind::Abort:
    case StepKind::ErrorProgram: closeBlock(); return;
    default:
      for (const std::uint32_t child : children(step))
        walk(child);
    }
  }

  [[nodiscard]] bool mayGoStraightOn(std::uint32_t step, std::size_t numChildren) const {
    const Step &s = program_.steps.raw()[step];
    if (s.kind == StepKind::If)
      return numChildren < 2;
    const SwitchStep &payload = program_.switches.at(s.payload);
    return numChildren == 0 || (!payload.engineSwitch && numChildren <= payload.labels.size());
  }

  void walkBranch(std::uint32_t step) {
    const std::uint32_t header = closeBlock();
    const auto arms = children(step);
    BlockIds exits;
    for (const std::uint32_t arm : arms) {
      pending_ = {header};
      walk(arm);
      const BlockIds armExits = takeExits();
      exits.insert(exits.end(), armExits.begin(), armExits.end());
    }
    if (mayGoStraightOn(step, arms.size()))
      exits.push_back(header);
    pending_ = std::move(exits);
  }

  void walkRepeat(std::uint32_t step) {
    const std::uint32_t header = closeBlock();
    const bool runs = program_.repeats.at(program_.steps.raw()[step].payload).count > 0;
    const auto body = children(step);
    if (body.empty()) {
      pending_ = {header};
      return;
    }
    if (runs)
      pending_ = {header};
    const std::uint32_t first = nextBlock();
    for (const std::uint32_t child : body)
      walk(child);
    const BlockIds exits = takeExits();
    if (!runs) { // the body's blocks have no way in and are dropped
      pending_ = {header};
      return;
    }
    const std::uint32_t echo = addBlock(step, step + 1);
    echoOf_[header] = echo;
    link(exits, echo);
    edges_.emplace_back(echo, first);
    pending_ = {echo};
  }

  // All children but the last are the condition; it ends with the WhileTest. The last is the body.
  void walkWhile(std::uint32_t step) {
    pending_ = {closeBlock()};
    const auto parts = children(step);
    if (parts.empty())
      return;
    const std::uint32_t condition = nextBlock();
    const std::size_t numCondition = std::max<std::size_t>(parts.size() - 1, 1);
    for (std::size_t i = 0; i < numCondition; ++i)
      walk(parts[i]);
    const BlockIds tested = takeExits();
    if (parts.size() > numCondition) {
      pending_ = tested;
      walk(parts.back());
      link(takeExits(), condition);
    } else {
      link(tested, condition);
    }
    pending_ = tested;
  }

  void walkCall(std::uint32_t step) {
    const FunctionId function = program_.calls.at(program_.steps.raw()[step].payload).function;
    POPSCOPE_CHECK(function.valid() && function.index() < program_.functions.size(),
                   "the Call at step {} names function {} of {}", step, function.index(), program_.functions.size());
    const std::uint32_t block = closeBlock(), back = addBlock(0, 0);
    calls_.push_back({block, function.index(), back});
    pending_ = {back};
  }

  const StepProgram &program_;
  std::vector<FlowBlock> blocks_;
  BlockIds echoOf_, entryOf_, exitOf_, pending_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  std::vector<CallSite> calls_;
  std::uint32_t open_ = kNone, root_ = 0;
};

// Finds what can be reached, and adds the edges back from functions: to call sites that can be reached only. A caller
// that never runs must not make its continuation reachable, nor its needs live in the function.
std::vector<bool> reachAndReturn(const FlowBuilder &builder, Graph &graph) {
  std::vector<boost::default_color_type> colours(boost::num_vertices(graph), boost::white_color);
  const auto reached = [&](std::uint32_t block) { return colours[block] != boost::white_color; };
  const auto visit = [&](std::uint32_t block) {
    boost::depth_first_visit(graph, block, boost::default_dfs_visitor(), colours.data());
  };
  visit(builder.root());
  std::vector<bool> returned(builder.calls().size());
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t c = 0; c < returned.size(); ++c) {
      const CallSite &call = builder.calls()[c];
      if (returned[c] || !reached(call.block) || !reached(builder.exitOf(call.function)))
        continue;
      returned[c] = moved = true;
      boost::add_edge(builder.exitOf(call.function), call.back, graph);
      if (!reached(call.back))
        visit(call.back);
    }
  }
  std::vector<bool> out(colours.size());
  for (std::size_t i = 0; i < colours.size(); ++i)
    out[i] = reached(static_cast<std::uint32_t>(i));
  return out;
}

void flattenPredecessors(const Graph &graph, const BlockIds &newId, FlowGraph &out) {
  std::vector<BlockIds> preds(out.blocks.size());
  for (const auto &edge : boost::make_iterator_range(boost::edges(graph))) {
    const std::uint32_t from = newId[boost::source(edge, graph)], to = newId[boost::target(edge, graph)];
    if (from != kNone && to != kNone)
      preds[to].push_back(from);
  }
  for (const BlockIds &of : preds) {
    out.firstPred.push_back(static_cast<std::uint32_t>(out.preds.size()));
    out.preds.insert(out.preds.end(), of.begin(), of.end());
  }
  out.firstPred.push_back(static_cast<std::uint32_t>(out.preds.size()));
}

void mapSteps(const FlowBuilder &builder, const BlockIds &newId, FlowGraph &out, std::size_t numSteps) {
  out.blockOf.assign(numSteps, kNone);
  out.echoOf.assign(out.blocks.size(), kNone);
  std::vector<bool> isEcho(builder.blocks().size());
  for (std::size_t b = 0; b < newId.size(); ++b) {
    const std::uint32_t echo = builder.echoOf()[b];
    if (echo == kNone)
      continue;
    isEcho[echo] = true;
    if (newId[b] != kNone)
      out.echoOf[newId[b]] = newId[echo];
  }
  for (std::size_t b = 0; b < newId.size(); ++b) {
    if (newId[b] == kNone || isEcho[b])
      continue;
    for (std::uint32_t s = builder.blocks()[b].begin; s < builder.blocks()[b].end; ++s, ++out.reachableSteps)
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
  FlowBuilder builder(program);
  builder.build();
  Graph graph = builder.graph();
  const std::vector<bool> reachable = reachAndReturn(builder, graph);
  BlockIds newId(builder.blocks().size(), kNone);
  for (std::size_t b = 0; b < newId.size(); ++b) {
    if (!reachable[b])
      continue;
    newId[b] = static_cast<std::uint32_t>(out.blocks.size());
    out.blocks.push_back(builder.blocks()[b]);
  }
  flattenPredecessors(graph, newId, out);
  mapSteps(builder, newId, out, program.steps.size());
  return out;
}

} // namespace popscope
