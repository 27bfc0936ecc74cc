// Counters: an EventSink that turns the machine's events into profile records and writes them to a ProfileSink.
//
// Every cycle of every tile is attributed to a kind of time, except the cycles of reading counters.
// RunTotals::unattributed is the sum of the cycles of reading counters. Work has the kind of its step. Waiting has the
// kind Sync, whether a tile waits at a sync, for the common start or end of an exchange, or for the end of the run.
//
//   tile 0   |compute.......|sync..|exchange...|
//   tile 1   |compute..|sync.......|exchange.|s|     s = sync: the time until the slowest tile's end
//
// Invariant: attributed times have no gaps. Counters throws an InternalError if the clock of a tile advances between
// two steps. Counters also throws an InternalError for a tile that waits although the tile must not wait. In a sync,
// any tile may wait. In an exchange or host copy, only a tile with work may wait. In any other step, no tile may wait.
//
// Counters keeps the result for the latest StepPattern of each step, and reuses this result for later executions with
// the same pattern. If the pattern's `before` is the same object as `after` of the previous step's pattern, the reuse
// takes a few additions for any number of tiles. In all other cases, an execution takes time linear in the number of
// tiles.
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
  /// Keeps references to `program` and `sink`, which must outlive the counters. `detail` states which data the records
  /// contain. `hostMicroseconds` returns the host time for run records; without this function, run records contain no
  /// host time.
  Counters(const StepProgram &program, std::uint32_t tilesPerIpu, ProfileSink &sink, RecordedDetail detail = {},
           std::function<double()> hostMicroseconds = {});
  /// Sets the number and the label of the following runs. Without a call, runs have number 0 and no label.
  void identifyRun(std::uint64_t number, std::string label);
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const Cycles> clocks) override;

private:
  /// Sums of a step's cycles over all tiles.
  struct Attributed {
    Cycles work, reading, waiting;
  };
  /// The results for the latest pattern of a step.
  struct Kept {
    std::shared_ptr<const StepPattern> pattern;
    Attributed attributed;
    /// The step's record with times as if the event's origin were 0. `record` is null if the record has not been made
    /// yet, or if its times cannot be shifted to another origin.
    std::shared_ptr<const StepRecord> record;
  };
  void attribute(const StepEvent &event, Kept *kept);
  [[nodiscard]] Attributed attributeTiles(const StepEvent &event) const;
  /// Throws InternalError if the event breaks the invariant; the message contains the tile.
  void checkTiles(const StepEvent &event, bool mayWait, bool idleMayWait) const;
  [[nodiscard]] Cycles attributedUpTo(std::size_t tile) const { return attributedOrigin_ + (*attributed_)[tile]; }
  [[nodiscard]] SharedTimes keepTimes(std::span<const Cycles> times);
  /// Returns the full record, before limitDetail removes data. Times count from the event's origin.
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
  Cycles attributedOrigin_; // the sum of attributedOrigin_ and a tile's entry in attributed_ is the number of
                            // attributed cycles of the tile, over all kinds
  SharedTimes attributed_;
  std::shared_ptr<TileTimes> own_;
  std::unordered_map<std::uint32_t, Kept> kept_;           // by step; the map's order is never used
  std::map<std::uint32_t, ControlFlowRecord> controlFlow_; // records of the current run, by program
};

} // namespace popscope
