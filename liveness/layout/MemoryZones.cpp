#include "liveness/layout/MemoryZones.hpp"

#include <algorithm>
#include <limits>

namespace popscope {
namespace {

constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max() / 2;

AllocationRegion toAllocationRegion(RegionKind kind) {
  switch (kind) {
  case RegionKind::NonInterleaved: return AllocationRegion::NonInterleaved;
  case RegionKind::Interleaved: return AllocationRegion::Interleaved;
  case RegionKind::Overflowed: break;
  }
  return AllocationRegion::Overflowed;
}

// Adds the regions that satisfy `wanted`, from address `from` on. Adjacent regions join.
template <class Wanted>
void addZones(const std::vector<MemoryRegion> &regions, std::uint64_t from, Wanted wanted, std::vector<Zone> &out) {
  const std::size_t first = out.size();
  for (const MemoryRegion &r : regions) {
    const Zone zone{std::max<std::uint64_t>(r.offset, from), std::uint64_t(r.offset) + r.size};
    if (!wanted(r) || zone.begin >= zone.end)
      continue;
    if (out.size() > first && out.back().end == zone.begin)
      out.back().end = zone.end;
    else
      out.push_back(zone);
  }
}

// Replaces the zones of stack and data by two zones: all addresses from `from` to the end of memory, then from `from`
// without end.
ZoneTable runningOn(ZoneTable zones, std::uint64_t from, std::uint64_t memoryEnd) {
  for (const Placement p : {Placement::Stack, Placement::Data})
    zones[static_cast<std::size_t>(p)] = {{from, memoryEnd}, {from, kEndless}};
  return zones;
}

} // namespace

// Builds the three tables of MemoryZones.hpp. Begins with `Apart`, because the other two follow from it.
MemoryZones buildZones(const TileMachine &machine) {
  MemoryZones zones;
  ZoneTable &apart = zones.spread[static_cast<std::size_t>(Spread::Apart)];
  zones.regions = machine.regions;
  zones.memoryEnd = machine.bytesPerTile;
  const auto zonesOf = [&](Placement p) -> std::vector<Zone> & { return apart[static_cast<std::size_t>(p)]; };
  const auto isKind = [](RegionKind kind) { return [kind](const MemoryRegion &r) { return r.kind == kind; }; };
  const auto inMemory = [](const MemoryRegion &r) { return r.kind != RegionKind::Overflowed; };
  if (machine.regions.empty()) {
    zones.memoryEnd = kEndless;
    for (ZoneTable &table : zones.spread)
      table.fill({{0, kEndless}});
    return zones;
  }
  for (const MemoryRegion &r : machine.regions)
    for (std::uint64_t at = 0; r.elementSize != 0 && at < r.size; at += r.elementSize)
      zones.elements.push_back(r.offset + at);
  const std::uint32_t dataStart = machine.dataStartOffset;
  addZones(
      machine.regions, 0, [](const MemoryRegion &r) { return r.executable; }, zonesOf(Placement::Code));
  addZones(machine.regions, 0, isKind(RegionKind::Interleaved), zonesOf(Placement::Interleaved));
  for (const Placement p : {Placement::Stack, Placement::Data}) {
    addZones(machine.regions, dataStart, isKind(RegionKind::NonInterleaved), zonesOf(p));
    addZones(machine.regions, dataStart, isKind(RegionKind::Interleaved), zonesOf(p));
    addZones(machine.regions, dataStart, inMemory, zonesOf(p)); // zones for items larger than the rest of each region
  }
  for (auto &list : apart)
    list.push_back({zones.memoryEnd, kEndless});
  zones.spread[static_cast<std::size_t>(Spread::AcrossRegions)] = runningOn(apart, dataStart, zones.memoryEnd);
  zones.spread[static_cast<std::size_t>(Spread::FromZero)] = runningOn(apart, 0, zones.memoryEnd);
  return zones;
}

std::pair<std::size_t, std::size_t> MemoryZones::elementsOf(std::uint64_t begin, std::uint64_t end) const {
  const auto after = [&](std::uint64_t address) {
    return static_cast<std::size_t>(std::upper_bound(elements.begin(), elements.end(), address) - elements.begin());
  };
  return {after(begin), after(end - 1)};
}

RegionSpan regionAt(const MemoryZones &zones, std::uint64_t address) {
  if (zones.regions.empty())
    return {AllocationRegion::NonInterleaved, 0, kEndless};
  for (const MemoryRegion &r : zones.regions)
    if (address < zones.memoryEnd && r.offset <= address && address < std::uint64_t(r.offset) + r.size)
      return {toAllocationRegion(r.kind), r.offset, std::uint64_t(r.offset) + r.size};
  return {AllocationRegion::Overflowed, zones.memoryEnd, kEndless};
}

std::uint64_t regionStart(const MemoryZones &zones, AllocationRegion region) {
  for (const MemoryRegion &r : zones.regions)
    if (toAllocationRegion(r.kind) == region)
      return r.offset;
  return region == AllocationRegion::NonInterleaved && zones.regions.empty() ? 0 : zones.memoryEnd;
}

} // namespace popscope
