// StepPattern: everything about an executed step except its time of execution.
//
// Idea: the clocks of the tiles are an origin plus a difference for each tile. A step with the same work that finds the
// same differences leaves the same differences.
//
//   clocks before            origin + before[t]
//   clocks after             origin + end[t]  =  (origin + advance) + after[t]
//
// Listeners compare patterns by address: an equal address means an equal step, and no number need be compared.
#pragma once
#include "base/Ids.hpp"
#include "base/Units.hpp"
#include "instrument/machine/SlotCycles.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace popscope {

/// One entry per tile.
using TileTimes = std::vector<Cycles>;
using TileData = std::vector<Bytes>;
using SharedTimes = std::shared_ptr<const TileTimes>;

/// The vertices of one type in an OnTileExecute.
struct VertexTypeSum {
  VertexTypeId type;
  std::uint64_t instances = 0;
  std::optional<Cycles> cycles;
};

/// The work of a step on the tiles, in the form of StepEvent.
struct StepWork {
  SharedTimes busy;
  Cycles longest;           // maximum of busy
  TileTimes counters;       // empty = none
  TileData dataIn, dataOut; // empty = none
  std::optional<Cycles> threadCycles;
  std::vector<VertexTypeSum> types;
  std::shared_ptr<const SlotCycles> slots;
};

struct StepPattern {
  std::shared_ptr<const StepWork> work;
  SharedTimes before, after; // `before` of a step is `after` of the previous one if the differences are the same
  Cycles advance;
  SharedTimes start, end; // start and end of each tile, in the form of StepEvent
};

} // namespace popscope
