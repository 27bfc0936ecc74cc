#include "liveness/layout/SummariseTile.hpp"

#include <algorithm>
#include <utility>

namespace popscope {
namespace {

constexpr auto kMultiple = static_cast<std::size_t>(StorageCategory::Multiple);
using ClassBytes = std::vector<std::pair<LiveClassId, Bytes>>;

// Returns the maximum number of bytes that exist at one step. Each pair contains a class and the bytes that exist
// during this class.
Bytes peakOverSteps(ClassBytes bytes, const LiveRanges &ranges) {
  std::sort(bytes.begin(), bytes.end());
  std::vector<std::pair<std::uint32_t, std::int64_t>> changes;
  for (std::size_t at = 0; at < bytes.size();) {
    const LiveClassId id = bytes[at].first;
    std::int64_t sum = 0;
    for (; at < bytes.size() && bytes[at].first == id; ++at)
      sum += static_cast<std::int64_t>(bytes[at].second.count());
    for (const StepInterval &i : ranges.intervalsOf(id)) {
      changes.emplace_back(i.begin.index(), sum);
      changes.emplace_back(i.end.index(), -sum);
    }
  }
  std::sort(changes.begin(), changes.end()); // at one step, ends come first
  std::int64_t now = 0, peak = 0;
  for (const auto &change : changes)
    peak = std::max(peak, now += change.second);
  return Bytes(peak);
}

// Finds the region of an address. Usually this is the region of the previous query.
struct Regions {
  const MemoryZones &zones;
  RegionSpan last;
  const RegionSpan &at(std::uint64_t address) {
    if (address < last.begin || address >= last.end)
      last = regionAt(zones, address);
    return last;
  }
};

// Calls body(region span, bytes of [begin, end) inside it, end of these bytes).
template <class Body> void splitByRegion(Regions &regions, std::uint64_t begin, std::uint64_t end, Body body) {
  while (begin < end) {
    const RegionSpan span = regions.at(begin);
    const std::uint64_t stop = std::min(end, span.end);
    body(span, Bytes(stop - begin), stop);
    begin = stop;
  }
}

void addCategory(TileMemory &out, const Allocation &a, Regions &regions) {
  auto &by = out.category[static_cast<std::size_t>(a.category)];
  splitByRegion(regions, a.address, a.end(), [&](const RegionSpan &span, Bytes bytes, std::uint64_t) {
    by[static_cast<std::size_t>(span.region)][a.overlapped ? 1 : 0] += bytes;
  });
}

void addAddresses(TileMemory &out, std::uint64_t begin, std::uint64_t end, Regions &regions) {
  splitByRegion(regions, begin, end, [&](const RegionSpan &span, Bytes bytes, std::uint64_t stop) {
    const auto region = static_cast<std::size_t>(span.region);
    out.excludingGaps[region] += bytes;
    out.totalExcludingGaps += bytes;
    out.includingGaps[region] =
        std::max(out.includingGaps[region], Bytes(stop - regionStart(regions.zones, span.region)));
  });
}

// Counts addresses by the category that occupies them. Allocations that share no address are added as they are. For the
// other allocations, a sweep over begins and ends keeps the number of open allocations per category. Between two
// borders, the set of categories does not change. Cost: n log n in overlapped allocations.
void addUses(TileMemory &out, std::span<const Allocation> allocations, Regions &regions) {
  struct Border {
    std::uint64_t address;
    std::size_t category;
    bool opens;
  };
  std::vector<Border> borders;
  for (const Allocation &a : allocations) {
    const auto category = static_cast<std::size_t>(a.category);
    if (!a.overlapped) {
      out.usedBy[category] += a.bytes;
      continue;
    }
    borders.push_back({a.address, category, true});
    borders.push_back({a.end(), category, false});
  }
  std::sort(borders.begin(), borders.end(), [](const Border &a, const Border &b) { return a.address < b.address; });
  std::array<std::uint32_t, kNumStorageCategories> open{};
  std::size_t kinds = 0; // categories with an open allocation
  for (std::size_t i = 0; i < borders.size(); ++i) {
    std::uint32_t &count = open[borders[i].category];
    // The order of equal addresses does not matter: nothing lies between them. A count may be below 0 for a while.
    kinds -= count != 0 ? 1 : 0;
    count += borders[i].opens ? 1U : ~0U;
    kinds += count != 0 ? 1 : 0;
    const std::uint64_t next = i + 1 < borders.size() ? borders[i + 1].address : borders[i].address;
    if (next == borders[i].address || kinds == 0)
      continue;
    const auto only = static_cast<std::size_t>(
        std::find_if(open.begin(), open.end(), [](std::uint32_t n) { return n != 0; }) - open.begin());
    out.usedBy[kinds > 1 ? kMultiple : only] += Bytes(next - borders[i].address);
    if (kinds > 1)
      splitByRegion(regions, borders[i].address, next, [&](const RegionSpan &span, Bytes bytes, std::uint64_t) {
        out.category[kMultiple][static_cast<std::size_t>(span.region)][1] += bytes;
      });
  }
}

void addOccupied(TileMemory &out, std::span<const Allocation> allocations, Regions &regions) {
  std::uint64_t reached = 0, reachedOverlapped = 0;
  for (const Allocation &a : allocations) {
    const std::uint64_t begin = a.address, end = a.end();
    addCategory(out, a, regions);
    if (end > reached)
      addAddresses(out, std::max(begin, reached), end, regions);
    reached = std::max(reached, end);
    if (!a.overlapped)
      continue;
    if (end > reachedOverlapped)
      out.afterOverlapping += Bytes(end - std::max(begin, reachedOverlapped));
    reachedOverlapped = std::max(reachedOverlapped, end);
  }
  out.totalIncludingGaps = Bytes(reached);
}

} // namespace

void markOverlapped(std::span<Allocation> allocations) {
  std::uint64_t reached = 0; // end of the earlier allocation that reaches furthest
  std::size_t furthest = 0;
  for (std::size_t i = 0; i < allocations.size(); ++i) {
    Allocation &a = allocations[i];
    a.overlapped = false;
    const std::uint64_t end = a.end();
    if (a.address < reached) { // other allocations that overlap this one end at or below the end of `furthest`
      a.overlapped = true;
      allocations[furthest].overlapped = true;
    }
    if (end > reached) {
      reached = end;
      furthest = i;
    }
  }
}

TileMemory summariseTile(std::span<const Allocation> allocations,
                         const std::function<LiveRole(const Allocation &)> &roleOf, const LiveRanges &ranges,
                         const MemoryZones &zones) {
  TileMemory out;
  Regions regions{zones, {AllocationRegion::Overflowed, 0, 0}};
  addOccupied(out, allocations, regions);
  addUses(out, allocations, regions);
  ClassBytes overlapped, live;
  for (const Allocation &a : allocations) {
    if (a.overlapped)
      overlapped.emplace_back(a.occupied, a.bytes);
    const LiveRole role = a.owner == OwnerKind::Home ? roleOf(a) : LiveRole();
    if (role.always)
      out.alwaysLiveBytes += a.bytes;
    else
      live.emplace_back(role.live, a.bytes);
  }
  out.lowerBoundOverlapped = peakOverSteps(std::move(overlapped), ranges);
  out.maxNotAlwaysLiveBytes = peakOverSteps(std::move(live), ranges);
  return out;
}

} // namespace popscope
