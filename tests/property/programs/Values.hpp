// Values of the naive interpreter: whole numbers below a modulus that the element type holds exactly, so that sums of
// two never round. An element whose value nothing defines (before its first write, after WriteUndef) is kUndefined, and
// so is every value computed from it. Such elements are not compared.
#pragma once
#include <poplar/Type.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace random_programs {

/// All 8-bit floats have format F143 and this scale: the value of a byte is its F143 value times 2^kQuarterScale.
constexpr int kQuarterScale = 2;
constexpr std::int64_t kUndefined = std::numeric_limits<std::int64_t>::min();

/// Converts a count to the type that the public API uses for elements of a view.
inline std::uint32_t narrow(std::size_t n) { return static_cast<std::uint32_t>(n); }

struct Kind {
  poplar::Type type;
  const char *name; // as vertex names spell it
  std::int64_t modulus;
  std::size_t bytes; // of one element on the device
};
const std::vector<Kind> &kinds();
const Kind &kindOf(const poplar::Type &type);

/// Returns a + b modulo the kind's modulus. The codelets compute the same.
inline std::int64_t fold(const Kind &kind, std::int64_t a, std::int64_t b) {
  if (a == kUndefined || b == kUndefined)
    return kUndefined;
  return a + b >= kind.modulus ? a + b - kind.modulus : a + b;
}

using Bytes = std::vector<std::uint8_t>;
/// Returns the device bytes of values; an undefined value is written as 0.
Bytes encode(const Kind &kind, const std::vector<std::int64_t> &values);
/// Returns the values of device bytes. Bytes that encode no value give a number outside [0, modulus).
std::vector<std::int64_t> decode(const Kind &kind, const Bytes &bytes);

/// All values that a program can change. `values` is [replica][element]; all variables' elements are numbered in order.
struct World {
  std::vector<std::vector<std::int64_t>> values;
  std::vector<std::size_t> transfers;                         // per stream; equal for all replicas
  std::vector<std::vector<std::int64_t>> received;            // per stream from the device: its host buffer
  std::vector<std::vector<std::vector<std::int64_t>>> remote; // [buffer][replica][row * elements + i]
};

} // namespace random_programs
