// The least and the most of many numbers, as tiles have them.
#pragma once
#include "base/Units.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace popscope {

/// The numbers of many quantities, where they are: for loops over all tiles, which compilers make wide of numbers only.
template <class Tag> [[nodiscard]] std::span<const std::uint64_t> numbersOf(std::span<const Quantity<Tag>> quantities) {
  static_assert(sizeof(Quantity<Tag>) == sizeof(std::uint64_t));
  return {reinterpret_cast<const std::uint64_t *>(quantities.data()), quantities.size()};
}
template <class Tag> [[nodiscard]] std::span<std::uint64_t> numbersIn(std::vector<Quantity<Tag>> &quantities) {
  static_assert(sizeof(Quantity<Tag>) == sizeof(std::uint64_t));
  return {reinterpret_cast<std::uint64_t *>(quantities.data()), quantities.size()};
}

/// The least and the most; there is at least one.
[[nodiscard]] std::pair<std::uint64_t, std::uint64_t> extentOf(std::span<const std::uint64_t> numbers);
/// 0 of none.
[[nodiscard]] std::uint64_t mostOf(std::span<const std::uint64_t> numbers);
template <class Tag>
[[nodiscard]] std::pair<Quantity<Tag>, Quantity<Tag>> extentOf(std::span<const Quantity<Tag>> quantities) {
  const auto [least, most] = extentOf(numbersOf(quantities));
  return {Quantity<Tag>(least), Quantity<Tag>(most)};
}
template <class Tag> [[nodiscard]] Quantity<Tag> mostOf(std::span<const Quantity<Tag>> quantities) {
  return Quantity<Tag>(mostOf(numbersOf(quantities)));
}
/// All bits, or none.
[[nodiscard]] inline std::uint64_t maskOf(bool is) { return -static_cast<std::uint64_t>(is); }

} // namespace popscope
