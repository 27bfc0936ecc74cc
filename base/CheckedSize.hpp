// CheckedSize: sizes as users give them. The one checked product and the one checked range: whatever multiplies sizes
// of shapes, rows, replicas and elements, or takes begin and end of host memory, asks here, so that nothing wraps
// later.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace popscope {

/// Elements that one tensor, stream, remote buffer or field has at most. Below it, bytes of elements stay below 2^51
/// and positions below 2^63, so that one such number times the size of an element or the number of replicas does not
/// wrap.
constexpr std::uint64_t kMostElements = std::uint64_t(1) << 48;
/// Bytes of contents (a constant's, initial values, the state of a vertex) that the host holds for one object at most:
/// more have no address on a tile either.
constexpr std::uint64_t kMostContentBytes = std::uint64_t(1) << 32;
/// Groups of runs of which a view consists at most, and runs that are listed one by one.
constexpr std::uint64_t kMostRuns = std::uint64_t(1) << 26;
/// Programs inside programs, from the outermost to the innermost, calls of functions included.
constexpr std::uint32_t kMostNesting = 1000;

/// a * b; nothing where that passes 64 bits.
[[nodiscard]] std::optional<std::uint64_t> checkedProduct(std::uint64_t a, std::uint64_t b);

/// Elements of a shape; nothing where its dimensions, those of 0 apart, make more than kMostElements.
[[nodiscard]] std::optional<std::uint64_t> checkedElements(const std::vector<std::size_t> &shape);

/// Bytes of host memory from begin to end; nothing where end lies before begin or one of the two alone is null.
[[nodiscard]] std::optional<std::size_t> checkedRange(const void *begin, const void *end);

} // namespace popscope
