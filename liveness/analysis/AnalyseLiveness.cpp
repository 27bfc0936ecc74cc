#include "liveness/analysis/AnalyseLiveness.hpp"

#include "base/Log.hpp"
#include "base/Parallel.hpp"
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/CollectAccesses.hpp"
#include "liveness/analysis/ExploreVariable.hpp"
#include "liveness/analysis/FindHomeLives.hpp"
#include "liveness/analysis/PassFunctions.hpp"
#include "liveness/analysis/ShareLives.hpp"
#include "liveness/analysis/WalkRegions.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace popscope {
namespace {

using Intervals = std::vector<StepInterval>;

std::uint64_t countSteps(const Intervals &intervals) {
  std::uint64_t steps = 0;
  for (const StepInterval &i : intervals)
    steps += i.end.index() - i.begin.index();
  return steps;
}

bool covers(const Intervals &intervals, const Intervals &parts) {
  std::size_t at = 0;
  for (const StepInterval &part : parts) {
    while (at < intervals.size() && intervals[at].end < part.end)
      ++at;
    if (at == intervals.size() || part.begin < intervals[at].begin)
      return false;
  }
  return true;
}

// The tables of the whole program, which every worker reads.
struct Whole {
  Whole(const StepProgram &p, Threads allowed) : program(p), threads(allowed) {
    AccessCollector collector(p, threads, AccessCollector::Facts::Yes);
    parallelFor(threads, 1 + collector.numLanes(), [&](std::size_t part) {
      if (part == 0)
        flow = buildFlowGraph(p);
      else
        collector.count(part - 1);
    });
    table = collector.collect();
    facts = collector.takeFacts();
    passes = std::make_unique<FunctionPasses>(flow);
  }
  const StepProgram &program;
  Threads threads;
  FlowGraph flow;
  std::vector<VariableFacts> facts;
  AccessTable table;
  std::unique_ptr<FunctionPasses> passes;
};

// A variable that lives across calls. completePending() completes the lives of several such variables together.
struct Pending {
  std::uint32_t variable; // counted within its task
  Intervals accessed;
  bool everRead;
};
struct Task {
  TaskLives lives;
  std::vector<Pending> pending;
  std::vector<PassingLife> passing; // one for each pending variable
};

// Finds the lives of the variables of a task, one variable after the other.
class Worker {
public:
  explicit Worker(const Whole &whole)
      : w_(whole), context_{whole.program, whole.table, whole.flow.steps}, walker_(whole.flow) {}

  void run(Task &task, std::size_t begin, std::size_t end) {
    task.lives = TaskLives(static_cast<std::uint32_t>(w_.program.steps.size()));
    task.lives.variables.reserve(end - begin);
    task.lives.sets.reserve(end - begin);
    task.lives.intervals.reserve(2 * (end - begin));
    for (std::size_t v = begin; v < end; ++v)
      analyse(task, static_cast<std::uint32_t>(v));
  }

  void store(TaskLives &out, std::uint32_t at, const VariableFacts &facts, const Intervals &live,
             const Intervals &accessed, bool everRead) {
    TaskLives::Variable &variable = out.variables[at];
    if (!facts.neverAlways && (facts.alwaysLive || (!live.empty() && countSteps(live) == w_.flow.reachableSteps))) {
      variable = {everRead ? TaskLives::kWhole : TaskLives::kEmpty, TaskLives::kWhole, true};
      return;
    }
    variable.live = out.add(live.data(), static_cast<std::uint32_t>(live.size()));
    variable.occupied = covers(live, accessed) ? variable.live : addOccupied(out, live, accessed);
    variable.always = false;
  }

private:
  void analyse(Task &task, std::uint32_t v) {
    const AccessTable::Entry *begin = w_.table.entries.get() + w_.table.first[v],
                             *end = w_.table.entries.get() + w_.table.first[v + 1];
    const VariableFacts &facts = w_.facts[v];
    const auto at = static_cast<std::uint32_t>(task.lives.variables.size());
    const bool usual = walker_.walkStraight(begin, end);
    if (usual && isPlain(walker_.lives(), begin, end, facts)) {
      const std::uint32_t set = task.lives.add(walker_.lives().data(), 1);
      task.lives.variables.push_back({set, set, false});
      return;
    }
    task.lives.variables.push_back({TaskLives::kEmpty, TaskLives::kEmpty, false});
    if (usual) {
      const Intervals &live = walker_.lives();
      listSources(begin, end);
      return store(task.lives, at, facts, live, accesses_.accessed, !live.empty());
    }
    interpretAccesses(context_, VarId(v), accesses_);
    std::vector<CallRange> passed;
    const bool regular = walker_.walk(accesses_.events);
    if (!regular)
      explorer().walk(accesses_.events);
    const Intervals &live = regular ? walker_.lives() : explorer().lives();
    if (!w_.flow.calls.empty())
      passed = regular ? w_.passes->callsWithin(live) : explorer().passed();
    if (passed.empty())
      return store(task.lives, at, facts, live, accesses_.accessed, accesses_.everRead);
    task.pending.push_back({at, accesses_.accessed, accesses_.everRead});
    task.passing.push_back({std::move(passed), live});
  }

  // Returns whether the variable is not always live and one interval holds all its accesses.
  [[nodiscard]] bool isPlain(const Intervals &live, const AccessTable::Entry *begin, const AccessTable::Entry *end,
                             const VariableFacts &facts) const {
    return live.size() == 1 && begin->step() >= live[0].begin.index() && (end - 1)->step() < live[0].end.index() &&
           !facts.alwaysLive && live[0].end.index() - live[0].begin.index() < w_.flow.reachableSteps;
  }

  // Lists each source as the interval from its first to its last read or write.
  void listSources(const AccessTable::Entry *begin, const AccessTable::Entry *end) {
    accesses_.accessed.clear();
    for (const AccessTable::Entry *e = begin; e != end; ++e)
      if (!e->undefines())
        addAccessed(w_.flow.steps, e->step(), accesses_.accessed);
  }

  // Adds the union of two ascending lists of intervals as a set, and returns the number of this set.
  std::uint32_t addOccupied(TaskLives &out, const Intervals &live, const Intervals &accessed) {
    const std::size_t both = live.size() + accessed.size();
    Intervals &occupied = occupied_;
    occupied.clear();
    for (std::size_t l = 0, a = 0; l + a < both;) {
      const bool takesLive = a == accessed.size() || (l < live.size() && live[l].begin < accessed[a].begin);
      const StepInterval &next = takesLive ? live[l++] : accessed[a++];
      if (!occupied.empty() && next.begin <= occupied.back().end)
        occupied.back().end = std::max(occupied.back().end, next.end);
      else
        occupied.push_back(next);
    }
    return out.add(occupied.data(), static_cast<std::uint32_t>(occupied.size()));
  }

  VariableExplorer &explorer() { // built at its first use, because few programs need an explorer
    if (!explorer_)
      explorer_ = std::make_unique<VariableExplorer>(w_.flow);
    return *explorer_;
  }

  const Whole &w_;
  AccessContext context_;
  RegionWalker walker_;
  std::unique_ptr<VariableExplorer> explorer_;
  VariableAccesses accesses_;
  Intervals occupied_; // scratch memory of addOccupied
};

// Completes the variables that live across calls, of all tasks. FunctionPasses completes kTogether of them at a time.
void completePending(const Whole &whole, std::vector<Task> &tasks) {
  std::vector<PassingLife> all;
  std::vector<std::size_t> firstOfTask;
  for (Task &task : tasks) {
    firstOfTask.push_back(all.size());
    std::move(task.passing.begin(), task.passing.end(), std::back_inserter(all));
  }
  if (all.empty())
    return;
  parallelFor(
      whole.threads, (all.size() + FunctionPasses::kTogether - 1) / FunctionPasses::kTogether, [&](std::size_t i) {
        const std::size_t begin = i * FunctionPasses::kTogether;
        whole.passes->complete(std::span(all).subspan(begin, std::min(FunctionPasses::kTogether, all.size() - begin)));
      });
  parallelRanges(whole.threads, tasks.size(), 1, [&](std::size_t begin, std::size_t end) {
    Worker worker(whole);
    for (std::size_t t = begin; t < end; ++t)
      for (std::size_t i = 0; i < tasks[t].pending.size(); ++i) {
        Pending &p = tasks[t].pending[i];
        worker.store(tasks[t].lives, p.variable, whole.facts[t * TaskLives::kVariables + p.variable],
                     all[firstOfTask[t] + i].lives, p.accessed, p.everRead);
      }
  });
}

// Sums up live bytes per step. Each variable adds its bytes where an interval begins, and subtracts them where the
// interval ends. Each lane sums up the variables of some tasks; at the end, the sums of the lanes are added.
class LiveBytes {
public:
  LiveBytes(const Whole &whole, const std::vector<TaskLives> &tasks)
      : lanes_(std::clamp<std::size_t>(tasks.size(), 1, whole.threads.count())), numSteps_(whole.program.steps.size()) {
    parallelFor(whole.threads, lanes_.size(), [&](std::size_t l) {
      lanes_[l].change.assign(numSteps_ + 1, 0);
      for (std::size_t t = tasks.size() * l / lanes_.size(); t < tasks.size() * (l + 1) / lanes_.size(); ++t)
        addTask(lanes_[l], tasks[t], whole.facts.data() + t * TaskLives::kVariables);
    });
  }

  void sumInto(LiveRanges &ranges) const {
    std::int64_t live = 0;
    ranges.liveBytes.reserve(numSteps_);
    for (std::size_t s = 0; s < numSteps_; ++s) {
      for (const Lane &lane : lanes_)
        live += lane.change[s];
      ranges.liveBytes.emplace_back(static_cast<std::uint64_t>(live));
    }
    for (const Lane &lane : lanes_)
      ranges.alwaysLiveBytes += lane.always;
  }

private:
  struct Lane {
    std::vector<std::int64_t> change; // per step
    Bytes always;
  };
  static void addTask(Lane &lane, const TaskLives &task, const VariableFacts *facts) {
    for (std::size_t v = 0; v < task.variables.size(); ++v) {
      const TaskLives::Variable &variable = task.variables[v];
      const auto bytes = static_cast<std::int64_t>(facts[v].bytes.count());
      if (variable.always) {
        lane.always += facts[v].bytes;
      } else if (variable.live == TaskLives::kWhole) {
        lane.change[0] += bytes;
      } else if (variable.live != TaskLives::kEmpty) {
        const TaskLives::Set &set = task.sets[variable.live];
        for (std::uint32_t i = set.first; i < set.first + set.count; ++i) {
          lane.change[task.intervals[i].begin.index()] += bytes;
          lane.change[task.intervals[i].end.index()] -= bytes;
        }
      }
    }
  }

  std::vector<Lane> lanes_;
  std::size_t numSteps_;
};

} // namespace

// Analyses tasks of TaskLives::kVariables variables in parallel, each task with its own sets. completePending() then
// completes the variables that live across calls, many at a time. Last, shareLives() makes one class of equal sets.
LiveRanges analyseLiveness(const StepProgram &program, Threads threads) {
  const Whole whole(program, threads);
  const std::size_t numVars = program.vars.size();
  std::vector<Task> tasks((numVars + TaskLives::kVariables - 1) / TaskLives::kVariables);
  parallelRanges(whole.threads, tasks.size(), 1, [&](std::size_t begin, std::size_t end) {
    Worker worker(whole);
    for (std::size_t t = begin; t < end; ++t)
      worker.run(tasks[t], t * TaskLives::kVariables, std::min<std::size_t>((t + 1) * TaskLives::kVariables, numVars));
  });
  completePending(whole, tasks);
  std::vector<TaskLives> lives;
  lives.reserve(tasks.size());
  for (Task &task : tasks)
    lives.push_back(std::move(task.lives));
  LiveRanges ranges;
  const LiveBytes bytes(whole, lives);
  shareLives(
      lives, static_cast<std::uint32_t>(program.steps.size()), [&] { bytes.sumInto(ranges); }, threads, ranges);
  findHomeLives({program, whole.table, whole.flow.steps}, whole.flow, threads, ranges);
  const LogChannel log("liveness");
  if (log.shows(LogLevel::Info)) {
    const auto always = std::count_if(ranges.always.begin(), ranges.always.end(), [](auto flag) { return flag != 0; });
    const auto peak = std::max_element(ranges.liveBytes.begin(), ranges.liveBytes.end());
    log.info(
        "{} variables over {} steps and {} functions: {} always live with {} bytes, at most {} bytes more in step {}",
        numVars, program.steps.size(), program.functions.size(), always, ranges.alwaysLiveBytes.count(),
        peak == ranges.liveBytes.end() ? 0 : peak->count(), peak - ranges.liveBytes.begin());
  }
  for (std::size_t s = 0; log.shows(LogLevel::Debug) && s != program.steps.size(); ++s)
    log.debug("step {} {} \"{}\": {} bytes live", s, stepKindName(program.steps.raw()[s].kind),
              program.names[program.steps.raw()[s].name], ranges.liveBytes[s].count());
  return ranges;
}

} // namespace popscope
