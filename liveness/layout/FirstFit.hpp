// First fit in space and time: finds the lowest address at which an item overlaps no item that exists at the same time.
//
// Problem: the obvious method sorts, for each query, all placed items that exist at the same time as the new item.
// Idea: time is divided into slots. A slot is a few times as long as a typical life, so that most items lie in one or
// two slots. Each slot keeps its entries in ascending order of addresses, with times relative to the slot in 16 bits,
// and MeetingMask tests 64 entries at once. A query reads the slots one after another and does not merge their entries.
// Each slot's cursor passes over the slot only once per query, because the candidate address of a query only grows. The
// query ends when no slot raises the candidate address.
//
// Invariant: no item ever leaves the heap. So an item with the same bytes, times and alignment as an earlier item never
// fits below the earlier item's address. A small cache of recent queries uses this fact. If several equal items follow
// each other, only the query for the first item passes over the entries below the item's address. Each later query
// starts at the address that the previous query found.
//
// Cost: a query takes time in proportion to the entries below the answer in the item's slots. A group of 64 entries
// that do not meet the item in time costs about as much as one entry that meets the item. An insertion moves the
// entries above the new item in each of the item's slots.
#pragma once
#include "liveness/layout/PackProblem.hpp"

#include <array>

namespace popscope {

/// The heap of placed items.
class FirstFitHeap {
public:
  /// Makes slots with capacity for some items of `problem`: `inserted` lists the indices of these items. Keeps no
  /// reference to the arguments.
  FirstFitHeap(const PackProblem &problem, std::span<const std::uint32_t> inserted);

  /// Returns the lowest multiple of `alignment`, at least `from`, at which `bytes` bytes are free during all of
  /// `spans`. The caller may pass only spans of items of the constructor's `problem`.
  std::uint64_t lowest(std::span<const PackSpan> spans, std::uint64_t bytes, std::uint64_t alignment,
                       std::uint64_t from);
  /// Inserts an item of `bytes` bytes at address `at`. The item must be in the constructor's `inserted`. Insert each
  /// item only once.
  void insert(std::span<const PackSpan> spans, std::uint64_t at, std::uint64_t bytes);

private:
  struct Place {
    std::uint64_t at, end;
  };
  struct Slot {
    std::uint32_t first, last; // range in begins_, ends_ and places_
    bool reaches = false;      // true: reach_ is valid for this slot's entries
  };
  /// A recent query and its answer.
  struct Asked {
    PackSpan span{0, 0};
    std::uint64_t bytes = 0, alignment = 1, from = 0, at = 0;
  };
  struct Cursor {
    std::uint32_t base = 0, next = 0, last = 0; // `mask` covers [base, base + 64); `next` is the first entry not
                                                // examined
    std::int16_t begin = 0, end = 0;
    std::uint64_t mask = 0; // bit k: entry base + k exists at the same time as the item, and the query has not yet
                            // passed this entry
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

  std::vector<std::uint32_t> ranked_; // the distinct times, ascending, if ranks replace times; otherwise empty
  std::uint32_t firstTime_ = 0;
  unsigned shift_ = 0; // a slot covers 2^shift_ times, at most 2^15
  std::vector<Slot> slots_;
  std::vector<std::int16_t> begins_,
      ends_; // times of the entries, relative to the slot; the index of a slot's first entry is a multiple of 64;
             // unused entries meet no item
  std::vector<Place> places_;
  std::vector<std::uint64_t> reach_; // per entry: the highest end of this entry and the earlier entries of the slot;
                                     // valid in slots with `reaches`
  std::array<Asked, 64> asked_;      // recent queries, by hash
  std::vector<Cursor> cursors_;
};

/// Returns the address of each item. Places the items whose indices are in `order`, one after another, in this order.
/// Each item gets the lowest address that first fit finds. An item that never exists gets address 0.
std::vector<std::uint64_t> firstFit(const PackProblem &problem, std::span<const std::uint32_t> order);

} // namespace popscope
