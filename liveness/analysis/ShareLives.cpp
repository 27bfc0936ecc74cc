#include "liveness/analysis/ShareLives.hpp"

#include "base/HashIndex.hpp"
#include "base/Parallel.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::uint32_t kRecent = 1024;
constexpr std::size_t kSetsPerPart = 4096, kMaxParts = 512; // the table of a part fits into the L2 cache

// Compares the sets of all tasks. The name of a set is task * kMaxSets + the number of the set in its task.
class Sharing {
public:
  Sharing(const std::vector<TaskLives> &tasks, std::uint32_t numSteps, Threads threads)
      : tasks_(tasks), numSteps_(numSteps), threads_(threads) {
    std::size_t sets = 0;
    for (const TaskLives &task : tasks)
      sets += task.sets.size();
    while (parts_ < kMaxParts && sets > parts_ * kSetsPerPart)
      parts_ *= 2;
    own_.resize(tasks.size());
  }

  void run(const std::function<void()> &beside, LiveRanges &ranges) {
    parallelFor(threads_, tasks_.size(), [&](std::size_t t) { spread(t); });
    parallelFor(threads_, parts_, [&](std::size_t part) { compare(part); });
    parallelFor(threads_, tasks_.size(), [&](std::size_t t) { number(static_cast<std::uint32_t>(t)); });
    std::uint32_t classes = 2, intervals = 1, variables = 0;
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      Own &own = own_[t];
      own.firstClass = std::exchange(classes, classes + own.classes);
      own.firstInterval = std::exchange(intervals, intervals + own.intervals);
      own.firstVariable = std::exchange(variables, variables + static_cast<std::uint32_t>(tasks_[t].variables.size()));
    }
    parallelFor(threads_, 4, [&](std::size_t part) { // clearing such large tables takes as long as filling them
      if (part == 0)
        beside();
      else if (part == 1)
        ranges.classes.resize(classes);
      else if (part == 2)
        ranges.intervals.resize(intervals);
      else
        resizeByVariable(variables, ranges);
    });
    ranges.classes[0] = {0, 0};
    ranges.classes[1] = {0, 1};
    ranges.intervals[0] = {StepIndex(0), StepIndex(numSteps_)};
    parallelFor(threads_, tasks_.size(), [&](std::size_t t) { store(static_cast<std::uint32_t>(t), ranges); });
  }

private:
  static constexpr std::uint32_t kNone = ~std::uint32_t(0);
  struct Item {
    std::uint32_t hash, set, first;
  };
  struct Own {
    std::vector<Item> byPart;
    std::vector<std::uint32_t> firstOfPart; // indices in byPart
    std::vector<std::uint32_t> first;       // per set: the name of the first equal set of all tasks; after store(): the
                                            // class
    std::vector<std::uint32_t> number;      // per set that is the first of its kind: its place among the task's classes
    std::uint32_t classes = 0, intervals = 0, firstClass = 0, firstInterval = 0, firstVariable = 0;
  };

  static void resizeByVariable(std::size_t variables, LiveRanges &ranges) {
    ranges.live.resize(variables);
    ranges.occupied.resize(variables);
    ranges.always.resize(variables);
  }
  [[nodiscard]] std::size_t partOf(std::uint64_t hash) const { return (hash >> 32U) & (parts_ - 1); }
  [[nodiscard]] const TaskLives::Set &set(std::uint32_t name) const {
    return tasks_[name / TaskLives::kMaxSets].sets[name % TaskLives::kMaxSets];
  }
  [[nodiscard]] const StepInterval *intervalsOf(std::uint32_t name) const {
    return tasks_[name / TaskLives::kMaxSets].intervals.data() + set(name).first;
  }

  void spread(std::size_t t) {
    const TaskLives &task = tasks_[t];
    Own &own = own_[t];
    own.firstOfPart.assign(parts_ + 1, 0);
    own.byPart.resize(task.sets.size());
    for (const TaskLives::Set &s : task.sets)
      ++own.firstOfPart[partOf(s.hash) + 1];
    for (std::size_t p = 0; p < parts_; ++p)
      own.firstOfPart[p + 1] += own.firstOfPart[p];
    std::vector<std::uint32_t> next(own.firstOfPart.begin(), own.firstOfPart.end() - 1);
    for (std::uint32_t s = 0; s < task.sets.size(); ++s)
      own.byPart[next[partOf(task.sets[s].hash)]++] = {static_cast<std::uint32_t>(task.sets[s].hash), s, kNone};
  }

  // Finds the first of equal sets in one part. Tasks come in order, so the first of equal sets is
  // always the set of the lowest task.
  void compare(std::size_t part) {
    std::size_t count = 0;
    for (const Own &own : own_)
      count += own.firstOfPart[part + 1] - own.firstOfPart[part];
    HashIndex firsts(2 * count);
    for (std::uint32_t t = 0; t < tasks_.size(); ++t)
      for (std::uint32_t i = own_[t].firstOfPart[part]; i < own_[t].firstOfPart[part + 1]; ++i) {
        Item &item = own_[t].byPart[i];
        item.first = firsts.numberOf(item.hash, t * TaskLives::kMaxSets + item.set,
                                     [&](std::uint32_t name) { return equal(name, t, item.set); });
      }
  }
  [[nodiscard]] bool equal(std::uint32_t name, std::uint32_t task, std::uint32_t s) const {
    const TaskLives::Set &other = set(name), &mine = tasks_[task].sets[s];
    return other.count == mine.count &&
           std::equal(intervalsOf(name), intervalsOf(name) + mine.count, tasks_[task].intervals.data() + mine.first);
  }

  // Numbers the sets of the task that are the first of their kind, in their order.
  void number(std::uint32_t t) {
    const std::vector<TaskLives::Set> &sets = tasks_[t].sets;
    Own &own = own_[t];
    own.first.resize(sets.size());
    own.number.resize(sets.size());
    for (const Item &item : own.byPart)
      own.first[item.set] = item.first;
    for (std::uint32_t s = 0; s < sets.size(); ++s) {
      const bool isFirst = own.first[s] == t * TaskLives::kMaxSets + s;
      own.number[s] = own.classes;
      own.classes += isFirst ? 1 : 0;
      own.intervals += isFirst ? sets[s].count : 0;
    }
  }

  void store(std::uint32_t t, LiveRanges &ranges) {
    const TaskLives &task = tasks_[t];
    Own &own = own_[t];
    std::uint32_t at = own.firstInterval;
    for (std::uint32_t s = 0; s < task.sets.size(); ++s) {
      const std::uint32_t first = own.first[s];
      const Own &owner = own_[first / TaskLives::kMaxSets];
      own.first[s] = owner.firstClass + owner.number[first % TaskLives::kMaxSets]; // from here on the class
      if (first != t * TaskLives::kMaxSets + s)
        continue;
      const TaskLives::Set &set = task.sets[s];
      ranges.classes[own.first[s]] = {at, set.count};
      for (std::uint32_t i = set.first; i < set.first + set.count; ++i) // the intervals are few, so a call of std::copy
                                                                        // would be slower
        ranges.intervals[at++] = task.intervals[i];
    }
    const auto classOf = [&](std::uint32_t s) {
      return LiveClassId(s < TaskLives::kWhole ? own.first[s] : s == TaskLives::kWhole ? 1 : 0);
    };
    for (std::size_t v = 0; v < task.variables.size(); ++v) {
      ranges.live.raw()[own.firstVariable + v] = classOf(task.variables[v].live);
      ranges.occupied.raw()[own.firstVariable + v] = classOf(task.variables[v].occupied);
      ranges.always.raw()[own.firstVariable + v] = task.variables[v].always;
    }
  }

  const std::vector<TaskLives> &tasks_;
  std::uint32_t numSteps_;
  Threads threads_;
  std::size_t parts_ = 1;
  std::vector<Own> own_;
};

} // namespace

std::uint64_t hashOf(std::span<const StepInterval> intervals) {
  std::uint64_t hash = intervals.size();
  for (const StepInterval &i : intervals)
    hash = mixHash(hash, std::uint64_t(i.begin.index()) << 32U | i.end.index());
  return hash;
}

TaskLives::TaskLives(std::uint32_t numSteps) : numSteps_(numSteps), recent_(kRecent) {}

std::uint32_t TaskLives::add(const StepInterval *from, std::uint32_t count) {
  if (count == 0)
    return kEmpty;
  if (count == 1 && from->begin.index() == 0 && from->end.index() == numSteps_)
    return kWhole;
  const std::uint64_t hash = hashOf({from, count});
  Recent &recent = recent_[hash % kRecent];
  const auto tag = static_cast<std::uint32_t>(hash >> 32U);
  if (recent.tag == tag && recent.set < sets.size()) {
    const Set &other = sets[recent.set];
    if (other.count == count && std::equal(from, from + count, intervals.data() + other.first))
      return recent.set;
  }
  recent = {tag, static_cast<std::uint32_t>(sets.size())};
  sets.push_back({static_cast<std::uint32_t>(intervals.size()), count, hash});
  for (std::uint32_t i = 0; i < count; ++i)
    intervals.push_back(from[i]);
  return recent.set;
}

void shareLives(const std::vector<TaskLives> &tasks, std::uint32_t numSteps, const std::function<void()> &beside,
                Threads threads, LiveRanges &ranges) {
  Sharing(tasks, numSteps, threads).run(beside, ranges);
}

} // namespace popscope
