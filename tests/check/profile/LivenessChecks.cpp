#include "tests/check/profile/LivenessChecks.hpp"

#include <algorithm>
#include <numeric>

namespace profile_check {
namespace {

std::uint64_t sum(const std::vector<std::uint64_t> &values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t(0));
}

void expectEqualLists(Findings &findings, const std::string &what, const std::vector<std::uint64_t> &left,
                      const std::vector<std::uint64_t> &right) {
  expectEqual(findings, what + ", how many", left.size(), right.size());
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i)
    expectEqual(findings, what + " " + std::to_string(i), left[i], right[i]);
}

} // namespace

Findings checkAlwaysLive(const LivenessFacts &liveness) {
  Findings findings;
  expectEqual(findings, "always-live bytes and variables", liveness.alwaysLive, liveness.alwaysLiveVariables);
  expectEqual(findings, "always-live bytes and tiles", liveness.alwaysLive, sum(liveness.alwaysLiveByTile));
  expectEqualLists(findings, "always-live bytes and variables on tile", liveness.alwaysLiveByTile,
                   liveness.alwaysLiveVariablesByTile);
  return findings;
}

Findings checkLiveSteps(const LivenessFacts &liveness) {
  Findings findings;
  for (std::size_t s = 0; s < liveness.steps.size(); ++s) {
    const LiveStepFacts &step = liveness.steps[s];
    const std::string name = "step " + std::to_string(s);
    expectEqual(findings, name + ", live bytes and variables", step.bytes, step.variables);
    expectEqual(findings, name + ", live bytes and IPUs", step.bytes, sum(step.byIpu));
    expectEqual(findings, name + ", live bytes and tiles", step.bytes, sum(step.byTile));
    expectEqualLists(findings, name + ", live bytes and variables of IPU", step.byIpu, step.variablesByIpu);
    expectEqualLists(findings, name + ", live bytes and variables of tile", step.byTile, step.variablesByTile);
    std::vector<std::uint64_t> ipus(step.byIpu.size());
    for (std::size_t t = 0; t < step.byTile.size(); ++t)
      ipus.at(t / liveness.tilesPerIpu) += step.byTile[t];
    expectEqualLists(findings, name + ", live bytes of IPU and its tiles", step.byIpu, ipus);
  }
  return findings;
}

Findings checkLivePeaks(const LivenessFacts &liveness, const MemoryFacts &memory) {
  Findings findings;
  std::uint64_t peak = 0;
  std::vector<std::uint64_t> tiles(liveness.notAlwaysLiveByTile.size());
  for (const LiveStepFacts &step : liveness.steps) {
    peak = std::max(peak, step.bytes);
    for (std::size_t t = 0; t < tiles.size(); ++t)
      tiles[t] = std::max(tiles[t], step.byTile.at(t));
  }
  expectEqual(findings, "most live bytes and always-live + fullest step", liveness.maxLive, liveness.alwaysLive + peak);
  expectEqualLists(findings, "most live bytes and fullest step of tile", liveness.notAlwaysLiveByTile, tiles);
  for (std::size_t t = 0; t < tiles.size(); ++t)
    expectAtLeast(findings, "bytes used and live on tile " + std::to_string(t), memory.tiles.at(t).excluding,
                  liveness.alwaysLiveByTile[t] + tiles[t]);
  return findings;
}

} // namespace profile_check
