// RaceCheck: finds races, for debug.runtimeVerify. The bytes that vertices, copies and messages access do not depend on
// values, so RaceCheck checks each step only once, directly before its first execution.
#pragma once
#include "base/Parallel.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/ComputeGroups.hpp"

#include <vector>

namespace popscope {

class RaceCheck {
public:
  /// Keeps references to `program` and `groups`, which must outlive the check.
  RaceCheck(const StepProgram &program, const ComputeGroups &groups, Threads threads);

  /// Throws poplar::poplar_error if two vertices or copies of the step use the same elements and at least one of the
  /// two writes these elements. The error names both vertices or copies. If several tiles have a race, the error
  /// describes the race on the tile with the lowest number, independent of the number of threads.
  void checkExecute(StepIndex step);
  /// Throws InternalError if a message of the exchange writes bytes that the same or another message reads or writes.
  /// Lowering guarantees that these bytes are disjoint.
  void checkExchange(StepIndex step);

private:
  void checkTile(StepIndex step, const TileGroup &group) const;

  const StepProgram &program_;
  const ComputeGroups &groups_;
  Threads threads_;
  std::vector<bool> checked_; // per step: whether the step has been checked
};

} // namespace popscope
