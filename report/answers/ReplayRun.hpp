// Replays a recorded run on the clocks of its tiles, from the file's data about each step (docs/inside/profile-file.md, "Simulate a
// step again") and the rules of target-models/timing/TileClocks.hpp.
//
// Invariant: with the recorded cycles the clocks end at the recorded length of the run. If they do not, the run depends
// on something that is not in the file, and there is no replay.
//
// Idea: after a barrier of all tiles, the clocks depend only on the time of its last signal. So the steps between two
// such barriers can be replayed independently, with clocks that count from there (RunSegment).
#pragma once
#include "report/answers/StepTimes.hpp"

#include <functional>
#include <memory>
#include <span>

namespace popscope {

/// The delays of one way to sync, per tile of one replica.
struct BarrierDelay {
  std::string kind; // "internal", ...
  std::vector<std::uint64_t> toController, fromController;
  bool acrossIpus = false;
  friend bool operator==(const BarrierDelay &, const BarrierDelay &) = default;
};

/// A meeting: the tiles [first, end) of one IPU, or of all, waited for each other.
struct TileMeeting {
  std::size_t first = 0, end = 0;
  std::size_t last = 0;     // the tile that came last; if several did, the lowest
  std::size_t longest = 0;  // for an exchange, the tile whose schedule is the longest
  std::uint64_t begin = 0;  // for an exchange, its begin; for a barrier, the time of the last signal at the controller
  std::uint64_t finish = 0; // for an exchange
  bool any = false;         // some tile took part
};

class TileClocks {
public:
  TileClocks(std::size_t tiles, std::size_t perIpu) : perIpu_(perIpu), now_(tiles) {}
  [[nodiscard]] const std::vector<std::uint64_t> &now() const { return now_; }
  [[nodiscard]] std::uint64_t latest() const;
  /// Returns the time at which the last signal would reach the controller of a barrier of all tiles.
  [[nodiscard]] std::uint64_t lastSignal(const BarrierDelay &delay) const;
  /// Returns whether all clocks are equal.
  [[nodiscard]] bool level() const;
  /// Sets all clocks to 0.
  void reset() { now_.assign(now_.size(), 0); }
  void set(const std::vector<std::uint64_t> &now) { now_ = now; }
  /// Adds work. Returns the latest clock.
  std::uint64_t work(std::span<const std::uint64_t> busy);
  /// Passes an exchange. Appends its meetings to `met` if it is not null.
  void exchange(std::span<const std::uint64_t> busy, bool across, std::vector<TileMeeting> *met = nullptr);
  void barrier(const BarrierDelay &delay, std::vector<TileMeeting> *met = nullptr);

private:
  std::size_t perIpu_;
  std::vector<std::uint64_t> now_;
};

/// A program in the form in which it is replayed.
struct ReplayProgram {
  enum class Kind : std::uint8_t { Work, Exchange, ExchangeAcross, Barriers } kind = Kind::Work;
  const StepProgramInfo *info = nullptr;
  std::vector<const BarrierDelay *> barriers;
  std::vector<std::uint64_t> counters; // cycles of reading counters after the program's work; empty = none
};

/// The steps [first, end) between two barriers of all tiles: `end` - 1 passes one, or is the run's last step.
struct RunSegment {
  std::size_t first = 0, end = 0;
  const ReplayProgram *before =
      nullptr;       // the program whose last barrier precedes the segment; null = the run begins here
  bool last = false; // the run ends here, without a barrier
};

/// Numbers of all tiles; 0 if the file has fewer.
class TileNumbers {
public:
  TileNumbers() = default;
  TileNumbers(pva::Values values, std::size_t tiles);
  [[nodiscard]] std::span<const std::uint64_t> byTile() const { return all_; }

private:
  pva::Values values_;
  std::shared_ptr<const std::vector<std::uint64_t>> filled_; // used if the file has fewer numbers
  std::span<const std::uint64_t> all_;
};

class RunReplay {
public:
  /// Prepares the replay of the run at this position. Both arguments must outlive it.
  RunReplay(const pva::Report &report, StepPrograms &programs, std::size_t run);

  [[nodiscard]] std::size_t tiles() const { return tiles_; }
  [[nodiscard]] std::size_t steps() const { return steps_.size(); }
  [[nodiscard]] const ReplayProgram &program(std::size_t step) const { return *steps_[step]; }
  /// Returns the recorded busy cycles, all 0 for a barrier. Thread-safe.
  [[nodiscard]] TileNumbers recordedCycles(std::size_t step) const;
  [[nodiscard]] pva::ExecutionStep stepAt(std::size_t step) const { return list_[step]; }
  /// Returns clocks at 0.
  [[nodiscard]] TileClocks clocks() const { return {tiles_, perIpu_}; }
  /// Returns the segments in order. There is at least one, and the last may have no step.
  [[nodiscard]] std::vector<RunSegment> segments() const;
  [[nodiscard]] bool oneIpu() const { return tiles_ == perIpu_; }
  /// Returns whether all tiles pass this barrier together.
  [[nodiscard]] bool ofAllTiles(const BarrierDelay &delay) const { return delay.acrossIpus || oneIpu(); }
  /// Returns the cycles of the run, as the file states them.
  [[nodiscard]] std::uint64_t length() const { return length_; }
  /// Returns why the run cannot be replayed; "" = it can, if the replay ends as recorded.
  [[nodiscard]] const std::string &lacks() const { return lacks_; }
  /// Returns why the replay is not valid, given that it ended at `end` with the recorded cycles.
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
};

/// The meetings of one step. The memory is reused for other steps.
struct StepMeetings {
  std::size_t count = 0;                          // number of valid entries below, one per exchange or barrier; 0 for
                                                  // work
  std::vector<std::vector<std::uint64_t>> before; // the clocks before its exchange, or before each barrier
  std::vector<std::vector<TileMeeting>> met;      // meetings of its exchange, or of each barrier

  /// Returns the meetings for the next exchange or barrier of the step.
  std::vector<TileMeeting> &next(const TileClocks &clocks);
};

/// Passes one step.
void passStep(const ReplayProgram &program, std::span<const std::uint64_t> busy, TileClocks &clocks,
              StepMeetings *seen = nullptr);

/// Sets the clocks to the start of what follows the last barrier of `before`, which all tiles pass. Time counts from
/// its last signal.
void startAfter(const ReplayProgram &before, TileClocks &clocks);

} // namespace popscope
