// Random numbers that are the same with every standard library: the C++ standard specifies the bits of the random
// engine, but not the distributions of <random>.
#pragma once
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

class Random {
public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  /// Returns a number, uniform from `low` to `high`. Rounding can make the number equal to `high`.
  float between(float low, float high) { return low + (high - low) * float(engine_() >> 8) / 16777216.0f; }
  /// Returns a number, uniform in [0, count).
  std::size_t below(std::size_t count) { return std::size_t(std::uint64_t(engine_()) * count >> 32); }
  /// Returns the numbers 0 .. count - 1 in random order.
  std::vector<std::size_t> order(std::size_t count) {
    std::vector<std::size_t> result(count);
    for (std::size_t i = 0; i < count; ++i)
      result[i] = i;
    for (std::size_t i = count; i > 1; --i)
      std::swap(result[i - 1], result[below(i)]);
    return result;
  }

private:
  std::mt19937 engine_;
};
