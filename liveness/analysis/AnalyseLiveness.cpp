#include "liveness/analysis/AnalyseLiveness.hpp"

#include "base/Parallel.hpp"
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/CollectAccesses.hpp"
#include "liveness/analysis/ExploreVariable.hpp"
#include "liveness/analysis/InternClasses.hpp"

#include <utility>

namespace popscope {
namespace {

constexpr std::size_t kVariablesPerTask = 256; // a task owns one flag per block

struct VariableResult {
  std::vector<StepInterval> live, occupied;
  bool always = false, everRead = false;
};

std::uint64_t countSteps(const std::vector<StepInterval> &intervals) {
  std::uint64_t steps = 0;
  for (const StepInterval &i : intervals)
    steps += i.end.index() - i.begin.index();
  return steps;
}

// Constants and system data are never given up, whatever the steps say.
bool alwaysByNature(const StepVar &var) {
  return var.constant || var.category == StorageCategory::Constant || isSystemCategory(var.category);
}

VariableResult analyseVariable(const StepProgram &program, const AccessTable &table, const FlowGraph &flow, VarId var,
                               VariableExplorer &explorer) {
  VariableResult out;
  VariableAccesses accesses = interpretAccesses(program, table, var);
  out.everRead = accesses.everRead;
  out.live = explorer.explore(accesses.events);
  const StepVar &info = program.vars[var];
  const bool everywhere = flow.reachableSteps > 0 && countSteps(out.live) == flow.reachableSteps;
  out.always = info.category != StorageCategory::Rearrangement && (alwaysByNature(info) || everywhere);
  out.occupied = std::move(accesses.accessed);
  out.occupied.insert(out.occupied.end(), out.live.begin(), out.live.end());
  out.occupied = normaliseIntervals(std::move(out.occupied));
  return out;
}

std::vector<VariableResult> analyseVariables(const StepProgram &program) {
  const FlowGraph flow = buildFlowGraph(program);
  const AccessTable table = collectAccesses(program);
  std::vector<VariableResult> results(program.vars.size());
  parallelRanges(results.size(), kVariablesPerTask, [&](std::size_t begin, std::size_t end) {
    VariableExplorer explorer(flow);
    for (std::size_t v = begin; v < end; ++v)
      results[v] = analyseVariable(program, table, flow, program.vars.idAt(v), explorer);
  });
  return results;
}

Bytes variableBytes(const StepProgram &program, VarId var) {
  const StepVar &info = program.vars[var];
  std::uint64_t bytes = 0;
  for (std::uint32_t h = info.firstHome; h < info.firstHome + info.numHomes; ++h)
    bytes += program.homeBytes(HomeId(h));
  return Bytes(bytes);
}

// Each class adds its variables' bytes where an interval begins and takes them away where it ends.
void sumLiveBytes(const StepProgram &program, LiveRanges &ranges) {
  std::vector<Bytes> ofClass(ranges.classes.size());
  for (std::size_t v = 0; v < program.vars.size(); ++v) {
    const VarId var = program.vars.idAt(v);
    (ranges.always[var] ? ranges.alwaysLiveBytes : ofClass[ranges.live[var].index()]) += variableBytes(program, var);
  }
  std::vector<std::int64_t> change(program.steps.size() + 1, 0);
  for (std::size_t c = 0; c < ofClass.size(); ++c) {
    const LiveClass &k = ranges.classes[c];
    for (std::uint32_t i = k.firstInterval; i < k.firstInterval + k.numIntervals; ++i) {
      change[ranges.intervals[i].begin.index()] += static_cast<std::int64_t>(ofClass[c].count());
      change[ranges.intervals[i].end.index()] -= static_cast<std::int64_t>(ofClass[c].count());
    }
  }
  std::int64_t live = 0;
  for (std::size_t s = 0; s < program.steps.size(); ++s) {
    live += change[s];
    ranges.liveBytes.emplace_back(static_cast<std::uint64_t>(live));
  }
}

} // namespace

LiveRanges analyseLiveness(const StepProgram &program, const LivenessOptions &) {
  const std::vector<VariableResult> results = analyseVariables(program);
  LiveRanges ranges;
  ClassInterner interner(ranges, static_cast<std::uint32_t>(program.steps.size()));
  const LiveClassId empty(0), whole(1);
  for (const VariableResult &r : results) {
    const LiveClassId live = r.always ? (r.everRead ? whole : empty) : interner.intern(r.live);
    ranges.live.push(live);
    ranges.occupied.push(r.always ? whole : interner.intern(r.occupied));
    ranges.always.push(r.always);
  }
  sumLiveBytes(program, ranges);
  return ranges;
}

} // namespace popscope
