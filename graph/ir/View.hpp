// View: a tensor as the graph has it: a shape over runs of variable elements.
//   t = v.reshape({2,3}).transpose()     shape {3,2}, runs (v,0,+3,2) (v,1,+3,2) (v,2,+3,2)
#pragma once
#include "base/ElementType.hpp"
#include "base/Ids.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
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
  bool ofWhole = false; // seen from the whole graph: a variable of a replicated graph stands for itself alone
  std::uint64_t begin = 0;
  std::int64_t stride = 1;
  std::uint64_t count = 0;
};

/// The runs of a view in row-major order, and the position at which each begins, so that a part of the view costs what
/// it touches. A single run, which most views are, lies in the object.
class ViewRuns {
public:
  ViewRuns() = default;
  ViewRuns(const ViewRun &one) : one_(one), isOne_(true) {} // NOLINT(google-explicit-constructor): a list of one
  ViewRuns(std::vector<ViewRun> runs);                      // NOLINT(google-explicit-constructor): the same list
  ViewRuns(std::initializer_list<ViewRun> runs) : ViewRuns(std::vector<ViewRun>(runs)) {}

  [[nodiscard]] const ViewRun *begin() const { return isOne_ ? &one_ : many_.data(); }
  [[nodiscard]] const ViewRun *end() const { return begin() + size(); }
  [[nodiscard]] std::size_t size() const { return isOne_ ? 1 : many_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] const ViewRun &operator[](std::size_t i) const { return begin()[i]; }
  [[nodiscard]] const ViewRun &front() const { return *begin(); }
  [[nodiscard]] std::uint64_t elements() const { return isOne_ ? one_.count : ends_.empty() ? 0 : ends_.back(); }
  /// Position in the view of the first element of run `i`; of all elements for i = size().
  [[nodiscard]] std::uint64_t startOf(std::size_t i) const { return i == 0 ? 0 : isOne_ ? one_.count : ends_[i - 1]; }
  /// The run that holds a position, which is below elements(). Costs the logarithm of the number of runs.
  [[nodiscard]] std::size_t runAt(std::uint64_t position) const;
  /// var = newVar(run) for each run.
  template <class F> void renameVars(const F &newVar) {
    if (isOne_)
      one_.var = newVar(std::as_const(one_));
    for (ViewRun &run : many_)
      run.var = newVar(std::as_const(run));
  }

private:
  ViewRun one_;
  bool isOne_ = false; // else they are in many_, which may be empty
  std::vector<ViewRun> many_;
  std::vector<std::uint64_t> ends_; // of many_, in the view
};

struct View {
  ElementType type = ElementType::Invalid;
  std::vector<std::size_t> shape;
  ViewRuns runs; // counts add up to the product of shape
  [[nodiscard]] std::uint64_t elements() const {
    std::uint64_t n = 1;
    for (const std::size_t d : shape)
      n *= d;
    return n;
  }
};

/// Runs that a view or a table holds, in order: a few words. Valid until what it was taken from changes; a single run
/// may lie in the object itself, so that iterators end with it, too.
class RunList {
public:
  RunList() = default;
  explicit RunList(const ViewRun &one) : one_(one), size_(1) {}
  RunList(const ViewRun *runs, std::size_t size) : runs_(runs), size_(size) {}
  RunList(const ViewRuns &runs) : RunList(runs.begin(), runs.size()) {} // NOLINT(google-explicit-constructor)
  RunList(const View &view) : RunList(view.runs) {}                     // NOLINT(google-explicit-constructor)

  [[nodiscard]] const ViewRun *begin() const { return runs_ != nullptr ? runs_ : &one_; }
  [[nodiscard]] const ViewRun *end() const { return begin() + size_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const ViewRun &operator[](std::size_t i) const { return begin()[i]; }
  [[nodiscard]] const ViewRun &front() const { return *begin(); }
  [[nodiscard]] std::uint64_t elements() const {
    std::uint64_t n = 0;
    for (const ViewRun &run : *this)
      n += run.count;
    return n;
  }

private:
  ViewRun one_;
  const ViewRun *runs_ = nullptr; // null: one_ alone, or none
  std::size_t size_ = 0;
};

} // namespace popscope
