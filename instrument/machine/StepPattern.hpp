// StepPattern: an executed step but for when it is executed. The clocks of the tiles are an origin and, for each tile,
// what its clock has beyond it; a step that has the same work and finds the same differences leaves the same ones
// behind.
//
//   clocks before            origin + before[t]
//   clocks after             origin + end[t]  =  (origin + advance) + after[t]
//
// Who keeps something of a pattern knows by the address that a later step is the same: no number need be looked at.
#pragma once
#include "base/Ids.hpp"
#include "base/Units.hpp"
#include "instrument/machine/SlotCycles.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace popscope {

/// By tile.
using TileTimes = std::vector<Cycles>;
using TileData = std::vector<Bytes>;
using SharedTimes = std::shared_ptr<const TileTimes>;

/// Of an OnTileExecute.
struct VertexTypeSum {
  VertexTypeId type;
  std::uint64_t instances = 0;
  std::optional<Cycles> cycles;
};

/// What a step asks of the tiles, as StepEvent has it.
struct StepWork {
  SharedTimes busy;
  Cycles longest;           // the most of busy
  TileTimes counters;       // empty = none
  TileData dataIn, dataOut; // likewise
  std::optional<Cycles> threadCycles;
  std::vector<VertexTypeSum> types;
  std::shared_ptr<const SlotCycles> slots;
};

struct StepPattern {
  std::shared_ptr<const StepWork> work;
  SharedTimes before, after; // the same object where a step ends as the next one begins
  Cycles advance;
  SharedTimes start, end; // as StepEvent has them
};

} // namespace popscope
