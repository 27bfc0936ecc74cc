// Counters: turns the machine's events into profile records. It is an EventSink and writes to a ProfileSink.
//
// Every cycle of every tile is attributed. Work counts for its kind; waiting at a sync and waiting for the end of the
// run count as sync.
//
//   tile 0   |compute.......|sync..|exchange...|
//   tile 1   |compute..|sync.......|exchange.|s|      s: the tail until the slowest tile's end counts as sync
//
// Invariant: attributed times have no gaps. A gap between two steps, or waiting inside a step that is not a sync, is a
// cycle without a cause: InternalError.
//
// The result for a StepPattern is kept and serves each later step with the same pattern. Such a step costs a few sums,
// whatever the number of tiles; other steps are linear in tiles.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace popscope {

class Counters : public EventSink {
public:
  /// Makes counters. `program` and `sink` must outlive them; `program` is used for kinds and names only. `detail`: what
  /// to leave out. `hostMicroseconds` is the host clock of run records; without it they contain 0.
  Counters(const StepProgram &program, std::uint32_t tilesPerIpu, ProfileSink &sink, RecordedDetail detail = {},
           std::function<double()> hostMicroseconds = {});
  /// Sets the number and label of the next runs; without a call, runs have number 0 and no label.
  void identifyRun(std::uint64_t number, std::string label);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const Cycles> clocks) override;

private:
  /// The sums of a step over all tiles.
  struct Attributed {
    Cycles work, reading, waiting;
  };
  /// The results for the latest pattern of a step.
  struct Kept {
    std::shared_ptr<const StepPattern> pattern;
    Attributed attributed;
    std::shared_ptr<const StepRecord>
        record; // the record for an origin of 0; null if it is not made yet or cannot be moved
  };
  void attribute(const StepEvent &event, Kept *kept);
  [[nodiscard]] Attributed attributeTiles(const StepEvent &event) const;
  /// Throws InternalError, which names the tile that breaks a rule of the event.
  void checkTiles(const StepEvent &event, bool mayWait, bool idleMayWait) const;
  [[nodiscard]] Cycles attributedUpTo(std::size_t tile) const { return attributedOrigin_ + (*attributed_)[tile]; }
  [[nodiscard]] SharedTimes keepTimes(std::span<const Cycles> times);
  /// Returns the full record, before limitDetail, with times from the event's origin on.
  [[nodiscard]] StepRecord record(const StepEvent &event) const;
  [[nodiscard]] std::optional<double> now() const;

  const StepProgram &program_;
  std::uint32_t tilesPerIpu_;
  ProfileSink &sink_;
  RecordedDetail detail_;
  RunTotals totals_;
  std::uint64_t runNumber_ = 0;
  std::string runLabel_;
  std::function<double()> hostMicroseconds_;
  Cycles attributedOrigin_; // per tile, the sum of all kinds is this plus the tile's entry in attributed_
  SharedTimes attributed_;
  std::shared_ptr<TileTimes> own_;
  std::unordered_map<std::uint32_t, Kept> kept_;           // key: the step; the order never matters
  std::map<std::uint32_t, ControlFlowRecord> controlFlow_; // control flow of this run, by program
};

} // namespace popscope
