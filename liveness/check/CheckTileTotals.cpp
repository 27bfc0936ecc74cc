#include "liveness/check/CheckTileTotals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace popscope {
namespace {

// Returns the addresses at which an allocation or region begins or ends. Between two neighbouring addresses of the
// result, the occupants and the region stay the same.
std::vector<std::uint64_t> borders(const TileMachine &machine, const std::vector<Allocation> &allocations) {
  std::set<std::uint64_t> out{machine.bytesPerTile};
  for (const MemoryRegion &r : machine.regions) {
    out.insert(r.offset);
    out.insert(std::uint64_t(r.offset) + r.size);
  }
  for (const Allocation &a : allocations) {
    out.insert(a.address);
    out.insert(a.end());
  }
  return {out.begin(), out.end()};
}

std::uint64_t startOf(const TileMachine &machine, AllocationRegion region) {
  std::uint64_t start = machine.regions.empty() ? 0 : machine.bytesPerTile;
  for (const MemoryRegion &r : machine.regions)
    if (regionOfAddress(machine, r.offset) == region)
      start = std::min<std::uint64_t>(start, r.offset);
  return start;
}

class TotalsChecker {
public:
  TotalsChecker(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine, TileId tile,
                const std::vector<Allocation> &allocations)
      : program_(program), ranges_(ranges), machine_(machine), tile_(tile), allocations_(allocations) {
    addSpace();
    addTime();
  }

  void compare(const TileMemory &claimed, std::vector<std::string> &findings) const {
    const auto expect = [&](const char *what, Bytes says, Bytes is) {
      if (says != is)
        findings.push_back(
            fmt::format("A4: tile {}: {} is said to be {} and is {}", tile(), what, says.count(), is.count()));
    };
    for (std::size_t c = 0; c < kNumStorageCategories; ++c)
      for (std::size_t r = 0; r < kNumRegions; ++r)
        for (std::size_t o = 0; o < 2; ++o)
          expect(kStorageCategories[c].key, claimed.category[c][r][o], now_.category[c][r][o]);
    for (std::size_t c = 0; c < kNumStorageCategories; ++c)
      expect(fmt::format("addresses of {}", kStorageCategories[c].key).c_str(), claimed.usedBy[c], now_.usedBy[c]);
    for (std::size_t r = 0; r < kNumRegions; ++r) {
      expect("excludingGaps of a region", claimed.excludingGaps[r], now_.excludingGaps[r]);
      expect("includingGaps of a region", claimed.includingGaps[r], now_.includingGaps[r]);
    }
    expect("totalExcludingGaps", claimed.totalExcludingGaps, now_.totalExcludingGaps);
    expect("totalIncludingGaps (A5)", claimed.totalIncludingGaps, now_.totalIncludingGaps);
    expect("afterOverlapping", claimed.afterOverlapping, now_.afterOverlapping);
    expect("lowerBoundOverlapped", claimed.lowerBoundOverlapped, now_.lowerBoundOverlapped);
    expect("alwaysLiveBytes", claimed.alwaysLiveBytes, now_.alwaysLiveBytes);
    expect("maxNotAlwaysLiveBytes", claimed.maxNotAlwaysLiveBytes, now_.maxNotAlwaysLiveBytes);
    checkIdentities(claimed, findings);
  }

private:
  [[nodiscard]] std::uint32_t tile() const { return tile_.index(); }

  void addSpace() {
    const auto at = borders(machine_, allocations_);
    for (std::size_t i = 0; i + 1 < at.size(); ++i)
      addSegment(at[i], at[i + 1]);
  }
  void addSegment(std::uint64_t begin, std::uint64_t end) {
    const Bytes bytes(end - begin);
    const auto region = static_cast<std::size_t>(regionOfAddress(machine_, begin));
    bool any = false, anyOverlapped = false;
    std::set<std::size_t> uses;
    for (const Allocation &a : allocations_) {
      if (a.address > begin || end > a.end())
        continue;
      any = true;
      uses.insert(static_cast<std::size_t>(a.category));
      anyOverlapped |= a.overlapped;
      now_.category[static_cast<std::size_t>(a.category)][region][a.overlapped ? 1 : 0] += bytes;
    }
    if (anyOverlapped)
      now_.afterOverlapping += bytes;
    if (!any)
      return;
    if (uses.size() > 1)
      now_.category[static_cast<std::size_t>(StorageCategory::Multiple)][region][1] += bytes;
    now_.usedBy[uses.size() == 1 ? *uses.begin() : static_cast<std::size_t>(StorageCategory::Multiple)] += bytes;
    now_.excludingGaps[region] += bytes;
    now_.totalExcludingGaps += bytes;
    now_.includingGaps[region] = Bytes(end - startOf(machine_, static_cast<AllocationRegion>(region)));
    now_.totalIncludingGaps = Bytes(end);
  }

  // Adds up the occupied bytes step by step.
  void addTime() {
    std::vector<Bytes> overlapped(program_.steps.size()), live(program_.steps.size());
    const auto add = [&](std::vector<Bytes> &to, LiveClassId id, Bytes bytes) {
      for (const StepInterval &i : ranges_.intervalsOf(id))
        for (std::uint32_t s = i.begin.index(); s < i.end.index(); ++s)
          to[s] += bytes;
    };
    for (const Allocation &a : allocations_) {
      if (a.overlapped)
        add(overlapped, a.occupied, a.bytes);
      const bool isHome = a.owner == OwnerKind::Home;
      const VarId var = isHome ? program_.homes[HomeId(a.ownerIndex)].var : VarId();
      if (!isHome || ranges_.always[var] != 0)
        now_.alwaysLiveBytes += a.bytes;
      else
        add(live, ranges_.liveOf(var, HomeId(a.ownerIndex)), a.bytes);
    }
    for (std::size_t s = 0; s < live.size(); ++s) {
      now_.lowerBoundOverlapped = std::max(now_.lowerBoundOverlapped, overlapped[s]);
      now_.maxNotAlwaysLiveBytes = std::max(now_.maxNotAlwaysLiveBytes, live[s]);
    }
  }

  void checkIdentities(const TileMemory &m, std::vector<std::string> &findings) const {
    Bytes regions, notOverlapped, uses;
    for (const Bytes bytes : m.usedBy)
      uses += bytes;
    if (uses != m.totalExcludingGaps)
      findings.push_back(fmt::format("tile {}: uses of addresses add up to {}, not {}", tile(), uses.count(),
                                     m.totalExcludingGaps.count()));
    for (std::size_t r = 0; r < kNumRegions; ++r) {
      regions += m.excludingGaps[r];
      for (const auto &c : m.category)
        notOverlapped += c[r][0];
    }
    if (regions != m.totalExcludingGaps)
      findings.push_back(
          fmt::format("tile {}: regions add up to {}, not {}", tile(), regions.count(), m.totalExcludingGaps.count()));
    if (notOverlapped + m.afterOverlapping != m.totalExcludingGaps)
      findings.push_back(fmt::format("tile {}: {} not overlapped + {} after overlapping is not {}", tile(),
                                     notOverlapped.count(), m.afterOverlapping.count(), m.totalExcludingGaps.count()));
    if (m.afterOverlapping < m.lowerBoundOverlapped)
      findings.push_back(fmt::format("tile {}: {} bytes after overlapping are less than the lower bound {}", tile(),
                                     m.afterOverlapping.count(), m.lowerBoundOverlapped.count()));
  }

  const StepProgram &program_;
  const LiveRanges &ranges_;
  const TileMachine &machine_;
  TileId tile_;
  const std::vector<Allocation> &allocations_;
  TileMemory now_;
};

} // namespace

AllocationRegion regionOfAddress(const TileMachine &machine, std::uint64_t address) {
  if (machine.regions.empty())
    return AllocationRegion::NonInterleaved;
  for (const MemoryRegion &r : machine.regions) {
    const bool inside = address >= r.offset && address - r.offset < r.size && address < machine.bytesPerTile;
    if (inside && r.kind == RegionKind::Interleaved)
      return AllocationRegion::Interleaved;
    if (inside && r.kind == RegionKind::NonInterleaved)
      return AllocationRegion::NonInterleaved;
  }
  return AllocationRegion::Overflowed;
}

void checkTileTotals(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine, TileId tile,
                     const std::vector<Allocation> &allocations, const TileMemory &claimed,
                     std::vector<std::string> &findings) {
  TotalsChecker(program, ranges, machine, tile, allocations).compare(claimed, findings);
}

} // namespace popscope
