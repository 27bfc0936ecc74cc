// MemorySamples: samples live memory during a run, for popscope.sampleMemory. MemorySamples counts an executed step if
// its program has a liveness step (CompilationRecord::livenessSteps). Loops, conditionals and recorded blocks do not
// count. MemorySamples takes a sample at every n-th counted step; n is the value of the option. In a chain of
// listeners, MemorySamples must come before listeners that drop events.
//
//   step      0    1    2    3    4    5    (steps with a liveness step, in the order of their execution)
//   n = 2     *         *         *
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

#include <vector>

namespace popscope {

/// Returns, per program, the live bytes of all tiles together, including always-live bytes. A program without a
/// liveness step has no value.
[[nodiscard]] std::vector<std::optional<Bytes>> liveBytesByProgram(const CompilationRecord &record);

class MemorySamples : public EventSink {
public:
  /// Makes a listener that passes all events on to `next`. Passes the samples to `records`, several at a time. `every`
  /// is the number of counted steps from one sample to the next, at least 1. The references must outlive this object.
  MemorySamples(std::uint64_t every, const std::vector<std::optional<Bytes>> &bytesByProgram, EventSink &next,
                ProfileSink &records);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const Cycles> clocks) override;
  /// Ends a run that stopped early: passes the run's samples to `records`.
  void cutRun() { flush(); }

private:
  void flush();

  std::uint64_t every_;
  const std::vector<std::optional<Bytes>> &bytes_;
  EventSink &next_;
  ProfileSink &records_;
  std::uint64_t position_ = 0;
  Cycles cycle_;
  std::vector<MemorySampleRecord> samples_; // samples that have not been passed to `records` yet
};

} // namespace popscope
