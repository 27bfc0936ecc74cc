// First fit in space and time: the lowest address at which an item meets nothing that exists while it does.
//
// Time is cut into slots a few lives long, so that an item falls into one or two of them; each slot keeps its entries
// in ascending addresses, their times relative to the slot in 16 bits, and sorts out 64 entries at once (MeetingMask).
// A query needs no merging of slots: the address only grows, so each slot is walked once with a cursor until no slot
// raises it any more. Cost: entries below the answer in the slots of the item, 64 of them about as much as one that
// meets the item. Nothing leaves the heap, so that an item of the same bytes and times as one before fits nowhere below
// that one's address: many that exist together are asked for with one pass over what lies below them, not with one
// each.
#pragma once
#include "liveness/layout/PackProblem.hpp"

#include <array>

namespace popscope {

class FirstFitHeap {
public:
  /// Slots with room for the items `inserted` of `problem`. Keeps no reference to them.
  FirstFitHeap(const PackProblem &problem, std::span<const std::uint32_t> inserted);

  /// The lowest multiple of `alignment`, at least `from`, where [it, it + bytes) is free during all of `spans`, which
  /// are spans of the problem.
  std::uint64_t lowest(std::span<const PackSpan> spans, std::uint64_t bytes, std::uint64_t alignment,
                       std::uint64_t from);
  /// Items named in the constructor, each at most once.
  void insert(std::span<const PackSpan> spans, std::uint64_t at, std::uint64_t bytes);

private:
  struct Place {
    std::uint64_t at, end;
  };
  struct Slot {
    std::uint32_t first, last; // in begins_, ends_, places_
    bool reaches = false;      // reach_ is kept
  };
  /// A question, and the answer to it.
  struct Asked {
    PackSpan span{0, 0};
    std::uint64_t bytes = 0, alignment = 1, from = 0, at = 0;
  };
  struct Cursor {
    std::uint32_t base = 0, next = 0, last = 0; // mask is of [base, base + 64); next: the first entry not looked at
    std::int16_t begin = 0, end = 0;
    std::uint64_t mask = 0; // entries that meet the item and were not passed yet
  };
  template <class RoundUp> std::uint64_t climb(std::uint64_t bytes, std::uint64_t at, RoundUp roundUp);
  template <class RoundUp>
  std::uint64_t pass(Cursor &cursor, std::uint64_t bytes, std::uint64_t at, RoundUp roundUp) const;
  std::uint32_t chooseSlots(const PackProblem &problem, std::span<const std::uint32_t> inserted);
  void rankTimes(const PackProblem &problem);
  [[nodiscard]] Asked &lastLike(PackSpan span, std::uint64_t bytes, std::uint64_t from);
  [[nodiscard]] Cursor cursorAt(Slot &slot, std::int16_t begin, std::int16_t end, std::uint64_t at);
  void keepReach(Slot &slot);
  [[nodiscard]] PackSpan mapped(PackSpan span) const;
  [[nodiscard]] std::int16_t inSlot(std::uint32_t time, std::uint32_t slot) const;

  std::vector<std::uint32_t> ranked_; // distinct times, ascending, where their ranks stand for them; else empty
  std::uint32_t firstTime_ = 0;
  unsigned shift_ = 0; // a slot is 2^shift_ times long, at most 2^15
  std::vector<Slot> slots_;
  std::vector<std::int16_t> begins_,
      ends_; // relative to the slot; slots start at multiples of 64, the rest never meets
  std::vector<Place> places_;
  std::vector<std::uint64_t> reach_; // the highest end of an entry and of those before it, in slots that need it
  std::array<Asked, 64> asked_;      // by a hash
  std::vector<Cursor> cursors_;
};

/// Places the items in `order`, each by first fit from address 0. An item that never exists gets address 0.
std::vector<std::uint64_t> firstFit(const PackProblem &problem, std::span<const std::uint32_t> order);

} // namespace popscope
