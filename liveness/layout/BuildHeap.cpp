#include "liveness/layout/BuildHeap.hpp"

#include "liveness/layout/BuildProblem.hpp"

#include <algorithm>

namespace popscope {

HeapBuilder::HeapBuilder(const StepProgram &program, const LiveRanges &ranges, const MemoryZones &zones)
    : program_(program), ranges_(ranges), zones_(zones) {
  for (const ApartHomes &pair : program.apart) {
    apart_.emplace_back(pair.a, pair.b);
    apart_.emplace_back(pair.b, pair.a);
  }
  std::sort(apart_.begin(), apart_.end());
}

std::uint64_t HeapBuilder::limitOf(const Allocation &a) const {
  const std::uint64_t limit =
      a.owner == OwnerKind::Home ? program_.vars[program_.homes[HomeId(a.ownerIndex)].var].addressLimit : 0;
  return limit < zones_.memoryEnd ? limit : 0; // a limit beyond the end of memory is no limit
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> HeapBuilder::apartIn(std::span<const Allocation> problem) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  if (apart_.empty())
    return out;
  std::vector<std::pair<HomeId, std::uint32_t>> homes; // homes of this problem, ascending
  for (std::uint32_t i = 0; i < problem.size(); ++i)
    if (problem[i].owner == OwnerKind::Home)
      homes.emplace_back(HomeId(problem[i].ownerIndex), i);
  std::sort(homes.begin(), homes.end());
  for (const auto &[home, i] : homes)
    for (auto p = std::lower_bound(apart_.begin(), apart_.end(), std::pair(home, HomeId(0)));
         p != apart_.end() && p->first == home; ++p) {
      const auto partner = std::lower_bound(homes.begin(), homes.end(), std::pair(p->second, 0U));
      if (partner != homes.end() && partner->first == p->second && i < partner->second)
        out.emplace_back(i, partner->second);
    }
  std::sort(out.begin(), out.end());
  return out;
}

HeapProblem HeapBuilder::heapOf(std::span<const Allocation> problem) const {
  HeapProblem heap{&zones_, &ranges_, {}, apartIn(problem)};
  heap.items.reserve(problem.size());
  for (const Allocation &a : problem) {
    HeapItem item;
    item.bytes = a.bytes.count();
    item.alignment = a.alignment;
    item.placement = placementOf(a);
    item.occupied = a.occupied;
    item.limit = limitOf(a);
    heap.items.push_back(item);
  }
  return heap;
}

} // namespace popscope
