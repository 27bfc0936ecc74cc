// Counters: turns the machine's events into profile records. Listens as an EventSink, speaks to a ProfileSink.
//
// Every cycle of every tile is attributed: work to its kind, waiting at a sync and waiting for the end of the run to
// sync.
//
//   tile 0   |compute.......|sync..|exchange...|
//   tile 1   |compute..|sync.......|exchange.|s|      s: the tail until the slowest tile's end counts as sync
//
// A gap between two steps, or waiting inside a step that is not a sync, would be a cycle without a cause:
// InternalError.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

#include <functional>
#include <map>
#include <vector>

namespace popscope {

class Counters : public EventSink {
public:
  /// `program` and `sink` must outlive this. `program` is used for kinds and names only. What `detail` excludes is not
  /// passed on. `hostMicroseconds` gives the host clock of run records; without it they say 0.
  Counters(const StepProgram &program, std::uint32_t tilesPerIpu, ProfileSink &sink, RecordedDetail detail = {},
           std::function<double()> hostMicroseconds = {});
  /// What the records of the next runs say of themselves; without it run 0 and no label.
  void identifyRun(std::uint64_t number, std::string label);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const std::uint64_t> clocks) override;

private:
  void attribute(const StepEvent &event);
  /// Names the tile of which the event cannot be true.
  void checkTiles(const StepEvent &event, bool mayWait, bool idleMayWait) const;
  [[nodiscard]] double now() const;

  const StepProgram &program_;
  std::uint32_t tilesPerIpu_;
  ProfileSink &sink_;
  RecordedDetail detail_;
  RunTotals totals_;
  std::uint64_t runNumber_ = 0;
  std::string runLabel_;
  std::function<double()> hostMicroseconds_;
  std::vector<std::uint64_t> attributed_;                  // per tile, sum of all kinds
  std::map<std::uint32_t, ControlFlowRecord> controlFlow_; // of this run, by program
};

} // namespace popscope
