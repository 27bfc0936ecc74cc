// View: the form in which the graph stores a tensor: a shape, and runs of elements of variables.
//   t = v.reshape({2,3}).transpose()     shape {3,2}, runs (v,0,+3,2) (v,1,+3,2) (v,2,+3,2)
// RunBuilder stores three or more consecutive runs as one group if the runs have the same variable, count and stride,
// and begin at equal distances. In the example, the group is {3 x +1} of (v,0,+3,2). A view of millions of regular
// elements therefore takes only a few numbers.
#pragma once
#include "base/ElementType.hpp"
#include "base/Ids.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace popscope {

using GraphVarId = Id<struct GraphVarIdTag>;

/// `count` elements of one variable: begin, begin + stride, ...; stride 0 repeats one element, -1 runs backwards.
struct ViewRun {
  ViewRun() = default;
  ViewRun(GraphVarId v, std::uint64_t first, std::int64_t step, std::uint64_t n, bool whole = false)
      : var(v), ofWhole(whole), begin(first), stride(step), count(n) {}
  GraphVarId var;
  bool ofWhole = false; // true: the run belongs to a view of the whole graph, so `var` stands for the variable of one
                        // replica, and not for the variables of all replicas
  std::uint64_t begin = 0;
  std::int64_t stride = 1;
  std::uint64_t count = 0;
  /// Returns the element at position `i` of the run.
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const { return begin + static_cast<std::uint64_t>(stride) * i; }
};

/// Calls use(begin, end) for each range of elements of the run, as long as use returns true. A run of stride 1 is one
/// range. Any other run has one range per element. If `once` is true, a run that repeats one element has only one
/// range. Returns whether every call returned true.
template <class Use> bool eachRange(const ViewRun &run, bool once, const Use &use) {
  if (run.stride == 1 || run.count <= 1)
    return use(run.begin, run.begin + run.count);
  const std::uint64_t ranges = once && run.stride == 0 ? 1 : run.count;
  for (std::uint64_t i = 0; i < ranges; ++i)
    if (!use(run.at(i), run.at(i) + 1))
      return false;
  return true;
}

/// A level of a RunGroup: `count` repetitions of a run or of an inner level. The repetitions begin `stride` elements
/// apart.
struct ViewLevel {
  std::uint64_t count = 1;
  std::int64_t stride = 0;
  friend bool operator==(const ViewLevel &, const ViewLevel &) = default;
};

/// Runs at equal distances. The group has one run for each combination of steps of the levels in `outer`, in row-major
/// order. The runs differ only in their first element.
struct RunGroup {
  static constexpr std::size_t kMaxLevels = 6;
  ViewRun run; // the first run of the group
  std::size_t numLevels = 0;
  std::array<ViewLevel, kMaxLevels> outer; // outermost first
  [[nodiscard]] std::uint64_t runs() const {
    std::uint64_t n = 1;
    for (std::size_t i = 0; i != numLevels; ++i)
      n *= outer[i].count;
    return n;
  }
  [[nodiscard]] std::uint64_t elements() const { return runs() * run.count; }
};

/// The runs of a view in row-major order, in groups of runs at equal distances. The table of groups also stores the
/// position at which each group ends. A reader therefore finds the group of a position by binary search. ViewRuns is a
/// value type: copies share the table of groups, which never changes. Most views have a single run, which lies in the
/// object itself.
class ViewRuns {
public:
  class iterator;

  ViewRuns() = default;
  ViewRuns(const ViewRun &one) : one_(one), isOne_(true) {} // NOLINT(google-explicit-constructor): a list of one run
  ViewRuns(const std::vector<ViewRun> &runs);               // NOLINT(google-explicit-constructor): a list of runs
  ViewRuns(std::initializer_list<ViewRun> runs) : ViewRuns(std::vector<ViewRun>(runs)) {}

  /// Returns an iterator over single runs. The iterator does not show to which group a run belongs.
  [[nodiscard]] iterator begin() const;
  [[nodiscard]] iterator end() const;
  /// Returns an iterator at run number `run` of a group.
  [[nodiscard]] iterator at(std::size_t group, std::uint64_t run) const;
  [[nodiscard]] bool empty() const { return !isOne_ && !many_; }
  [[nodiscard]] std::uint64_t size() const; // returns the number of runs; linear in the groups
  [[nodiscard]] const ViewRun &front() const { return isOne_ ? one_ : many_->groups.front().run; }
  [[nodiscard]] std::uint64_t elements() const { return isOne_ ? one_.count : many_ ? many_->ends.back() : 0; }

  [[nodiscard]] std::size_t numGroups() const { return isOne_ ? 1 : many_ ? many_->groups.size() : 0; }
  [[nodiscard]] bool isPlain(std::size_t group) const { return isOne_ || many_->groups[group].numLevels == 0; }
  /// Returns the first run of a group. A plain group has no other run.
  [[nodiscard]] const ViewRun &firstRun(std::size_t group) const { return isOne_ ? one_ : many_->groups[group].run; }
  [[nodiscard]] RunGroup group(std::size_t group) const;
  [[nodiscard]] std::uint64_t runsOf(std::size_t group) const;
  /// Returns the element of the variable at which run number `run` of a group begins.
  [[nodiscard]] std::uint64_t beginOf(std::size_t group, std::uint64_t run) const;
  /// Returns the view position at which a group begins. For group numGroups(), returns the number of elements.
  [[nodiscard]] std::uint64_t startOf(std::size_t group) const {
    return group == 0 ? 0 : isOne_ ? one_.count : many_->ends[group - 1];
  }
  /// Returns the group that contains `position`, which must be below elements(). Cost: logarithmic in the number of
  /// groups.
  [[nodiscard]] std::size_t groupAt(std::uint64_t position) const;
  /// Returns the bytes of the table of groups, without the object itself and without reserved capacity.
  [[nodiscard]] std::uint64_t tableBytes() const;

  /// Replaces the variable of each group by newVar(run), where `run` is the group's first run.
  template <class F> void renameVars(const F &newVar) {
    if (isOne_)
      one_.var = newVar(std::as_const(one_));
    if (!many_)
      return;
    auto renamed = std::make_shared<Table>(*many_);
    for (Group &group : renamed->groups)
      group.run.var = newVar(std::as_const(group.run));
    many_ = std::move(renamed);
  }

private:
  friend class RunBuilder;
  struct Group {
    ViewRun run;
    std::uint32_t firstLevel = 0, numLevels = 0; // range in Table::levels
  };
  struct Table {
    std::vector<Group> groups; // not empty
    std::vector<ViewLevel> levels;
    std::vector<std::uint64_t> ends; // position in the view at which each group ends
  };
  ViewRun one_;
  bool isOne_ = false; // true: one_ is the only run; false: many_ has the runs, or is null if there are none
  std::shared_ptr<const Table> many_;
};

/// An iterator over single runs. The reference to a run is valid until the iterator moves.
class ViewRuns::iterator {
public:
  using value_type = ViewRun;
  using reference = const ViewRun &;
  using pointer = const ViewRun *;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;

  iterator() = default;
  explicit iterator(const ViewRun *run) : plain_(run) {}
  iterator(const ViewRuns &runs, std::size_t group) : runs_(&runs), group_(group) { enter(); }
  iterator(const ViewRuns &runs, std::size_t group, std::uint64_t run) : iterator(runs, group) {
    run_ = run;
    current_.begin = runs.beginOf(group, run);
  }

  const ViewRun &operator*() const { return runs_ == nullptr ? *plain_ : current_; }
  const ViewRun *operator->() const { return &**this; }
  iterator &operator++() {
    if (runs_ == nullptr) {
      ++plain_;
    } else if (++run_ != size_) {
      current_.begin = runs_->beginOf(group_, run_);
    } else {
      ++group_;
      enter();
    }
    return *this;
  }
  bool operator==(const iterator &o) const { return plain_ == o.plain_ && group_ == o.group_ && run_ == o.run_; }

private:
  void enter() {
    run_ = 0;
    if (group_ == runs_->numGroups())
      return;
    current_ = runs_->firstRun(group_);
    size_ = runs_->isPlain(group_) ? 1 : runs_->runsOf(group_);
  }
  const ViewRun *plain_ = nullptr; // the current run of a list of plain runs, if runs_ is null
  const ViewRuns *runs_ = nullptr;
  std::size_t group_ = 0;
  std::uint64_t run_ = 0, size_ = 0; // number of the current run in its group; number of runs in that group
  ViewRun current_;
};
inline ViewRuns::iterator ViewRuns::begin() const { return isOne_ ? iterator(&one_) : iterator(*this, 0); }
inline ViewRuns::iterator ViewRuns::at(std::size_t group, std::uint64_t run) const {
  return isOne_ ? begin() : iterator(*this, group, run);
}
inline ViewRuns::iterator ViewRuns::end() const { return isOne_ ? iterator(&one_ + 1) : iterator(*this, numGroups()); }

struct View {
  ElementType type = ElementType::Invalid;
  std::vector<std::size_t> shape;
  ViewRuns runs; // the counts of the runs add up to the product of `shape`
  [[nodiscard]] std::uint64_t elements() const {
    std::uint64_t n = 1;
    for (const std::size_t d : shape)
      n *= d;
    return n;
  }
};

/// The runs of a view, or of a table of runs, in order. The object takes a few words of memory. A RunList is valid
/// until the view or table changes. Iterators are valid only while the RunList exists, because a single run may lie in
/// the RunList itself.
class RunList {
public:
  RunList() = default;
  explicit RunList(const ViewRun &one) : one_(one), size_(1) {}
  RunList(const ViewRun *runs, std::size_t size) : runs_(runs), size_(size) {}
  RunList(const ViewRuns &runs) : groups_(&runs) {} // NOLINT(google-explicit-constructor): the same runs
  RunList(const View &view) : RunList(view.runs) {} // NOLINT(google-explicit-constructor): the runs of the view

  [[nodiscard]] ViewRuns::iterator begin() const {
    return groups_ != nullptr ? groups_->begin() : ViewRuns::iterator(data());
  }
  [[nodiscard]] ViewRuns::iterator end() const {
    return groups_ != nullptr ? groups_->end() : ViewRuns::iterator(data() + size_);
  }
  [[nodiscard]] std::uint64_t size() const { return groups_ != nullptr ? groups_->size() : size_; }
  [[nodiscard]] bool empty() const { return groups_ != nullptr ? groups_->empty() : size_ == 0; }
  [[nodiscard]] const ViewRun &front() const { return groups_ != nullptr ? groups_->front() : *data(); }
  [[nodiscard]] std::uint64_t elements() const {
    if (groups_ != nullptr)
      return groups_->elements();
    std::uint64_t n = 0;
    for (std::size_t i = 0; i != size_; ++i)
      n += data()[i].count;
    return n;
  }
  /// Returns the groups of a view, or null for runs of a table.
  [[nodiscard]] const ViewRuns *groups() const { return groups_; }
  /// Returns a pointer to the runs, which are contiguous in memory. Call this function only if groups() returns null.
  [[nodiscard]] const ViewRun *data() const { return runs_ != nullptr ? runs_ : &one_; }

private:
  ViewRun one_;
  const ViewRun *runs_ = nullptr; // null: the list has groups_, has one_ as its only run, or has no run
  std::size_t size_ = 0;
  const ViewRuns *groups_ = nullptr;
};

} // namespace popscope
