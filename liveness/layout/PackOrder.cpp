#include "liveness/layout/PackOrder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace popscope {
namespace {

// Exponents of the weight, in tenths. Measured on the tiles of popscope_pack_bench (184 seeds, mean peak over lower
// bound, exponential and Pareto lives):
//   bytes alone        1.0529  1.0387
//   with life^(1/5)    1.0478  1.0369
//   with fullness^4    1.0413  1.0302
//   with both          1.0378  1.0294
constexpr std::uint32_t kBytesTenths = 10, kLifeTenths = 2, kFullTenths = 40;
constexpr unsigned kFraction = 8; // fraction bits of a logarithm
constexpr std::uint64_t kBucketsPerLife = 16;

// Returns 2^kFraction times the binary logarithm, interpolated linearly between powers of two. Returns 0 for 0.
std::uint32_t logOf(std::uint64_t value) {
  if (value == 0)
    return 0;
  const auto whole = static_cast<unsigned>(std::bit_width(value)) - 1;
  const std::uint64_t rest = whole >= kFraction ? value >> (whole - kFraction) : value << (kFraction - whole);
  return (whole << kFraction) + static_cast<std::uint32_t>(rest & ((1U << kFraction) - 1));
}

// The bytes that exist during a bucket of time (all items that touch it), as logarithms.
class Fullness {
public:
  explicit Fullness(const PackProblem &problem) {
    std::uint32_t last = 0;
    std::uint64_t lived = 0;
    first_ = problem.spans.empty() ? 0 : ~std::uint32_t(0);
    for (const PackSpan &span : problem.spans) {
      first_ = std::min(first_, span.begin);
      last = std::max(last, span.end);
      lived += span.end - span.begin;
    }
    const std::uint64_t mean = lived / std::max<std::size_t>(1, problem.spans.size());
    shift_ = static_cast<unsigned>(std::bit_width(mean / kBucketsPerLife));
    std::vector<std::uint64_t> change((std::size_t(last - first_) >> shift_) + 2, 0);
    for (const PackItem &item : problem.items)
      for (const PackSpan &span : problem.spansOf(item)) {
        change[bucketOf(span.begin)] += item.bytes;
        change[bucketOf(span.end - 1) + 1] -= item.bytes;
      }
    logs_.reserve(change.size());
    std::uint64_t now = 0;
    for (const std::uint64_t c : change) {
      now += c;
      logs_.push_back(static_cast<std::int16_t>(logOf(now)));
    }
  }
  [[nodiscard]] std::int16_t highest(PackSpan span) const {
    std::int16_t out = 0;
    for (std::size_t b = bucketOf(span.begin), last = bucketOf(span.end - 1); b <= last; ++b)
      out = std::max(out, logs_[b]);
    return out;
  }

private:
  [[nodiscard]] std::size_t bucketOf(std::uint32_t time) const { return (time - first_) >> shift_; }
  std::uint32_t first_ = 0;
  unsigned shift_ = 0;
  std::vector<std::int16_t> logs_;
};

struct Keyed {
  std::uint32_t key, index;
};
// Sorts by ascending key, stably: a radix sort with eleven bits per pass and as many passes as the keys need.
void sortByKey(std::vector<Keyed> &items) {
  constexpr unsigned kBits = 11;
  std::uint32_t used = 0;
  for (const Keyed &k : items)
    used |= k.key;
  std::vector<Keyed> other(items.size());
  for (unsigned shift = 0; shift < 32 && used >> shift != 0; shift += kBits) {
    std::array<std::uint32_t, 1U << kBits> next{};
    const auto digit = [shift](const Keyed &k) { return k.key >> shift & ((1U << kBits) - 1); };
    for (const Keyed &k : items)
      ++next[digit(k)];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), 0U);
    for (const Keyed &k : items)
      other[next[digit(k)]++] = k;
    items.swap(other);
  }
}

} // namespace

std::vector<std::uint32_t> decreasingWeight(const PackProblem &problem) {
  const Fullness fullness(problem);
  std::vector<Keyed> keys;
  keys.reserve(problem.items.size());
  std::uint32_t most = 0;
  for (const PackItem &item : problem.items) {
    std::uint64_t life = 0;
    std::int16_t fullest = 0;
    for (const PackSpan &span : problem.spansOf(item)) {
      life += span.end - span.begin;
      fullest = std::max(fullest, fullness.highest(span));
    }
    const std::uint32_t weight = kBytesTenths * logOf(item.bytes) + kLifeTenths * logOf(life) +
                                 kFullTenths * static_cast<std::uint32_t>(fullest);
    most = std::max(most, weight);
    keys.push_back({weight, static_cast<std::uint32_t>(keys.size())});
  }
  for (Keyed &k : keys)
    k.key = most - k.key;
  sortByKey(keys);
  std::vector<std::uint32_t> order;
  order.reserve(keys.size());
  for (const Keyed &k : keys)
    order.push_back(k.index);
  return order;
}

} // namespace popscope
