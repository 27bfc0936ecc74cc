// ExecuteParts: the state of one compute set after its operands are placed and before its steps are built.
#pragma once
#include "graph/lowering/HomeRanges.hpp"
#include "graph/lowering/PrepareExecute.hpp"

#include <memory>

namespace popscope {

inline constexpr std::size_t kMaxMembers = 65535; // the maximum number of programs merged into one step, because
                                                  // Access::member has 16 bits

/// The bytes of homes that a copy or a compute set reads and writes, as ranges that joinRanges has joined.
struct HomeUses {
  std::vector<HomeRange> reads, writes;
};
struct HomeUseSets {
  HomeRanges reads, writes;
};

/// A summary of moves: the number of moved bytes, whether any move goes to another tile (`remote`), whether any move
/// stays within one tile (`local`), and the IPUs that take part.
struct MovesSummary {
  Bytes bytes;
  bool remote = false, local = false;
  std::vector<IpuId> ipus; // in ascending order
  [[nodiscard]] bool any() const { return remote || local; }
};

struct ExecuteParts {
  ComputeSetId computeSet;      // the compute set in the graph; invalid if not placed yet
  const View *result = nullptr; // the program's result tensor
  // The moves to the operands. Exchanges make the moves of `receive`, and copy vertices make the moves of `gather`.
  // Lowering removes the moves once `before` contains them (see movesBefore).
  Moves receive, gather;
  MovesSummary moved;  // summary of receive and gather
  LoweredSteps before; // the steps of `receive` and `gather` alone, for occurrences of the set that do not run together
                       // with a copy; empty until built
  // The members `placed`, `scatter` and `send` are valid until `steps` is built.
  PreparedExecute placed;
  Moves scatter, send;
  LoweredSteps steps;                // the compute set, and the moves of the set's results to homes
  std::unique_ptr<HomeUseSets> uses; // the uses of all steps of the set; null until MergeCopies examines a later copy
};

} // namespace popscope
