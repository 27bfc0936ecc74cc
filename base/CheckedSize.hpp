// CheckedSize: checks sizes that come from users, so that no later computation overflows. This header declares the
// arithmetic of these checks, and the limits that several modules share. Code that multiplies sizes of shapes, rows,
// replicas or elements uses checkedProduct or checkedElements. Code that takes a range of host memory uses
// checkedRange.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace popscope {

/// Maximum number of elements of one tensor, of one stream, and of all rows of one remote buffer together. An element
/// has at most 8 bytes, so kMaxElements elements have at most 2^51 bytes. For up to 4,096 replicas, the sum of these
/// bytes is at most 2^63, and does not overflow 64 bits.
constexpr std::uint64_t kMaxElements = std::uint64_t(1) << 48;
/// Maximum size in bytes of contents that the host stores for one object. An object is a constant, the initial values
/// of a variable, a vector in the state of a vertex, or an argument of a host function. The limit refuses a mistaken
/// size before the host allocates memory.
constexpr std::uint64_t kMaxContentBytes = std::uint64_t(1) << 32;
/// Maximum number of groups of view runs in one view. The same number limits the view runs of a view whose runs are
/// listed one by one.
constexpr std::uint64_t kMaxRuns = std::uint64_t(1) << 26;
/// Maximum nesting depth of programs (including calls of functions). Written profile values have the same maximum
/// depth.
constexpr std::uint32_t kMaxNesting = 1000;

/// Returns a * b, or no value if the product exceeds 64 bits.
[[nodiscard]] std::optional<std::uint64_t> checkedProduct(std::uint64_t a, std::uint64_t b);

/// Returns the number of elements of a shape, or no value if the product of its nonzero dimensions exceeds
/// kMaxElements.
[[nodiscard]] std::optional<std::uint64_t> checkedElements(const std::vector<std::size_t> &shape);

/// Returns the number of bytes from begin to end, or no value if end is before begin or exactly one of the two pointers
/// is null.
[[nodiscard]] std::optional<std::size_t> checkedRange(const void *begin, const void *end);

} // namespace popscope
