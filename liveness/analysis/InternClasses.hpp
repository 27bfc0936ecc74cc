// Equal sets of live intervals are stored once, as classes.
#pragma once
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

/// A table of classes, numbered in the order in which new sets of intervals are interned. Open addressing: nothing is
/// allocated for a class but its row.
class ClassInterner {
public:
  using Intervals = std::vector<StepInterval>;
  /// `intervals` sorted, not touching. Returns the class's number.
  std::uint32_t intern(const StepInterval *intervals, std::uint32_t count) { return intern(intervals, count, hashOf(intervals, count)); }
  std::uint32_t intern(const Intervals &i) { return intern(i.data(), static_cast<std::uint32_t>(i.size())); }
  /// Interns every class of `other`, in its order; returns their numbers here.
  std::vector<std::uint32_t> merge(const ClassInterner &other);
  void reserve(std::size_t classes, std::size_t intervals);
  /// Hands the tables over; the interner is empty afterwards.
  void moveInto(LiveRanges &ranges);
  [[nodiscard]] std::size_t size() const { return classes_.size(); }
  [[nodiscard]] std::size_t numIntervals() const { return intervals_.size(); }

private:
  static std::uint64_t hashOf(const StepInterval *intervals, std::uint32_t count);
  std::uint32_t intern(const StepInterval *intervals, std::uint32_t count, std::uint64_t hash);
  void grow(std::size_t slots);

  std::vector<LiveClass> classes_;
  std::vector<StepInterval> intervals_;
  std::vector<std::uint64_t> hashes_;  // by class
  std::vector<std::uint32_t> slots_;   // class + 1, 0 = free; a power of two, at most half full
};

} // namespace popscope
