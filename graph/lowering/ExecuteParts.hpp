// ExecuteParts: the state of one compute set between the placing of its operands and the building of its steps.
#pragma once
#include "graph/lowering/HomeRanges.hpp"
#include "graph/lowering/PrepareExecute.hpp"

#include <memory>

namespace popscope {

inline constexpr std::size_t kMaxMembers = 65535; // that are merged to one step: Access::member

/// Which bytes something reads and writes, as joinRanges makes them.
struct HomeUses {
  std::vector<HomeRange> reads, writes;
};
struct HomeUseSets {
  HomeRanges reads, writes;
};

/// How much moves between tiles and on tiles move, and where.
struct MovesSummary {
  Bytes bytes;
  bool remote = false, local = false;
  std::vector<IpuId> ipus; // ascending
};

struct ExecuteParts {
  ComputeSetId computeSet;      // of the graph; invalid = not placed yet
  const View *result = nullptr; // of the program
  // Moves to the operands, first between tiles. Gone once `before` has them, see movesBefore.
  Moves receive, gather;
  MovesSummary moved;  // of these
  LoweredSteps before; // of an occurrence without copies beside it; empty until there is one
  // Until `steps` are made:
  PreparedExecute placed;
  Moves scatter, send;
  LoweredSteps steps;                // the compute set, and what takes its results where they live
  std::unique_ptr<HomeUseSets> uses; // by all of its steps; null until a copy behind it is looked at
};

} // namespace popscope
