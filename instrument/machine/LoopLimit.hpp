// LoopLimit: stops a RepeatWhile that never ends, or that runs too long without a host copy. There are two cases:
//
//   RepeatWhileTrue(Sequence(), flag, body)   no step of the loop writes flag     error after one iteration
//   RepeatWhileTrue(cond, flag, body)         some step writes flag               error after `limit` without the host
//
// In the first case the loop certainly never ends. A loop also belongs to the second case if one of its steps can stop
// the run, print, or copy data from or to the host. In the second case, LoopLimit limits the processor time of the
// process. The time counts from the start of the loop. After an iteration with a copy from or to the host, the time
// restarts at 0. So a loop that exchanges data with the host, for example in a server, may run forever.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace popscope {

class LoopLimit {
public:
  /// Keeps a reference to `program`, which must outlive the object. `limit` is the maximum processor time that the
  /// process may spend in a loop without a copy from or to the host (0 = no limit).
  LoopLimit(const StepProgram &program, std::chrono::seconds limit) : program_(program), limit_(limit) {}

  /// Records a copy from or to the host.
  void hostTakesPart() { ++hostCopies_; }

  /// The state of one execution of a RepeatWhile.
  struct Loop {
    StepIndex step;
    std::uint64_t iterations = 0, hostCopies = 0; // hostCopies: the value of hostCopies_ when `began` was set
    std::chrono::nanoseconds began{0};            // processor time of the process at the loop's start, or when next()
                                                  // last found a new copy from or to the host
  };
  [[nodiscard]] Loop begin(StepIndex step) const;
  /// Counts an iteration. Call next() before the condition is evaluated again. Throws poplar::application_runtime_error
  /// if the loop never ends or exceeds the limit.
  void next(Loop &loop);

private:
  [[nodiscard]] bool neverEnds(StepIndex loop);
  [[nodiscard]] VarId predicateOf(StepIndex loop) const;
  [[nodiscard]] bool mayEnd(StepIndex step, VarId predicate, std::vector<bool> &visitedFunctions) const;
  [[nodiscard]] std::string describe(StepIndex loop) const;

  const StepProgram &program_;
  std::chrono::seconds limit_;
  std::uint64_t hostCopies_ = 0;
  std::unordered_set<std::uint32_t> mayEnd_; // loops for which mayEnd() returned true. Inner loops begin often, so each
                                             // subtree is searched only once
};

} // namespace popscope
