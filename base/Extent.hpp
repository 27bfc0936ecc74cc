// Minimum and maximum of many numbers, such as one number per tile.
#pragma once
#include "base/Units.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace popscope {

/// numbersOf() and numbersIn() return the numbers of quantities as plain integers, without a copy. Loops over all tiles
/// use these functions, because compilers vectorise only loops over plain numbers.
template <class Tag> [[nodiscard]] std::span<const std::uint64_t> numbersOf(std::span<const Quantity<Tag>> quantities) {
  static_assert(sizeof(Quantity<Tag>) == sizeof(std::uint64_t));
  return {reinterpret_cast<const std::uint64_t *>(quantities.data()), quantities.size()};
}
template <class Tag> [[nodiscard]] std::span<std::uint64_t> numbersIn(std::vector<Quantity<Tag>> &quantities) {
  static_assert(sizeof(Quantity<Tag>) == sizeof(std::uint64_t));
  return {reinterpret_cast<std::uint64_t *>(quantities.data()), quantities.size()};
}

/// Returns the minimum and the maximum of `numbers`, which must not be empty.
[[nodiscard]] std::pair<std::uint64_t, std::uint64_t> extentOf(std::span<const std::uint64_t> numbers);
/// Returns the maximum of `numbers`, or 0 if `numbers` is empty.
[[nodiscard]] std::uint64_t mostOf(std::span<const std::uint64_t> numbers);
template <class Tag>
[[nodiscard]] std::pair<Quantity<Tag>, Quantity<Tag>> extentOf(std::span<const Quantity<Tag>> quantities) {
  const auto [least, most] = extentOf(numbersOf(quantities));
  return {Quantity<Tag>(least), Quantity<Tag>(most)};
}
template <class Tag> [[nodiscard]] Quantity<Tag> mostOf(std::span<const Quantity<Tag>> quantities) {
  return Quantity<Tag>(mostOf(numbersOf(quantities)));
}
/// Returns a number with all bits set if `is` is true, and 0 otherwise.
[[nodiscard]] inline std::uint64_t maskOf(bool is) { return -static_cast<std::uint64_t>(is); }

} // namespace popscope
