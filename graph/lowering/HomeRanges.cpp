#include "graph/lowering/HomeRanges.hpp"

#include "base/BitRanges.hpp"

#include <algorithm>
#include <span>
#include <tuple>

namespace popscope {
namespace {

constexpr std::size_t kMany = 4096;        // minimum number of ranges that are sorted home by home
constexpr std::uint64_t kBitsARange = 256; // maximum bits per range for a home whose ranges become bits

bool beginsBefore(const HomeRange &a, const HomeRange &b) {
  return std::tie(a.home, a.begin) < std::tie(b.home, b.begin);
}

void unite(std::vector<HomeRange> &sorted) {
  std::size_t kept = 0;
  for (const HomeRange &r : sorted)
    if (kept > 0 && sorted[kept - 1].home == r.home && r.begin <= sorted[kept - 1].end)
      sorted[kept - 1].end = std::max(sorted[kept - 1].end, r.end);
    else if (r.begin != r.end)
      sorted[kept++] = r;
  sorted.resize(kept);
}

/// Appends the ranges of one home. Joins dense ranges with bits, and sorts all others.
void appendHome(std::span<HomeRange> ranges, BitRanges &bits, std::vector<HomeRange> &out) {
  Bytes32 low = ranges.front().begin, high = ranges.front().end;
  for (const HomeRange &r : ranges) {
    low = std::min(low, r.begin);
    high = std::max(high, r.end);
  }
  const Bytes span = high - low;
  if (span.count() > kBitsARange * ranges.size()) {
    std::sort(ranges.begin(), ranges.end(), beginsBefore);
    out.insert(out.end(), ranges.begin(), ranges.end());
    return;
  }
  bits.reset(span.count());
  for (const HomeRange &r : ranges)
    if (r.begin != r.end)
      bits.add((r.begin - low).count(), (r.end - low).count());
  bits.each([&](std::uint64_t begin, std::uint64_t end) {
    out.push_back({ranges.front().home, narrow(low + Bytes(begin)), narrow(low + Bytes(end))});
  });
}

/// Joins the ranges home by home, with a counting sort. Returns false, and changes nothing, if the ids of the homes lie
/// too far apart. The homes of one variable have consecutive ids.
bool joinByHome(std::vector<HomeRange> &ranges) {
  const auto [lowest, highest] = std::minmax_element(
      ranges.begin(), ranges.end(), [](const HomeRange &a, const HomeRange &b) { return a.home < b.home; });
  const std::uint32_t low = lowest->home.index();
  const std::size_t homes = highest->home.index() - low + std::size_t(1);
  if (homes > ranges.size())
    return false;
  std::vector<std::size_t> next(homes + 1, 0);
  for (const HomeRange &r : ranges)
    ++next[r.home.index() - low + std::size_t(1)];
  for (std::size_t h = 0; h != homes; ++h)
    next[h + 1] += next[h];
  const std::vector<std::size_t> first = next;
  std::vector<HomeRange> grouped(ranges.size());
  for (const HomeRange &r : ranges)
    grouped[next[r.home.index() - low]++] = r;
  ranges.clear();
  BitRanges bits;
  for (std::size_t h = 0; h != homes; ++h)
    if (first[h] != first[h + 1])
      appendHome(std::span(grouped).subspan(first[h], first[h + 1] - first[h]), bits, ranges);
  return true;
}

} // namespace

void joinRanges(std::vector<HomeRange> &ranges) {
  if (ranges.size() < kMany || !joinByHome(ranges))
    std::sort(ranges.begin(), ranges.end(), beginsBefore);
  unite(ranges);
}

void HomeRanges::add(std::vector<HomeRange> joined) {
  while (!levels_.empty() && levels_.back().size() <= 2 * joined.size()) {
    std::vector<HomeRange> both(levels_.back().size() + joined.size());
    std::merge(levels_.back().begin(), levels_.back().end(), joined.begin(), joined.end(), both.begin(), beginsBefore);
    unite(both);
    joined = std::move(both);
    levels_.pop_back();
  }
  if (!joined.empty())
    levels_.push_back(std::move(joined));
}

bool HomeRanges::meet(const std::vector<HomeRange> &ranges) const {
  for (const std::vector<HomeRange> &level : levels_)
    for (const HomeRange &r : ranges) {
      // Finds the first range that ends after r begins. Within a level, the ends of ranges ascend like their begins.
      const auto it = std::upper_bound(level.begin(), level.end(), r, [](const HomeRange &a, const HomeRange &b) {
        return std::tie(a.home, a.begin) < std::tie(b.home, b.end);
      });
      if (it != level.end() && it->home == r.home && it->begin < r.end)
        return true;
    }
  return false;
}

} // namespace popscope
