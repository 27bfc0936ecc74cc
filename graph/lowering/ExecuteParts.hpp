// ExecuteParts: the state of one compute set between the placing of its operands and the building of its steps.
#pragma once
#include "graph/lowering/HomeRanges.hpp"
#include "graph/lowering/PrepareExecute.hpp"

#include <memory>

namespace popscope {

inline constexpr std::size_t kMaxMembers = 65535; // the maximum number of programs merged to one step: Access::member

/// The bytes that something reads and writes, as ranges that joinRanges has joined.
struct HomeUses {
  std::vector<HomeRange> reads, writes;
};
struct HomeUseSets {
  HomeRanges reads, writes;
};

/// The amount and the places of the moves between tiles and on tiles.
struct MovesSummary {
  Bytes bytes;
  bool remote = false, local = false;
  std::vector<IpuId> ipus; // ascending
  [[nodiscard]] bool any() const { return remote || local; }
};

struct ExecuteParts {
  ComputeSetId computeSet;      // the compute set in the graph; invalid = not placed yet
  const View *result = nullptr; // the program's result tensor
  // Moves to the operands: `receive` between tiles, `gather` within one. They are removed when `before` contains them
  // (see movesBefore).
  Moves receive, gather;
  MovesSummary moved;  // summary of receive and gather
  LoweredSteps before; // the steps of an occurrence without joined copies; empty if there is none yet
  // Until `steps` are made:
  PreparedExecute placed;
  Moves scatter, send;
  LoweredSteps steps;                // the compute set, and the moves of its results to their homes
  std::unique_ptr<HomeUseSets> uses; // the uses of all its steps; null until a later copy is examined
};

} // namespace popscope
