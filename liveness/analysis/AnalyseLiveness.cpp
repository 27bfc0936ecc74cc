#include "liveness/analysis/AnalyseLiveness.hpp"

#include "base/Parallel.hpp"
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/CollectAccesses.hpp"
#include "liveness/analysis/ExploreVariable.hpp"
#include "liveness/analysis/InternClasses.hpp"

#include <algorithm>

namespace popscope {
namespace {

// A task owns one flag per block, and finds its own classes, which are then joined in the order of the tasks.
constexpr std::size_t kVariablesPerTask = 4096;

struct VariableResult {
  std::uint64_t bytes = 0;
  std::uint32_t live = 0, occupied = 0; // classes of the task
  bool always = false, everRead = false;
};
struct TaskResult {
  std::vector<VariableResult> variables;
  ClassInterner classes;
};

std::uint64_t countSteps(const std::vector<StepInterval> &intervals) {
  std::uint64_t steps = 0;
  for (const StepInterval &i : intervals)
    steps += i.end.index() - i.begin.index();
  return steps;
}

bool covers(const std::vector<StepInterval> &intervals, const std::vector<StepInterval> &parts) {
  std::size_t at = 0;
  for (const StepInterval &part : parts) {
    while (at < intervals.size() && intervals[at].end < part.end)
      ++at;
    if (at == intervals.size() || part.begin < intervals[at].begin)
      return false;
  }
  return true;
}

// Constants and system data are never given up, whatever the steps say.
bool alwaysByNature(const StepVar &var) {
  return var.constant || var.category == StorageCategory::Constant || isSystemCategory(var.category);
}

std::uint64_t bytesOf(const StepProgram &program, const StepVar &info) {
  std::uint64_t elements = 0;
  for (std::uint32_t h = info.firstHome; h < info.firstHome + info.numHomes; ++h)
    elements += program.homes.raw()[h].elements;
  return elements * elementBytes(info.type);
}

class TaskAnalysis {
public:
  TaskAnalysis(const StepProgram &program, const AccessTable &table, const FlowGraph &flow, TaskResult &out)
      : program_(program), table_(table), flow_(flow), explorer_(flow), out_(out) {}

  void analyse(VarId var) {
    interpretAccesses(program_, table_, var, accesses_);
    const std::vector<StepInterval> &live = explorer_.explore(accesses_.events);
    const StepVar &info = program_.vars[var];
    const bool everywhere = flow_.reachableSteps > 0 && !live.empty() && countSteps(live) == flow_.reachableSteps;
    VariableResult result;
    result.bytes = bytesOf(program_, info);
    result.everRead = accesses_.everRead;
    result.always = info.category != StorageCategory::Rearrangement && (alwaysByNature(info) || everywhere);
    if (!result.always) {
      result.live = out_.classes.intern(live);
      result.occupied = covers(live, accesses_.accessed) ? result.live : internOccupied(live);
    }
    out_.variables.push_back(result);
  }

private:
  std::uint32_t internOccupied(const std::vector<StepInterval> &live) {
    std::vector<StepInterval> &occupied = accesses_.accessed;
    const auto middle = static_cast<std::ptrdiff_t>(occupied.size());
    occupied.insert(occupied.end(), live.begin(), live.end());
    std::inplace_merge(occupied.begin(), occupied.begin() + middle, occupied.end(),
                       [](const StepInterval &a, const StepInterval &b) { return a.begin < b.begin; });
    normaliseIntervals(occupied);
    return out_.classes.intern(occupied);
  }

  const StepProgram &program_;
  const AccessTable &table_;
  const FlowGraph &flow_;
  VariableExplorer explorer_;
  VariableAccesses accesses_;
  TaskResult &out_;
};

std::vector<TaskResult> analyseVariables(const StepProgram &program) {
  const FlowGraph flow = buildFlowGraph(program);
  const AccessTable table = collectAccesses(program);
  const std::size_t numVars = program.vars.size();
  std::vector<TaskResult> tasks((numVars + kVariablesPerTask - 1) / kVariablesPerTask);
  parallelFor(tasks.size(), [&](std::size_t t) {
    const std::size_t begin = t * kVariablesPerTask, end = std::min(begin + kVariablesPerTask, numVars);
    tasks[t].variables.reserve(end - begin);
    tasks[t].classes.reserve(end - begin, end - begin);
    TaskAnalysis task(program, table, flow, tasks[t]);
    for (std::size_t v = begin; v < end; ++v)
      task.analyse(program.vars.idAt(v));
  });
  return tasks;
}

// Each class adds its variables' bytes where an interval begins and takes them away where it ends.
void sumLiveBytes(const StepProgram &program, const std::vector<std::uint64_t> &ofClass, LiveRanges &ranges) {
  std::vector<std::int64_t> change(program.steps.size() + 1, 0);
  for (std::size_t c = 0; c < ofClass.size(); ++c) {
    const LiveClass &k = ranges.classes[c];
    for (std::uint32_t i = k.firstInterval; i < k.firstInterval + k.numIntervals; ++i) {
      change[ranges.intervals[i].begin.index()] += static_cast<std::int64_t>(ofClass[c]);
      change[ranges.intervals[i].end.index()] -= static_cast<std::int64_t>(ofClass[c]);
    }
  }
  std::int64_t live = 0;
  ranges.liveBytes.reserve(program.steps.size());
  for (std::size_t s = 0; s < program.steps.size(); ++s) {
    live += change[s];
    ranges.liveBytes.emplace_back(static_cast<std::uint64_t>(live));
  }
}

} // namespace

LiveRanges analyseLiveness(const StepProgram &program, const LivenessOptions &) {
  const std::vector<TaskResult> tasks = analyseVariables(program);
  LiveRanges ranges;
  ClassInterner classes;
  std::size_t numClasses = 2, numIntervals = 1;
  for (const TaskResult &task : tasks) {
    numClasses += task.classes.size();
    numIntervals += task.classes.numIntervals();
  }
  classes.reserve(numClasses, numIntervals);
  const StepInterval whole{StepIndex(0), StepIndex(static_cast<std::uint32_t>(program.steps.size()))};
  classes.intern(nullptr, 0);
  classes.intern(&whole, 1);
  const LiveClassId kEmpty(0), kWhole(1);
  ranges.live.resize(program.vars.size());
  ranges.occupied.resize(program.vars.size());
  ranges.always.resize(program.vars.size());
  std::vector<std::uint64_t> bytesOfClass;
  bytesOfClass.reserve(numClasses);
  std::size_t v = 0;
  for (const TaskResult &task : tasks) {
    const std::vector<std::uint32_t> here = classes.merge(task.classes);
    bytesOfClass.resize(classes.size());
    for (const VariableResult &r : task.variables) {
      ranges.live.raw()[v] = r.always ? (r.everRead ? kWhole : kEmpty) : LiveClassId(here[r.live]);
      ranges.occupied.raw()[v] = r.always ? kWhole : LiveClassId(here[r.occupied]);
      ranges.always.raw()[v++] = r.always;
      if (r.always)
        ranges.alwaysLiveBytes += Bytes(r.bytes);
      else
        bytesOfClass[here[r.live]] += r.bytes;
    }
  }
  classes.moveInto(ranges);
  sumLiveBytes(program, bytesOfClass, ranges);
  return ranges;
}

} // namespace popscope
