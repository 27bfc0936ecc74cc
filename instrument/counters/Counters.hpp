// Counters: turns the machine's events into profile records. Listens as an EventSink, speaks to a ProfileSink.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

#include <vector>

namespace popscope {

class Counters : public EventSink {
public:
  /// `sink` must outlive this. `program` is used for kinds and names only.
  Counters(const StepProgram &program, std::uint32_t tilesPerIpu, ProfileSink &sink);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const std::uint64_t> clocks) override;

private:
  const StepProgram &program_;
  std::uint32_t tilesPerIpu_;
  ProfileSink &sink_;
  RunTotals totals_;
  bool threadCyclesKnown_ = true;
  std::vector<std::uint64_t> attributed_; // per tile, sum of all kinds
};

} // namespace popscope
