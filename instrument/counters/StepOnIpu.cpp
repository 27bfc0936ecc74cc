#include "instrument/counters/StepOnIpu.hpp"

#include "base/Check.hpp"

#include <algorithm>

namespace popscope {
namespace {

struct Range { // of cycles, over tiles
  std::uint64_t min = ~std::uint64_t(0), max = 0;
  void add(std::uint64_t v) {
    min = std::min(min, v);
    max = std::max(max, v);
  }
};

} // namespace

StepOnIpu summariseTiles(const StepEvent &event, std::size_t firstTile, std::size_t endTile) {
  POPSCOPE_CHECK(firstTile < endTile && endTile <= event.begin.size(), "tiles [{}, {}) of {}", firstTile, endTile,
                 event.begin.size());
  StepOnIpu result;
  Range from, to, activeFrom, activeTo;
  for (std::size_t t = firstTile; t < endTile; ++t) {
    from.add(event.begin[t]);
    to.add(event.end[t]);
    if (!event.dataIn.empty()) {
      result.dataIn += event.dataIn[t];
      result.dataOut += event.dataOut[t];
      result.maxTileData = std::max(result.maxTileData, event.dataIn[t] + event.dataOut[t]);
    }
    if (event.busy[t] == 0)
      continue;
    ++result.activeTiles;
    result.busyCycles += event.busy[t];
    activeFrom.add(event.start[t]);
    activeTo.add(event.start[t] + event.busy[t]);
  }
  result.allFromMin = from.min, result.allFromMax = from.max;
  result.allToMin = to.min, result.allToMax = to.max;
  if (result.activeTiles != 0) {
    result.activeFromMin = activeFrom.min, result.activeFromMax = activeFrom.max;
    result.activeToMin = activeTo.min, result.activeToMax = activeTo.max;
    result.cycles = activeTo.max - activeFrom.min;
  }
  return result;
}

} // namespace popscope
