#include "tests/check/identities/TileSums.hpp"

#include <algorithm>
#include <numeric>

namespace identities {
namespace {

std::uint64_t at(std::span<const popscope::Cycles> values, std::size_t tile) {
  return values.empty() ? 0 : values[tile].count();
}

} // namespace

void TileSums::beginRun(std::uint32_t, const std::string &) { std::fill(tiles_.begin(), tiles_.end(), TileSum()); }

void TileSums::step(const popscope::StepEvent &event) {
  const std::string name = "step " + std::to_string(event.step.index());
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    TileSum &tile = tiles_[t];
    const std::string where = name + " on tile " + std::to_string(t);
    const std::uint64_t begin = (event.origin + event.begin[t]).count(), end = (event.origin + event.end[t]).count();
    profile_check::expectEqual(findings_, where + ", enters and left", begin, tile.clock);
    const std::uint64_t work = event.busy[t].count(), counters = at(event.counters, t);
    profile_check::expectAtLeast(findings_, where + ", duration and work", end - begin, work + counters);
    tile.work[static_cast<std::size_t>(event.kind)] += work;
    tile.counters += counters;
    tile.waiting += end - begin - work - counters;
    tile.clock = end;
  }
}

void TileSums::endRun(std::span<const popscope::Cycles> clocks) {
  const std::uint64_t end = std::max_element(clocks.begin(), clocks.end())->count();
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    TileSum &tile = tiles_[t];
    tile.waiting += end - clocks[t].count();
    const std::uint64_t sum = std::accumulate(tile.work.begin(), tile.work.end(), tile.waiting + tile.counters);
    profile_check::expectEqual(findings_, "tile " + std::to_string(t) + ", its kinds and the cycles of the run", sum,
                               end);
    for (std::size_t k = 0; k < tile.work.size(); ++k)
      total_.work[k] += tile.work[k];
    total_.waiting += tile.waiting;
    total_.counters += tile.counters;
  }
  cycles_ += end;
}

} // namespace identities
