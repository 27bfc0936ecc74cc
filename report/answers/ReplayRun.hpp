// Replays a recorded run on clocks of its tiles. docs/inside/profile-file.md ("Simulate a step again") lists the data
// that a replay reads from the profile. target-models/timing/TileClocks.hpp states how the clocks advance.
//
// Invariant: a replay with the recorded cycles ends at the recorded length of the run. If a replay ends at another
// time, the run depends on data that the file does not contain, and the run cannot be replayed.
//
// Idea: after a barrier of all tiles, the clocks depend only on the time of the barrier's last signal. So the steps
// between two such barriers can be replayed independently, with clocks that count from the first barrier (RunSegment).
#pragma once
#include "base/Extent.hpp"
#include "report/answers/StepTimes.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace popscope {

/// The delays of one kind of barrier in cycles, for each tile of one replica.
struct BarrierDelay {
  /// The delays of a tile that only takes part in barriers.
  struct Idle {
    std::uint64_t toController = 0, fromController = 0;
    friend bool operator==(const Idle &, const Idle &) = default;
  };
  std::string kind; // "internal", ...
  std::vector<std::uint64_t> toController, fromController;
  bool acrossIpus = false;
  /// The delays of the furthest idle tile, if the replica has only a part of the tiles of an IPU (popscope whatif).
  std::optional<Idle> idle = {};
  friend bool operator==(const BarrierDelay &, const BarrierDelay &) = default;
};

/// An exchange or barrier at which the tiles [first, end) waited for each other. These tiles are all tiles, or the
/// tiles of one IPU.
struct TileMeeting {
  std::size_t first = 0, end = 0;
  std::size_t last = 0;     // for an exchange: the tile that arrived last; for a barrier: the tile whose signal arrived
                            // last; of equally late tiles, the tile with the lowest number
  std::size_t longest = 0;  // for an exchange: the tile with the most busy cycles
  std::uint64_t begin = 0;  // for an exchange: the start of the exchange; for a barrier: the time at which the last
                            // signal reached the controller
  std::uint64_t finish = 0; // for an exchange: the end of the exchange
  bool any = false;         // true if at least one tile took part
};

/// The clocks of the tiles. Each IPU also has one clock for its idle tiles, which only take part in barriers. If no
/// barrier has an idle tile (BarrierDelay::idle), this clock stays 0.
class TileClocks {
public:
  TileClocks(std::size_t tiles, std::size_t perIpu) : perIpu_(perIpu), now_(tiles), idle_(tiles / perIpu) {}
  [[nodiscard]] const std::vector<std::uint64_t> &now() const { return now_; }
  /// Returns the latest clock of all tiles, including idle tiles.
  [[nodiscard]] std::uint64_t latest() const;
  /// Returns the time at which the last signal would reach the controller if all tiles entered a barrier now.
  [[nodiscard]] std::uint64_t lastSignal(const BarrierDelay &delay) const;
  /// Returns whether the clocks of all tiles except idle tiles are equal.
  [[nodiscard]] bool level() const;
  /// Sets all clocks to 0.
  void reset() { now_.assign(now_.size(), 0), idle_.assign(idle_.size(), 0); }
  /// Sets the clocks to `now`, except the clocks of idle tiles.
  void set(const std::vector<std::uint64_t> &now) { now_ = now; }
  /// Sets the clocks to their values after a barrier of all tiles with these delays. Time counts from the last signal
  /// of the barrier.
  void startAfter(const BarrierDelay &delay);
  /// Advances each tile's clock by its `busy` cycles. Returns the latest clock.
  std::uint64_t work(std::span<const std::uint64_t> busy);
  /// Advances the clocks over an exchange. The exchange connects all IPUs if `across` is true. Appends the exchange's
  /// meetings to `met` if `met` is not null.
  void exchange(std::span<const std::uint64_t> busy, bool across, std::vector<TileMeeting> *met = nullptr);
  /// Advances the clocks over an exchange in which all tiles are busy and the slowest tile is busy for `longest`
  /// cycles.
  void exchangeOfAll(std::uint64_t longest) { now_.assign(now_.size(), mostOf(now_) + longest); }
  /// Advances the clocks over a barrier. If `met` is not null, appends the barrier's meetings to `met`; in this case,
  /// the barrier must have no idle tile.
  void barrier(const BarrierDelay &delay, std::vector<TileMeeting> *met = nullptr);

private:
  /// Returns the time at which the last signal of the tiles [first, end) reaches the controller.
  [[nodiscard]] std::uint64_t lastSignal(const BarrierDelay &delay, std::size_t first, std::size_t end) const;

  std::size_t perIpu_;
  std::vector<std::uint64_t> now_;
  std::vector<std::uint64_t> idle_; // per IPU
};

/// A program with the data for its replay.
struct ReplayProgram {
  enum class Kind : std::uint8_t { Work, Exchange, ExchangeAcross, Barriers } kind = Kind::Work;
  const StepProgramInfo *info = nullptr;
  std::vector<const BarrierDelay *> barriers;
  std::vector<std::uint64_t> counters; // per tile: cycles of reading counters after the program's work; empty if no
                                       // tile reads counters
};

/// The steps [first, end) between two barriers of all tiles. Step end - 1 passes the second barrier, or is the run's
/// last step.
struct RunSegment {
  std::size_t first = 0, end = 0;
  /// The program whose last barrier precedes the segment. Null for the first segment of a run.
  const ReplayProgram *before = nullptr;
  bool last = false; // true: the segment ends with the run, and not with a barrier
};

/// One number per tile. The number is 0 for tiles that the file leaves out.
class TileNumbers {
public:
  TileNumbers() = default;
  TileNumbers(pva::Values values, std::size_t tiles);
  [[nodiscard]] std::span<const std::uint64_t> byTile() const { return all_; }

private:
  pva::Values values_;
  std::shared_ptr<const std::vector<std::uint64_t>> filled_; // the numbers of all tiles, if the file has fewer numbers
                                                             // than tiles; otherwise null
  std::span<const std::uint64_t> all_;
};

/// Returns the reason why the counters of a device do not record the time of each tile in each step, and the options to
/// set.
[[nodiscard]] std::string whyCountersLack(const pva::InstrumentationSettings &settings);

class RunReplay {
public:
  /// Prepares the replay of the run at position `run` of the report. `programs` must outlive the object. Throws
  /// AnswerError if the tiles of a replica do not form whole IPUs.
  RunReplay(const pva::Report &report, StepPrograms &programs, std::size_t run);

  [[nodiscard]] std::size_t tiles() const { return tiles_; }
  [[nodiscard]] std::size_t tilesPerIpu() const { return perIpu_; }
  [[nodiscard]] std::size_t steps() const { return steps_.size(); }
  [[nodiscard]] const ReplayProgram &program(std::size_t step) const { return *steps_[step]; }
  /// Returns the recorded busy cycles per tile; all are 0 for a barrier. Several threads may call this function at the
  /// same time.
  [[nodiscard]] TileNumbers recordedCycles(std::size_t step) const;
  [[nodiscard]] pva::ExecutionStep stepAt(std::size_t step) const { return list_[step]; }
  /// Returns clocks of all tiles, set to 0.
  [[nodiscard]] TileClocks clocks() const { return {tiles_, perIpu_}; }
  /// Returns the segments in order. There is at least one segment; the last segment may have no steps.
  [[nodiscard]] std::vector<RunSegment> segments() const;
  [[nodiscard]] bool oneIpu() const { return tiles_ == perIpu_; }
  /// Returns whether all tiles pass this barrier together.
  [[nodiscard]] bool ofAllTiles(const BarrierDelay &delay) const { return delay.acrossIpus || oneIpu(); }
  /// Returns the recorded cycles of the run.
  [[nodiscard]] std::uint64_t length() const { return length_; }
  /// Returns the reason why the run cannot be replayed. "" means that the file has the data for a replay. The replay is
  /// valid if the replay ends at the time length().
  [[nodiscard]] const std::string &lacks() const { return lacks_; }
  /// Returns the reason why a replay with the recorded cycles is invalid if the replay ended at `end`, or "" for a
  /// valid replay.
  [[nodiscard]] std::string whyNot(std::uint64_t end) const;

private:
  std::size_t tiles_ = 0, perIpu_ = 0;
  std::uint64_t length_ = 0;
  pva::List<pva::ExecutionStep> list_;
  std::map<std::string, BarrierDelay> delays_;
  std::map<std::size_t, ReplayProgram> programs_; // by id
  std::vector<const ReplayProgram *> steps_;
  std::shared_ptr<const std::vector<std::uint64_t>> zeros_; // per tile
  std::string lacks_;
  std::string uncounted_;       // the steps that the device did not count, and the remedy; "" if the device counted all
                                // steps
  bool controlCounted_ = false; // a device counted the control flow of the run
  bool blocksRecorded_ = false; // a device recorded blocks
};

/// The meetings of one step. An object can be reused for the next step and then keeps its memory.
struct StepMeetings {
  std::size_t count = 0;                          // number of valid entries below: one per exchange or barrier, 0 for
                                                  // work
  std::vector<std::vector<std::uint64_t>> before; // per exchange or barrier: the clocks before it
  std::vector<std::vector<TileMeeting>> met;      // per exchange or barrier: its meetings

  /// Stores `clocks` as the clocks before the step's next exchange or barrier. Returns the empty list for the meetings
  /// of this exchange or barrier.
  std::vector<TileMeeting> &next(const TileClocks &clocks);
};

/// Advances the clocks over one step, and stores its meetings in `seen` if `seen` is not null.
void passStep(const ReplayProgram &program, std::span<const std::uint64_t> busy, TileClocks &clocks,
              StepMeetings *seen = nullptr);

/// Returns the mean work of a tile, rounded up. With perfect balance, each tile has this work.
[[nodiscard]] std::uint64_t evenWork(std::span<const std::uint64_t> busy);

/// Sets the clocks to their values after the last barrier of `before` and the reading of the counters of `before`. All
/// tiles must pass this barrier. Time counts from the barrier's last signal.
void startAfter(const ReplayProgram &before, TileClocks &clocks);

} // namespace popscope
