// RaceCheck: debug.runtimeVerify. The bytes that vertices use do not depend on values, so each step is checked once,
// just before its first execution.
#pragma once
#include "base/Parallel.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/ComputeGroups.hpp"

#include <vector>

namespace popscope {

class RaceCheck {
public:
  /// Makes the check. Both references must outlive it.
  RaceCheck(const StepProgram &program, const ComputeGroups &groups, Threads threads);

  /// Throws poplar::poplar_error, which names two vertices of the step that use the same elements, of which at least
  /// one writes them. The error does not depend on the number of threads: it is the error of the lowest tile.
  void checkExecute(StepIndex step);
  /// Throws InternalError if a message of the exchange writes what another message, or itself, reads or writes.
  /// Lowering guarantees that they are disjoint.
  void checkExchange(StepIndex step);

private:
  void checkTile(StepIndex step, const TileGroup &group) const;

  const StepProgram &program_;
  const ComputeGroups &groups_;
  Threads threads_;
  std::vector<bool> checked_; // per step
};

} // namespace popscope
