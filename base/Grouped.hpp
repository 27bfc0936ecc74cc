// Grouped: the items of a table by group, for example by tile. The items of one group are contiguous.
#pragma once
#include "base/LargePages.hpp"

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace popscope {

template <class Item> class Grouped {
public:
  Grouped() = default;
  /// Makes a table of `groups` groups. The constructor calls walk(use) twice: the first call counts the items, and the
  /// second call stores the items. Both times, walk(use) must call use(group, item) for every item, in the same order.
  /// The items of a group keep the order of these calls.
  template <class Walk> Grouped(std::size_t groups, const Walk &walk) : first_(groups + 1, 0) {
    walk([&](std::size_t group, const Item &) { ++first_[group + 1]; });
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    items_.resize(first_.back());
    std::vector<std::size_t> next = first_;
    walk([&](std::size_t group, const Item &item) { items_[next[group]++] = item; });
  }
  [[nodiscard]] std::span<const Item> operator[](std::size_t group) const {
    return {items_.data() + first_[group], first_[group + 1] - first_[group]};
  }
  [[nodiscard]] std::span<Item> operator[](std::size_t group) {
    return {items_.data() + first_[group], first_[group + 1] - first_[group]};
  }

private:
  std::vector<std::size_t> first_; // per group: the number of its first item; one more entry at the end
  LargeTable<Item> items_;
};

} // namespace popscope
