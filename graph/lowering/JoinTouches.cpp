#include "graph/lowering/JoinTouches.hpp"

#include "base/BitRanges.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace popscope {
namespace {

constexpr std::size_t kFew = 32;    // up to this number of touches, all are sorted at once
constexpr unsigned kDigitBits = 11; // maximum bits of a digit of variable numbers

bool inOrder(const Touch &a, const Touch &b) {
  return std::tie(a.var, a.kind, a.member, a.begin, a.end) < std::tie(b.var, b.kind, b.member, b.begin, b.end);
}

class TouchJoiner {
public:
  TouchJoiner(LargeTable<Access> &accesses, LargeTable<ElementRange> &ranges)
      : accesses_(accesses), ranges_(ranges), first_(accesses.size()) {}

  void join(std::span<Touch> touches) {
    if (touches.size() <= kFew || std::is_sorted(touches.begin(), touches.end(), inOrder))
      return sortAndAdd(touches);
    const auto [lowest, highest] = std::minmax_element(touches.begin(), touches.end(),
                                                       [](const Touch &a, const Touch &b) { return a.var < b.var; });
    const std::uint32_t low = lowest->var.index(), numVars = highest->var.index() - low + 1;
    if (numVars == 1)
      return joinVariable(touches);
    std::vector<Touch> room(touches.size());
    const std::span<Touch> grouped = byVariable(touches, room, low, numVars);
    for (std::size_t begin = 0, end = 0; begin < grouped.size(); begin = end) {
      while (end < grouped.size() && grouped[end].var == grouped[begin].var)
        ++end;
      joinVariable(grouped.subspan(begin, end - begin));
    }
  }
  [[nodiscard]] std::uint32_t added() const { return static_cast<std::uint32_t>(accesses_.size() - first_); }

private:
  /// Sorts touches by variable, digit by digit. Touches of one variable keep their order. The result is in one of the
  /// two buffers, which have equal size.
  static std::span<Touch> byVariable(std::span<Touch> from, std::span<Touch> to, std::uint32_t low,
                                     std::uint32_t numVars) {
    const unsigned wholeBits = static_cast<unsigned>(std::bit_width(numVars - 1));
    // Uses the fewest digits, all of equal width, so that each pass writes to as few places as possible.
    const unsigned digits = (wholeBits + kDigitBits - 1) / kDigitBits;
    const unsigned digitBits = (wholeBits + digits - 1) / digits;
    for (unsigned shift = 0; shift < wholeBits; shift += digitBits) {
      const std::uint32_t mask = (std::uint32_t(1) << digitBits) - 1;
      const auto digit = [&](const Touch &t) { return (t.var.index() - low) >> shift & mask; };
      std::vector<std::uint32_t> next(mask + std::size_t(2), 0);
      for (const Touch &t : from)
        ++next[digit(t) + std::size_t(1)];
      for (std::size_t d = 0; d <= mask; ++d)
        next[d + 1] += next[d];
      for (const Touch &t : from)
        to[next[digit(t)]++] = t;
      std::swap(from, to);
    }
    return from;
  }
  void sortAndAdd(std::span<Touch> touches) {
    if (!std::is_sorted(touches.begin(), touches.end(), inOrder))
      std::sort(touches.begin(), touches.end(), inOrder);
    for (const Touch &t : touches)
      add(t);
  }
  void joinVariable(std::span<Touch> touches) {
    if (touches.size() <= kFew || std::is_sorted(touches.begin(), touches.end(), inOrder))
      return sortAndAdd(touches);
    const auto readsEnd = std::stable_partition(touches.begin(), touches.end(),
                                                [](const Touch &t) { return t.kind == AccessKind::Read; });
    const auto writesEnd =
        std::stable_partition(readsEnd, touches.end(), [](const Touch &t) { return t.kind == AccessKind::Write; });
    joinKind({touches.begin(), readsEnd});
    joinKind({readsEnd, writesEnd});
    joinKind({writesEnd, touches.end()});
  }
  void joinKind(std::span<Touch> touches) {
    if (touches.empty())
      return;
    std::uint64_t low = ~std::uint64_t(0), high = 0, sum = 0;
    bool oneMember = true;
    for (const Touch &t : touches) {
      low = std::min(low, t.begin);
      high = std::max(high, t.end);
      sum += (t.end - t.begin) / 64;
      oneMember = oneMember && t.member == touches.front().member;
    }
    const bool dense = (high - low) / 256 <= touches.size() && sum / 8 <= touches.size();
    if (touches.size() <= kFew || !oneMember || !dense)
      return sortAndAdd(touches);
    joinDense(touches, low, high);
  }
  /// Joins touches with one bit per element. Runs of set bits are the ranges.
  void joinDense(std::span<const Touch> touches, std::uint64_t low, std::uint64_t high) {
    bits_.reset(high - low);
    for (const Touch &t : touches)
      if (t.begin != t.end)
        bits_.add(t.begin - low, t.end - low);
    Touch joined = touches.front();
    bits_.each([&](std::uint64_t begin, std::uint64_t end) {
      joined.begin = low + begin;
      joined.end = low + end;
      add(joined);
    });
  }
  /// Adds touches in the order of the accesses.
  void add(const Touch &t) {
    if (t.begin == t.end)
      return;
    const Access *const last = accesses_.size() > first_ ? &accesses_.back() : nullptr;
    if (last == nullptr || last->var != t.var || last->kind != t.kind || last->member != t.member) {
      accesses_.push_back({t.var, t.kind, t.member, static_cast<std::uint32_t>(ranges_.size()), 0});
    } else if (t.begin <= ranges_.back().end) {
      ranges_.back().end = std::max<std::uint64_t>(ranges_.back().end, t.end);
      return;
    }
    ranges_.push_back({t.begin, t.end});
    ++accesses_.back().numRanges;
  }

  LargeTable<Access> &accesses_;
  LargeTable<ElementRange> &ranges_;
  std::size_t first_;
  BitRanges bits_;
};

} // namespace

std::uint32_t joinTouches(std::vector<Touch> touches, LargeTable<Access> &accesses, LargeTable<ElementRange> &ranges) {
  TouchJoiner joiner(accesses, ranges);
  joiner.join(touches);
  return joiner.added();
}

void TouchBlocks::join() {
  LargeTable<Access> accesses;
  LargeTable<ElementRange> ranges;
  joinTouches(std::exchange(touches, {}), accesses, ranges);
  for (const Access &access : accesses)
    for (std::uint32_t r = access.firstRange; r != access.firstRange + access.numRanges; ++r)
      touches.push_back({access.var, access.kind, access.member, ranges[r].begin, ranges[r].end});
  limit_ = std::max(kMany, 2 * touches.size());
}

} // namespace popscope
