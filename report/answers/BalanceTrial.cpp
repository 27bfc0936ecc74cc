#include "report/answers/BalanceTrial.hpp"

#include "base/Parallel.hpp"

#include <numeric>
#include <set>

namespace popscope {
namespace {

constexpr std::size_t kTrialSegments = 64; // minimum number of segments per task

/// Passes a step of the segment. The segment ends before the last barrier of its last step, unless the run ends there.
void passIn(const RunSegment &segment, std::size_t step, const ReplayProgram &program,
            std::span<const std::uint64_t> busy, TileClocks &clocks) {
  if (segment.last || step + 1 != segment.end)
    return passStep(program, busy, clocks);
  for (std::size_t i = 0; i + 1 < program.barriers.size(); ++i)
    clocks.barrier(*program.barriers[i]);
}

/// Returns the cycles by which the segment becomes shorter if all tiles have the same work in `balanced`. The length of
/// a segment is the time until its last signal arrives, or until the end of the run.
std::int64_t savedIn(const RunReplay &run, const RunSegment &segment, const StepProgramInfo *balanced) {
  TileClocks recorded = run.clocks();
  if (segment.before != nullptr)
    startAfter(*segment.before, recorded);
  TileClocks even = recorded;
  std::vector<std::uint64_t> mean;
  const auto lengthOf = [&](const TileClocks &clocks) {
    return static_cast<std::int64_t>(segment.last ? clocks.latest()
                                                  : clocks.lastSignal(*run.program(segment.end - 1).barriers.back()));
  };
  for (std::size_t s = segment.first; s < segment.end; ++s) {
    const ReplayProgram &program = run.program(s);
    const TileNumbers cycles = run.recordedCycles(s);
    std::span<const std::uint64_t> busy = cycles.byTile();
    passIn(segment, s, program, busy, recorded);
    if (program.info == balanced) {
      mean.assign(busy.size(), evenWork(busy));
      busy = mean;
    }
    passIn(segment, s, program, busy, even);
  }
  return lengthOf(recorded) - lengthOf(even);
}

} // namespace

void BalanceTrial::add(RunReplay replay, const CriticalPath &path) {
  const RunReplay &run = runs_.emplace_back(std::move(replay));
  for (const RunSegment &segment : run.segments()) {
    std::set<std::size_t> seen;
    for (std::size_t s = segment.first; s < segment.end; ++s)
      if (const std::size_t id = run.program(s).info->id;
          run.program(s).kind != ReplayProgram::Kind::Barriers && seen.insert(id).second)
        placesOf_[id].push_back(places_.size());
    places_.push_back({&run, segment});
  }
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
      const auto &[run, segment] = places_[places[i]];
      const StepProgramInfo *balanced = nullptr;
      for (std::size_t s = segment.first; balanced == nullptr; ++s)
        if (run->program(s).info->id == program)
          balanced = run->program(s).info;
      shorter[i] = savedIn(*run, segment, balanced);
    }
  });
  const std::int64_t sum = std::accumulate(shorter.begin(), shorter.end(), std::int64_t(0));
  return sum < 0 ? 0 : static_cast<std::uint64_t>(sum);
}

} // namespace popscope
