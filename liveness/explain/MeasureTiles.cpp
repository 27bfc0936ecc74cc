#include "liveness/explain/MeasureTiles.hpp"

#include "base/Parallel.hpp"

#include <algorithm>
#include <utility>

namespace popscope {
namespace {

TilePeak peakOfHomes(const StepProgram &program, const LiveRanges &ranges, const std::vector<HomeId> &homes,
                     PeakOf what) {
  std::vector<std::pair<std::uint32_t, std::int64_t>> changes; // step, bytes
  std::int64_t always = 0;
  for (const HomeId home : homes) {
    const VarId var = program.homes[home].var;
    const auto bytes = static_cast<std::int64_t>(program.homeBytes(home).count());
    if (ranges.always[var] != 0) {
      always += bytes;
      continue;
    }
    const auto ofHome = what == PeakOf::Live ? ranges.liveOf(var, home) : ranges.occupiedOf(var, home);
    for (const StepInterval &i : ranges.intervalsOf(ofHome)) {
      changes.emplace_back(i.begin.index(), bytes);
      changes.emplace_back(i.end.index(), -bytes);
    }
  }
  std::sort(changes.begin(), changes.end()); // at equal steps, ends come before begins
  TilePeak peak{Bytes(always), StepIndex(0)};
  std::int64_t now = always;
  for (const auto &[step, bytes] : changes) {
    now += bytes;
    if (now > static_cast<std::int64_t>(peak.bytes.count()))
      peak = {Bytes(now), StepIndex(step)};
  }
  return peak;
}

} // namespace

TilePeak peakOfTile(const StepProgram &program, const LiveRanges &ranges, TileId tile, PeakOf what) {
  std::vector<HomeId> homes;
  for (std::size_t h = 0; h < program.homes.size(); ++h)
    if (program.homes.raw()[h].tile == tile)
      homes.push_back(program.homes.idAt(h));
  return peakOfHomes(program, ranges, homes, what);
}

std::vector<TilePeak> peakOfTiles(const StepProgram &program, const LiveRanges &ranges, Threads threads) {
  std::vector<std::vector<HomeId>> homes(program.numTiles);
  for (std::size_t h = 0; h < program.homes.size(); ++h)
    homes[program.homes.raw()[h].tile.index()].push_back(program.homes.idAt(h));
  std::vector<TilePeak> peaks(homes.size());
  parallelFor(
      threads, homes.size(), [&](std::size_t t) { peaks[t] = peakOfHomes(program, ranges, homes[t], PeakOf::Live); },
      16);
  return peaks;
}

Bytes peakOfDevice(const LiveRanges &ranges) {
  Bytes peak;
  for (const Bytes live : ranges.liveBytes)
    peak = std::max(peak, live);
  return peak + ranges.alwaysLiveBytes;
}

} // namespace popscope
