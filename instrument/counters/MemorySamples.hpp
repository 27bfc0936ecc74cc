// MemorySamples: live memory at every n-th step of a run, for popscope.sampleMemory. Like StepStatistics it listens
// before any stage that drops events.
//
//   step      0    1    2    3    4    5    (steps with a point of liveness, in the order of their execution)
//   n = 2     *         *         *
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

#include <vector>

namespace popscope {

/// Returns live bytes per program, with always-live ones; no value for a program without a point of liveness.
[[nodiscard]] std::vector<std::optional<Bytes>> liveBytesByProgram(const CompilationRecord &record);

class MemorySamples : public EventSink {
public:
  /// Passes all events on to `next`. `records` gets the samples, several at a time. All three arguments must outlive
  /// this object. `every`: 1 or more.
  MemorySamples(std::uint64_t every, const std::vector<std::optional<Bytes>> &bytesByProgram, EventSink &next,
                ProfileSink &records);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const Cycles> clocks) override;
  /// Passes on the samples of a run that stopped early.
  void cutRun() { flush(); }

private:
  void flush();

  std::uint64_t every_;
  const std::vector<std::optional<Bytes>> &bytes_;
  EventSink &next_;
  ProfileSink &records_;
  std::uint64_t position_ = 0;
  Cycles cycle_;
  std::vector<MemorySampleRecord> samples_; // samples that are not passed on yet
};

} // namespace popscope
