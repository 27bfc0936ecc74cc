// CheckedSize: sizes from users. This header has the only checked product and the only checked range: all code that
// multiplies sizes of shapes, rows, replicas and elements, or takes the beginning and end of host memory, uses them, so
// that nothing wraps later.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace popscope {

/// Maximum number of elements of one tensor, stream, remote buffer or field. It keeps bytes of elements below 2^51 and
/// positions below 2^63, so that such a number times the size of an element or the number of replicas does not wrap.
constexpr std::uint64_t kMaxElements = std::uint64_t(1) << 48;
/// Maximum bytes of contents (a constant's, initial values, the state of a vertex) that the host holds for one object.
/// No tile has addresses for more.
constexpr std::uint64_t kMaxContentBytes = std::uint64_t(1) << 32;
/// Maximum number of groups of runs in a view, and of runs that are listed one by one.
constexpr std::uint64_t kMaxRuns = std::uint64_t(1) << 26;
/// Maximum nesting of programs, from the outermost to the innermost, with calls of functions.
constexpr std::uint32_t kMaxNesting = 1000;

/// Returns a * b, or nothing if it exceeds 64 bits.
[[nodiscard]] std::optional<std::uint64_t> checkedProduct(std::uint64_t a, std::uint64_t b);

/// Returns the elements of a shape, or nothing if its nonzero dimensions multiply to more than the maximum.
[[nodiscard]] std::optional<std::uint64_t> checkedElements(const std::vector<std::size_t> &shape);

/// Returns the bytes of host memory from begin to end, or nothing if end lies before begin or only one of them is null.
[[nodiscard]] std::optional<std::size_t> checkedRange(const void *begin, const void *end);

} // namespace popscope
