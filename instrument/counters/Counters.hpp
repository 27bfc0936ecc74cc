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
//
// What was made of a StepPattern serves each later step that has it: such a step is a few sums, whatever the tiles are.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
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
  void endRun(std::span<const Cycles> clocks) override;

private:
  /// What a step took of all tiles together.
  struct Attributed {
    Cycles work, reading, waiting;
  };
  /// What was made of the latest pattern of a step.
  struct Kept {
    std::shared_ptr<const StepPattern> pattern;
    Attributed attributed;
    std::shared_ptr<const StepRecord> record; // as if the origin were 0; null: not made, or not to be moved
  };
  void attribute(const StepEvent &event, Kept *kept);
  [[nodiscard]] Attributed attributeTiles(const StepEvent &event) const;
  /// Names the tile of which the event cannot be true.
  void checkTiles(const StepEvent &event, bool mayWait, bool idleMayWait) const;
  [[nodiscard]] Cycles attributedUpTo(std::size_t tile) const { return attributedOrigin_ + (*attributed_)[tile]; }
  [[nodiscard]] SharedTimes keepTimes(std::span<const Cycles> times);
  /// Before what is not to be told is left out, times from the event's origin on.
  [[nodiscard]] StepRecord record(const StepEvent &event) const;
  [[nodiscard]] double now() const;

  const StepProgram &program_;
  std::uint32_t tilesPerIpu_;
  ProfileSink &sink_;
  RecordedDetail detail_;
  RunTotals totals_;
  std::uint64_t runNumber_ = 0;
  std::string runLabel_;
  std::function<double()> hostMicroseconds_;
  Cycles attributedOrigin_; // per tile, sum of all kinds: this and what the tile has beyond it
  SharedTimes attributed_;
  std::shared_ptr<TileTimes> own_;
  std::unordered_map<std::uint32_t, Kept> kept_;           // by step; order never matters
  std::map<std::uint32_t, ControlFlowRecord> controlFlow_; // of this run, by program
};

} // namespace popscope
