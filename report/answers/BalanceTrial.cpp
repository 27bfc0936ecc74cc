#include "report/answers/BalanceTrial.hpp"

#include "base/Parallel.hpp"

#include <numeric>
#include <set>

namespace popscope {
namespace {

constexpr std::size_t kTrialSegments = 64; // minimum number of segments per task

/// Returns the time until the segment's last signal arrives, or until the end of the run. In `balanced`, if it is not
/// null, all tiles have the same work.
std::uint64_t lengthOf(const RunReplay &run, const RunSegment &segment, const StepProgramInfo *balanced) {
  TileClocks clocks = run.clocks();
  if (segment.before != nullptr)
    startAfter(*segment.before, clocks);
  std::vector<std::uint64_t> even;
  for (std::size_t s = segment.first; s < segment.end; ++s) {
    const ReplayProgram &program = run.program(s);
    if (!segment.last && s + 1 == segment.end) { // the next segment begins with the last signal of this step
      for (std::size_t i = 0; i + 1 < program.barriers.size(); ++i)
        clocks.barrier(*program.barriers[i]);
      return clocks.lastSignal(*program.barriers.back());
    }
    const TileNumbers cycles = run.recordedCycles(s);
    std::span<const std::uint64_t> busy = cycles.byTile();
    if (program.info == balanced) {
      even.assign(busy.size(), evenWork(busy));
      busy = even;
    }
    passStep(program, busy, clocks);
  }
  return clocks.latest();
}

} // namespace

void BalanceTrial::add(RunReplay replay, const CriticalPath &path) {
  const RunReplay &run = runs_.emplace_back(std::move(replay));
  const std::size_t before = places_.size();
  for (const RunSegment &segment : run.segments()) {
    std::set<std::size_t> seen;
    for (std::size_t s = segment.first; s < segment.end; ++s)
      if (const std::size_t id = run.program(s).info->id;
          run.program(s).kind != ReplayProgram::Kind::Barriers && seen.insert(id).second)
        placesOf_[id].push_back(places_.size());
    places_.push_back({&run, segment, 0});
  }
  parallelRanges({}, places_.size() - before, kTrialSegments, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = before + first; i < before + end; ++i)
      places_[i].length = lengthOf(run, places_[i].segment, nullptr);
  });
  for (const auto &[id, sums] : path.byProgram) {
    const std::uint64_t work = sums.cycles - sums.counters;
    most_[id] += work - std::min(work, sums.even);
  }
}

std::uint64_t BalanceTrial::most(std::size_t program) const {
  const auto at = most_.find(program);
  return at == most_.end() ? 0 : at->second;
}

std::uint64_t BalanceTrial::saved(std::size_t program) const {
  const auto at = placesOf_.find(program);
  if (at == placesOf_.end())
    return 0;
  const std::vector<std::size_t> &places = at->second;
  std::vector<std::int64_t> shorter(places.size());
  parallelRanges({}, places.size(), kTrialSegments, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      const auto &[run, segment, length] = places_[places[i]];
      const StepProgramInfo *balanced = nullptr;
      for (std::size_t s = segment.first; balanced == nullptr; ++s)
        if (run->program(s).info->id == program)
          balanced = run->program(s).info;
      shorter[i] = static_cast<std::int64_t>(length) - static_cast<std::int64_t>(lengthOf(*run, segment, balanced));
    }
  });
  const std::int64_t sum = std::accumulate(shorter.begin(), shorter.end(), std::int64_t(0));
  return sum < 0 ? 0 : static_cast<std::uint64_t>(sum);
}

} // namespace popscope
