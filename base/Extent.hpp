// The least and the most of many numbers, as tiles have them.
#pragma once
#include <cstdint>
#include <span>
#include <utility>

namespace popscope {

/// The least and the most; there is at least one.
[[nodiscard]] std::pair<std::uint64_t, std::uint64_t> extentOf(std::span<const std::uint64_t> numbers);
/// 0 of none.
[[nodiscard]] std::uint64_t mostOf(std::span<const std::uint64_t> numbers);
/// All bits, or none.
[[nodiscard]] inline std::uint64_t maskOf(bool is) { return -static_cast<std::uint64_t>(is); }

} // namespace popscope
