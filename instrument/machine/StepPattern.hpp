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
#include "instrument/machine/SlotCycles.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace popscope {

/// By tile.
using TileTimes = std::vector<std::uint64_t>;
using SharedTimes = std::shared_ptr<const TileTimes>;

/// Of an OnTileExecute.
struct VertexTypeSum {
  VertexTypeId type;
  std::uint64_t instances = 0;
  std::optional<std::uint64_t> cycles;
};

/// What a step asks of the tiles, as StepEvent has it.
struct StepWork {
  SharedTimes busy;
  std::uint64_t longest = 0;           // the most of busy
  TileTimes counters, dataIn, dataOut; // empty = none
  std::optional<std::uint64_t> threadCycles;
  std::vector<VertexTypeSum> types;
  std::shared_ptr<const SlotCycles> slots;
};

struct StepPattern {
  std::shared_ptr<const StepWork> work;
  SharedTimes before, after; // the same object where a step ends as the next one begins
  std::uint64_t advance = 0;
  SharedTimes start, end; // as StepEvent has them
};

} // namespace popscope
