#include "graph/lowering/CollectUses.hpp"

#include "base/CheckedSize.hpp"
#include "graph/ir/CheckReferences.hpp"
#include "graph/ir/ProgramKinds.hpp"
#include "graph/ir/ViewOps.hpp"
#include "graph/lowering/LoweringContext.hpp"
#include "graph/steps/OrderCalls.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace popscope {
namespace {

class UseWalk {
public:
  explicit UseWalk(const GraphIr &graph)
      : graph_(graph), known_(graph.functions.size()), depths_(graph.functions.size()), calls_(graph.functions.size()) {
  }
  GraphUses uses;

  /// Returns the depth of nesting: 1 for a program without children, and one more for each level below the program; the
  /// body of a called function is such a level. Throws control_program_error if the depth exceeds kMaxNesting.
  std::uint32_t walk(const ProgramPtr &program) {
    if (!program)
      return 0;
    // Within one function, a program that occurs again adds nothing.
    const auto known = seen_.find(program.get());
    if (known != seen_.end())
      return known->second;
    checkNesting(*program, ++above_);
    std::uint32_t inside = visit(*program);
    for (const ProgramPtr &child : program->children)
      inside = std::max(inside, walk(child));
    --above_;
    checkNesting(*program, inside + 1);
    seen_.emplace(program.get(), inside + 1);
    return inside + 1;
  }

  /// Throws graph_recursion_error if functions call each other in a cycle. The message names all functions of the
  /// cycle.
  void checkRecursion() const {
    std::vector<std::vector<std::uint32_t>> callees(calls_.size());
    for (std::size_t f = 0; f != calls_.size(); ++f)
      for (const ProgramNode *call : calls_[f])
        callees[f].push_back(call->as<CallArguments>().function.index());
    const std::vector<std::uint32_t> cycle = orderCalls(callees).cycle;
    if (cycle.empty())
      return;
    std::string way;
    for (const std::uint32_t f : cycle)
      way += functionLabel(f) + " -> ";
    const auto &last = calls_[cycle.back()];
    const auto call = std::find_if(last.begin(), last.end(), [&](const ProgramNode *node) {
      return node->as<CallArguments>().function.index() == cycle.front();
    });
    throw poplar::graph_recursion_error(fmt::format(
        "function {} calls itself: {}{}, the last by {}. Functions cannot be recursive; use Repeat or RepeatWhileTrue",
        functionLabel(cycle.front()), way, functionLabel(cycle.front()), programLabel(**call)));
  }

private:
  void checkNesting(const ProgramNode &p, std::uint32_t depth) const {
    if (depth > kMaxNesting)
      throw poplar::control_program_error(
          fmt::format("{} is nested more than {} deep, counting calls of functions; that is the limit", programLabel(p),
                      kMaxNesting));
  }

  /// Returns the nesting depth of the function that the program calls, or 0 if the program is no call.
  std::uint32_t visit(const ProgramNode &p) {
    checkReferences(p, graph_);
    if (p.kind == ProgramKind::Execute)
      uses.computeSets.push_back(p.as<ExecuteArguments>().computeSet);
    if (p.kind == ProgramKind::Call)
      return call(p);
    if (p.kind == ProgramKind::Copy || p.kind == ProgramKind::CrossReplicaCopy) {
      visitCopy(p);
      return 0;
    }
    const ProgramKindRow &row = programKindRow(p.kind);
    if (row.decides)
      checkControl(p);
    if (row.a != ViewRole::None)
      add(p, p.a, row.a == ViewRole::Write, row.a == ViewRole::Promise ? &p.a : nullptr);
    if (row.b != ViewRole::None)
      add(p, p.b, true);
    add(p, p.offset, false);
    return 0;
  }
  void visitCopy(const ProgramNode &p) {
    if (viewCount(p.a) != viewCount(p.b))
      throw poplar::poplar_error(
          fmt::format("{} has a source of {} elements and a destination of {}: give both the same number of elements",
                      programLabel(p), viewCount(p.a), viewCount(p.b)));
    const bool here = p.kind == ProgramKind::Copy || graph_.replicationFactor == 1; // the copy stays within a replica
    add(p, p.a, false, here ? &p.b : nullptr);
    add(p, p.b, true, here ? &p.a : nullptr);
  }
  void checkControl(const ProgramNode &p) {
    if (viewCount(p.a) != 1)
      throw poplar::control_program_error(
          fmt::format("{} is controlled by a tensor of {} elements: it must have exactly 1; slice or reduce it first",
                      programLabel(p), viewCount(p.a)));
  }
  std::uint32_t call(const ProgramNode &p) {
    const FunctionId function = p.as<CallArguments>().function;
    POPSCOPE_CHECK(function.valid() && function.index() < graph_.functions.size(), "a Call of function {}",
                   function.index());
    const std::size_t f = function.index();
    if (caller_.valid())
      calls_[caller_.index()].push_back(&p);
    if (known_[f]) // a function that is being walked has depth 0 so far; checkRecursion refuses its recursion
      return depths_[f];
    known_[f] = true;
    uses.functions.push_back(function);
    std::unordered_map<const ProgramNode *, std::uint32_t> outer;
    outer.swap(seen_); // a program shared with the caller is walked again here; otherwise it could hide a recursion
    const FunctionId caller = std::exchange(caller_, function);
    depths_[f] = walk(graph_.functions[function].body);
    caller_ = caller;
    outer.swap(seen_);
    return depths_[f];
  }
  [[nodiscard]] std::string functionLabel(std::uint32_t f) const {
    return fmt::format("{} '{}'", f, graph_.functions[FunctionId(f)].name);
  }
  void add(const ProgramNode &p, const View &view, bool write, const View *other = nullptr) {
    if (viewCount(view) > 0)
      uses.views.push_back({&view, write, programLabel(p), other});
  }

  const GraphIr &graph_;
  std::vector<bool> known_;                             // functions that are or have been walked
  std::vector<std::uint32_t> depths_;                   // depths of functions that have been walked
  std::vector<std::vector<const ProgramNode *>> calls_; // per function: the Calls in its body
  FunctionId caller_;                                   // the function whose body is walked; invalid: a program's body
  std::unordered_map<const ProgramNode *, std::uint32_t>
      seen_;                // programs of the function being walked, with their depths; lookup only
  std::uint32_t above_ = 0; // number of programs around the program that is walked
};

} // namespace

// Walks both views together and cuts them at the borders of the runs of either view. Keeps the parts whose elements
// differ. Cost: linear in the runs of both views.
MovedParts movedParts(const View &from, const View &to) {
  MovedParts out;
  out.from.type = from.type;
  out.to.type = to.type;
  RunBuilder sources, targets;                   // a copy by element may have millions of runs, but few distances
  std::uint64_t moved = 0, atFrom = 0, atTo = 0; // positions in the current runs
  for (auto f = from.runs.begin(), t = to.runs.begin(); f != from.runs.end() && t != to.runs.end();) {
    const ViewRun a = *f, b = *t;
    const std::uint64_t count = std::min(a.count - atFrom, b.count - atTo);
    const auto part = [&](const ViewRun &run, std::uint64_t at) {
      return ViewRun{run.var, run.at(at), run.stride, count};
    };
    const ViewRun source = part(a, atFrom), target = part(b, atTo);
    if (count > 0 &&
        (source.var != target.var || source.begin != target.begin || (count > 1 && source.stride != target.stride))) {
      sources.append(source);
      targets.append(target);
      moved += count;
    }
    atFrom += count;
    atTo += count;
    if (atFrom == a.count) {
      atFrom = 0;
      ++f;
    }
    if (atTo == b.count) {
      atTo = 0;
      ++t;
    }
  }
  out.from.runs = sources.take();
  out.to.runs = targets.take();
  out.from.shape = out.to.shape = {moved};
  return out;
}

void straighten(const GraphIr &graph, View &whole, View &other) {
  const std::uint64_t count = viewCount(whole);
  if (whole.runs.numGroups() == 0 ||
      (whole.runs.numGroups() == 1 && whole.runs.isPlain(0) && whole.runs.firstRun(0).stride == 1) ||
      graph.vars[whole.runs.front().var].elements != count)
    return;
  const auto same = sameWalk(whole.runs, other.runs);
  if (!same || same->offset < 0)
    return;
  whole.runs = ViewRun(whole.runs.front().var, 0, 1, count);
  other.runs = ViewRun(same->var, static_cast<std::uint64_t>(same->offset), 1, count);
  whole.shape = other.shape = {count};
}

GraphUses collectUses(const GraphIr &graph, const std::vector<ProgramPtr> &programs) {
  UseWalk walk(graph);
  for (const ProgramPtr &program : programs)
    walk.walk(program);
  walk.checkRecursion();
  for (const HostAccess &access : graph.hostWrites)
    if (viewCount(access.view) > 0)
      walk.uses.views.push_back({&access.view, true, fmt::format("host write '{}'", access.handle), nullptr});
  for (const HostAccess &access : graph.hostReads)
    if (viewCount(access.view) > 0)
      walk.uses.views.push_back({&access.view, false, fmt::format("host read '{}'", access.handle), nullptr});
  auto &sets = walk.uses.computeSets;
  std::vector<std::uint8_t> seen(graph.computeSets.size(), 0);
  for (const ComputeSetId cs : sets)
    if (std::exchange(seen[cs.index()], std::uint8_t(1)) == 0)
      walk.uses.firstExecutes.push_back(cs);
  sets = walk.uses.firstExecutes;
  std::sort(sets.begin(), sets.end());
  return std::move(walk.uses);
}

} // namespace popscope
