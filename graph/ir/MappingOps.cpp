#include "graph/ir/MappingOps.hpp"

#include <algorithm>
#include <span>

namespace popscope {

namespace {

void pushJoined(std::vector<MappedRange> &out, const MappedRange &r) {
  if (r.begin == r.end)
    return;
  if (!out.empty() && out.back().end == r.begin && out.back().tile == r.tile)
    out.back().end = r.end;
  else
    out.push_back(r);
}

/// Inserts one range in place. In the usual case the range is appended at the end, which is cheap.
void splice(std::vector<MappedRange> &mapping, const MappedRange &range) {
  const auto first =
      std::partition_point(mapping.begin(), mapping.end(), [&](const MappedRange &m) { return m.end < range.begin; });
  const auto last =
      std::partition_point(first, mapping.end(), [&](const MappedRange &m) { return m.begin <= range.end; });
  std::vector<MappedRange> pieces;
  if (first != last && first->begin < range.begin)
    pushJoined(pieces, {first->begin, std::min(first->end, range.begin), first->tile});
  pushJoined(pieces, range);
  if (first != last && (last - 1)->end > range.end)
    pushJoined(pieces, {std::max((last - 1)->begin, range.end), (last - 1)->end, (last - 1)->tile});
  const auto at = mapping.erase(first, last);
  mapping.insert(at, pieces.begin(), pieces.end());
}

void merge(std::vector<MappedRange> &mapping, const std::vector<MappedRange> &ranges) {
  std::vector<MappedRange> out;
  out.reserve(mapping.size() + ranges.size());
  std::size_t i = 0;
  for (const MappedRange &r : ranges) {
    for (; i < mapping.size() && mapping[i].end <= r.begin; ++i)
      pushJoined(out, mapping[i]);
    if (i < mapping.size() && mapping[i].begin < r.begin)
      pushJoined(out, {mapping[i].begin, r.begin, mapping[i].tile});
    pushJoined(out, r);
    while (i < mapping.size() && mapping[i].end <= r.end)
      ++i;
    if (i < mapping.size() && mapping[i].begin < r.end)
      mapping[i].begin = r.end;
  }
  for (; i < mapping.size(); ++i)
    pushJoined(out, mapping[i]);
  mapping = std::move(out);
}

/// Returns the sorted, disjoint ranges that result from all these assignments in order.
std::vector<MappedRange> latest(std::span<const MappedRange> ranges) {
  const auto meets = [](const MappedRange &a, const MappedRange &b) { return b.begin < a.end; };
  if (std::adjacent_find(ranges.begin(), ranges.end(), meets) == ranges.end())
    return {ranges.begin(), ranges.end()};
  std::vector<MappedRange> earlier = latest(ranges.first(ranges.size() / 2));
  merge(earlier, latest(ranges.subspan(ranges.size() / 2)));
  return earlier;
}

} // namespace

std::uint64_t lengthWithin(const ViewRun &run, std::uint64_t i, std::uint64_t lo, std::uint64_t hi) {
  const std::uint64_t left = run.count - i;
  if (run.stride == 0)
    return left;
  const std::uint64_t room = run.stride > 0 ? (hi - 1 - run.at(i)) / static_cast<std::uint64_t>(run.stride)
                                            : (run.at(i) - lo) / static_cast<std::uint64_t>(-run.stride);
  return std::min(left, room + 1);
}

void overlayMapping(std::vector<MappedRange> &mapping, const std::vector<MappedRange> &ranges) {
  if (ranges.size() <= 2)
    for (const MappedRange &r : ranges)
      splice(mapping, r);
  else
    merge(mapping, latest(ranges));
}

void forEachMapped(const std::vector<MappedRange> &mapping, const ViewRun &run, std::uint64_t position,
                   const std::function<void(std::uint64_t, std::uint64_t, TileId)> &found) {
  for (std::uint64_t i = 0; i < run.count;) {
    const std::uint64_t element = run.at(i);
    const auto next =
        std::partition_point(mapping.begin(), mapping.end(), [&](const MappedRange &m) { return m.end <= element; });
    if (next != mapping.end() && next->begin <= element) {
      const std::uint64_t n = lengthWithin(run, i, next->begin, next->end);
      found(position + i, position + i + n, next->tile);
      i += n;
      continue;
    }
    const std::uint64_t gapBegin = next == mapping.begin() ? 0 : (next - 1)->end;
    const std::uint64_t gapEnd = next == mapping.end() ? ~std::uint64_t(0) : next->begin;
    i += lengthWithin(run, i, gapBegin, gapEnd);
  }
}

std::vector<MappedRange> linearMapping(std::uint64_t elements, const std::vector<TileId> &tiles) {
  std::vector<MappedRange> mapping;
  const std::uint64_t share = elements / tiles.size(), extra = elements % tiles.size();
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < tiles.size() && begin < elements; ++i) {
    const std::uint64_t n = share + (i < extra ? 1 : 0);
    pushJoined(mapping, {begin, begin + n, tiles[i]});
    begin += n;
  }
  return mapping;
}

} // namespace popscope
