#include "instrument/counters/StepOnIpu.hpp"

#include "base/Check.hpp"
#include "base/Extent.hpp"
#include "base/WideLoops.hpp"

#include <algorithm>
#include <tuple>

namespace popscope {
namespace {

constexpr std::uint64_t kNever = ~std::uint64_t(0);

/// Minima, maxima and sums over the active tiles.
struct Active {
  std::uint64_t tiles = 0, busy = 0, fromMin = kNever, fromMax = 0, toMin = kNever, toMax = 0;
};

POPSCOPE_WIDE_LOOPS Active activeOf(std::span<const Cycles> startOf, std::span<const Cycles> busyOf) {
  const std::span<const std::uint64_t> start = numbersOf(startOf), busy = numbersOf(busyOf);
  std::uint64_t idle = 0, sum = 0, fromMin = kNever, fromMax = 0, toMin = kNever, toMax = 0;
  for (std::size_t t = 0; t < busy.size(); ++t) {
    const std::uint64_t none = maskOf(busy[t] == 0), end = start[t] + busy[t];
    idle -= none;
    sum += busy[t];
    fromMin = std::min(fromMin, start[t] | none);
    fromMax = std::max(fromMax, start[t] & ~none);
    toMin = std::min(toMin, end | none);
    toMax = std::max(toMax, end & ~none);
  }
  return {busy.size() - idle, sum, fromMin, fromMax, toMin, toMax};
}

POPSCOPE_WIDE_LOOPS void addData(std::span<const Bytes> inOf, std::span<const Bytes> outOf, StepOnIpu &result) {
  const std::span<const std::uint64_t> in = numbersOf(inOf), out = numbersOf(outOf);
  std::uint64_t dataIn = 0, dataOut = 0, most = 0;
  for (std::size_t t = 0; t < in.size(); ++t) {
    dataIn += in[t];
    dataOut += out[t];
    most = std::max(most, in[t] + out[t]);
  }
  result.dataIn = Bytes(dataIn);
  result.dataOut = Bytes(dataOut);
  result.maxTileData = Bytes(most);
}

} // namespace

StepOnIpu summariseTiles(const StepEvent &event, std::size_t firstTile, std::size_t endTile) {
  POPSCOPE_CHECK(firstTile < endTile && endTile <= event.begin.size(), "tiles [{}, {}) of {}", firstTile, endTile,
                 event.begin.size());
  const auto ofIpu = [&](const auto &byTile) { return byTile.subspan(firstTile, endTile - firstTile); };
  StepOnIpu result;
  std::tie(result.allFromMin, result.allFromMax) = extentOf(ofIpu(event.begin));
  std::tie(result.allToMin, result.allToMax) = extentOf(ofIpu(event.end));
  if (!event.dataIn.empty())
    addData(ofIpu(event.dataIn), ofIpu(event.dataOut), result);
  const Active active = activeOf(ofIpu(event.start), ofIpu(event.busy));
  result.activeTiles = active.tiles;
  result.busyCycles = Cycles(active.busy);
  if (active.tiles != 0) {
    result.activeFromMin = Cycles(active.fromMin), result.activeFromMax = Cycles(active.fromMax);
    result.activeToMin = Cycles(active.toMin), result.activeToMax = Cycles(active.toMax);
    result.cycles = result.activeToMax - result.activeFromMin;
  }
  return result;
}

} // namespace popscope
