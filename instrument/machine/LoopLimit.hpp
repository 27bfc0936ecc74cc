// LoopLimit: ends a RepeatWhile that would never end. There are two cases:
//
//   RepeatWhileTrue(Sequence(), flag, body)   no step of the loop writes flag     an error after one iteration
//   RepeatWhileTrue(cond, flag, body)         some step writes flag               an error after `limit` without the host
//
// The first case is certain. The second is a limit on the processor time of the process, which starts again whenever
// the host takes part in the run: a loop that exchanges data with its host, as a server does, may run for ever.
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
  /// Makes the object. `limit`: processor time of one loop without the host; 0 = no limit. `program` must outlive it.
  LoopLimit(const StepProgram &program, std::chrono::seconds limit) : program_(program), limit_(limit) {}

  /// Records that the host takes part in the run.
  void hostTakesPart() { ++hostCopies_; }

  /// The state of one execution of a RepeatWhile.
  struct Loop {
    StepIndex step;
    std::uint64_t iterations = 0, hostCopies = 0;
    std::chrono::nanoseconds began{0}; // processor time
  };
  [[nodiscard]] Loop begin(StepIndex step) const;
  /// Counts an iteration of a loop that goes on. Throws poplar::application_runtime_error if the loop is endless.
  void next(Loop &loop);

private:
  [[nodiscard]] bool neverEnds(StepIndex loop);
  [[nodiscard]] VarId predicateOf(StepIndex loop) const;
  [[nodiscard]] bool mayEnd(StepIndex step, VarId predicate, std::vector<bool> &visitedFunctions) const;
  [[nodiscard]] std::string describe(StepIndex loop) const;

  const StepProgram &program_;
  std::chrono::seconds limit_;
  std::uint64_t hostCopies_ = 0;
  std::unordered_set<std::uint32_t> mayEnd_; // loops, by step, whose subtrees are examined: inner loops run often
};

} // namespace popscope
