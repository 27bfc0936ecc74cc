// First fit in space and time: the lowest address at which an item meets nothing that exists while it does.
//
// Time is cut into slots about as long as an item lives, so that an item falls into two or three of them; each slot keeps
// its entries in ascending addresses. A query needs no merging of slots: the address only grows, so each slot is walked
// once with a cursor until no slot raises it any more. Cost: entries below the answer in the slots of the item.
#pragma once
#include "liveness/layout/PackProblem.hpp"

namespace popscope {

class FirstFitHeap {
public:
  /// Slots for the items of `problem`. Keeps no reference to it.
  explicit FirstFitHeap(const PackProblem &problem);

  /// The lowest multiple of `alignment`, at least `from`, where [it, it + bytes) is free during all of `spans`.
  std::uint64_t lowest(std::span<const PackSpan> spans, std::uint64_t bytes, std::uint64_t alignment,
                       std::uint64_t from);
  void insert(std::span<const PackSpan> spans, std::uint64_t at, std::uint64_t bytes);

private:
  struct Entry {
    std::uint64_t at, end;
    std::uint32_t firstTime, lastTime; // [firstTime, lastTime)
  };
  struct Cursor {
    const Entry *next, *last;
    PackSpan span;
  };
  template <class RoundUp> std::uint64_t climb(std::uint64_t bytes, std::uint64_t at, RoundUp roundUp);
  [[nodiscard]] std::uint32_t slotOf(std::uint32_t time) const {
    return static_cast<std::uint32_t>((std::uint64_t(time) - firstTime_) * slotsPerTime_ >> kShift);
  }
  static constexpr unsigned kShift = 31;
  std::uint32_t firstTime_ = 0;
  std::uint64_t slotsPerTime_ = 0; // in units of 2^-kShift
  std::vector<std::vector<Entry>> slots_;
  std::vector<Cursor> cursors_;
};

/// Places the items in `order`, each by first fit from address 0. An item that never exists gets address 0.
std::vector<std::uint64_t> firstFit(const PackProblem &problem, std::span<const std::uint32_t> order);
/// Largest first, then longest life, then earliest start, then index.
std::vector<std::uint32_t> decreasingSize(const PackProblem &problem);

} // namespace popscope
