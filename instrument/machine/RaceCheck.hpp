// RaceCheck: debug.runtimeVerify. Which bytes vertices use does not depend on values, so each step is checked once,
// just before it first runs.
#pragma once
#include "base/Parallel.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/ComputeGroups.hpp"

#include <vector>

namespace popscope {

class RaceCheck {
public:
  /// Both must outlive this.
  RaceCheck(const StepProgram &program, const ComputeGroups &groups, Threads threads);

  /// Throws poplar::poplar_error naming two vertices of the step that use the same elements, one writing. The same
  /// error for 1 and N threads: the lowest tile's.
  void checkExecute(StepIndex step);
  /// InternalError when a message of the exchange writes what another one, or itself, reads or writes: lowering
  /// guarantees that they are disjoint.
  void checkExchange(StepIndex step);

private:
  void checkTile(StepIndex step, const TileGroup &group) const;

  const StepProgram &program_;
  const ComputeGroups &groups_;
  Threads threads_;
  std::vector<bool> checked_; // by step
};

} // namespace popscope
