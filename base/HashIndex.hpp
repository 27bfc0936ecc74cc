// HashIndex: finds the rows of a table by hash. The caller keeps the table; the index stores only row numbers and parts
// of the hashes, in 16 to 32 bytes per row. UniqueRows is an index of a table in which all rows differ.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace popscope {

/// Returns a hash that combines `hash` and one more number.
inline std::uint64_t mixHash(std::uint64_t hash, std::uint64_t number) {
  hash = (hash ^ number) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

class HashIndex {
public:
  HashIndex() = default;
  /// Makes an index with capacity for `rows` rows.
  explicit HashIndex(std::size_t rows) : slots_(std::bit_ceil(2 * rows + 2)) {}
  /// Returns the number of the row that has this hash and for which same(number) returns true. If the index has no such
  /// row, adds the row number `next` with this hash, and returns `next`.
  template <class Same> std::uint32_t numberOf(std::uint64_t hash, std::uint32_t next, const Same &same) {
    if (2 * (used_ + 1) > slots_.size())
      grow();
    const std::uint32_t tag = tagOf(hash);
    for (std::size_t at = tag & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot &slot = slots_[at];
      if (slot.number == kFree) {
        slot = {tag, next};
        ++used_;
        return next;
      }
      if (slot.tag == tag && same(slot.number))
        return slot.number;
    }
  }

private:
  static constexpr std::uint32_t kFree = ~std::uint32_t(0);
  struct Slot {
    std::uint32_t tag = 0, number = kFree;
  };
  static std::uint32_t tagOf(std::uint64_t hash) { return static_cast<std::uint32_t>(mixHash(hash, 0) >> 32); }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot &slot : old)
      if (slot.number != kFree) {
        std::size_t at = slot.tag & (slots_.size() - 1);
        while (slots_[at].number != kFree)
          at = (at + 1) & (slots_.size() - 1);
        slots_[at] = slot;
      }
  }

  std::vector<Slot> slots_; // the size is a power of two
  std::size_t used_ = 0;
};

/// Finds or adds rows of a table. Equal rows get the same number.
template <class Row, auto hashOf> class UniqueRows {
public:
  /// Creates an object that adds rows to `rows`. All rows of `rows` must differ. `rows` must outlive the object.
  explicit UniqueRows(std::vector<Row> &rows) : rows_(rows) {
    for (std::uint32_t i = 0; i < rows.size(); ++i)
      index_.numberOf(hashOf(rows[i]), i, [](std::uint32_t) { return false; });
  }
  /// Returns the number of the table's row that is equal to `row`. If no row of the table is equal to `row`, adds `row`
  /// to the table.
  std::uint32_t numberOf(const Row &row) {
    const auto next = static_cast<std::uint32_t>(rows_.size());
    const std::uint32_t number =
        index_.numberOf(hashOf(row), next, [&](std::uint32_t known) { return rows_[known] == row; });
    if (number == next)
      rows_.push_back(row);
    return number;
  }

private:
  std::vector<Row> &rows_;
  HashIndex index_;
};

} // namespace popscope
