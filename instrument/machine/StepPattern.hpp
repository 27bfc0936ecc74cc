// StepPattern: the work and the clocks of an executed step, without the origin of the clocks.
//
// Idea: the clocks of the tiles are an origin plus a difference for each tile. If two executions of a step have the
// same work and start with the same differences, the executions end with the same differences.
//
//   clocks before            origin + before[t]
//   clocks after             origin + end[t]  =  (origin + advance) + after[t]
//
// Listeners compare patterns by address. If two executions of a step have the same pattern object, the executions
// differ only in their origin. So listeners compare no numbers.
#pragma once
#include "base/Ids.hpp"
#include "base/Units.hpp"
#include "instrument/machine/SlotCycles.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace popscope {

/// Values with one entry per tile.
using TileTimes = std::vector<Cycles>;
using TileData = std::vector<Bytes>;
using SharedTimes = std::shared_ptr<const TileTimes>;

/// The vertices of one type in an OnTileExecute.
struct VertexTypeSum {
  VertexTypeId type;
  std::uint64_t instances = 0;
  std::optional<Cycles> cycles;
};

/// The work of a step on the tiles, as in StepEvent.
struct StepWork {
  SharedTimes busy;
  Cycles longest;           // maximum of busy
  TileTimes counters;       // empty = no counters are read
  TileData dataIn, dataOut; // empty = no data is moved
  std::optional<Cycles> threadCycles;
  std::vector<VertexTypeSum> types;
  std::shared_ptr<const SlotCycles> slots;
};

struct StepPattern {
  std::shared_ptr<const StepWork> work;
  SharedTimes before, after; // clock differences before and after the step. In most cases, `before` is the same object
                             // as the previous step's `after`; otherwise, `before` is another object with equal values
  Cycles advance, latest;    // minimum and maximum of `end`
  SharedTimes start, end;    // per tile, as in StepEvent
};

} // namespace popscope
