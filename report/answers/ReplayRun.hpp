// A recorded run passed again on the clocks of its tiles, from what the file says of each step (docs/PROFILE.md,
// "Costing a step again"), by the rules of target-models/timing/TileClocks.hpp.
//
// With the recorded cycles the clocks end at the recorded length of the run. Where they do not, something that the run
// depends on is not in the file, and there is no replay.
//
// A barrier of all tiles leaves nothing of what was before but when its last signal came, so what lies between two of
// them can be passed alone, from clocks that count from there (RunSegment).
#pragma once
#include "report/answers/StepTimes.hpp"

#include <functional>
#include <memory>
#include <span>

namespace popscope {

/// A way to sync, by tile of one replica.
struct BarrierDelay {
  std::string kind; // "internal", ...
  std::vector<std::uint64_t> toController, fromController;
  bool acrossIpus = false;
  friend bool operator==(const BarrierDelay &, const BarrierDelay &) = default;
};

/// What the tiles of one IPU, or all of them, waited for. Tiles are [first, end).
struct TileMeeting {
  std::size_t first = 0, end = 0;
  std::size_t last = 0;     // came last; of equals the lowest
  std::size_t longest = 0;  // of an exchange: whose schedule ends it
  std::uint64_t begin = 0;  // of an exchange; of a barrier when the last signal is at the controller
  std::uint64_t finish = 0; // of an exchange
  bool any = false;         // somebody took part
};

class TileClocks {
public:
  TileClocks(std::size_t tiles, std::size_t perIpu) : perIpu_(perIpu), now_(tiles) {}
  [[nodiscard]] const std::vector<std::uint64_t> &now() const { return now_; }
  [[nodiscard]] std::uint64_t latest() const;
  /// When the last signal to the controller of a barrier of all tiles would be there.
  [[nodiscard]] std::uint64_t lastSignal(const BarrierDelay &delay) const;
  /// All tiles are at the same time.
  [[nodiscard]] bool level() const;
  /// Back to 0.
  void reset() { now_.assign(now_.size(), 0); }
  void set(const std::vector<std::uint64_t> &now) { now_ = now; }
  /// Returns the latest.
  std::uint64_t work(std::span<const std::uint64_t> busy);
  /// Who met is appended to `met`, if there is one.
  void exchange(std::span<const std::uint64_t> busy, bool across, std::vector<TileMeeting> *met = nullptr);
  void barrier(const BarrierDelay &delay, std::vector<TileMeeting> *met = nullptr);

private:
  std::size_t perIpu_;
  std::vector<std::uint64_t> now_;
};

/// A program as it is passed.
struct ReplayProgram {
  enum class Kind : std::uint8_t { Work, Exchange, ExchangeAcross, Barriers } kind = Kind::Work;
  const StepProgramInfo *info = nullptr;
  std::vector<const BarrierDelay *> barriers;
  std::vector<std::uint64_t> counters; // cycles of reading them, after its work; empty = none
};

/// Steps [first, end) that lie between two barriers of all tiles: `end` - 1 passes one, or is the run's last.
struct RunSegment {
  std::size_t first = 0, end = 0;
  const ReplayProgram *before = nullptr; // whose last barrier is the one before; null: the run begins here
  bool last = false;                     // the run ends here: there is no barrier at its end
};

/// Numbers by tile, of all tiles: 0 where the file has fewer.
class TileNumbers {
public:
  TileNumbers() = default;
  TileNumbers(pva::Values values, std::size_t tiles);
  [[nodiscard]] std::span<const std::uint64_t> byTile() const { return all_; }

private:
  pva::Values values_;
  std::shared_ptr<const std::vector<std::uint64_t>> filled_; // where the file has fewer
  std::span<const std::uint64_t> all_;
};

class RunReplay {
public:
  /// Of the run at this position. Both must outlive it.
  RunReplay(const pva::Report &report, StepPrograms &programs, std::size_t run);

  [[nodiscard]] std::size_t tiles() const { return tiles_; }
  [[nodiscard]] std::size_t steps() const { return steps_.size(); }
  [[nodiscard]] const ReplayProgram &program(std::size_t step) const { return *steps_[step]; }
  /// All 0 for a barrier. May be asked from several threads.
  [[nodiscard]] TileNumbers recordedCycles(std::size_t step) const;
  [[nodiscard]] pva::ExecutionStep stepAt(std::size_t step) const { return list_[step]; }
  /// Clocks at 0.
  [[nodiscard]] TileClocks clocks() const { return {tiles_, perIpu_}; }
  /// In order; there is at least one, of which the last may have no step.
  [[nodiscard]] std::vector<RunSegment> segments() const;
  [[nodiscard]] bool oneIpu() const { return tiles_ == perIpu_; }
  /// All tiles pass this barrier together.
  [[nodiscard]] bool ofAllTiles(const BarrierDelay &delay) const { return delay.acrossIpus || oneIpu(); }
  /// Cycles of the run, as the file states them.
  [[nodiscard]] std::uint64_t length() const { return length_; }
  /// Why it cannot be passed again; "" = it can, if it ends as it was recorded.
  [[nodiscard]] const std::string &lacks() const { return lacks_; }
  /// The same once it has been passed with the recorded cycles and its clocks say `end`.
  [[nodiscard]] std::string whyNot(std::uint64_t end) const;

private:
  std::size_t tiles_ = 0, perIpu_ = 0;
  std::uint64_t length_ = 0;
  pva::List<pva::ExecutionStep> list_;
  std::map<std::string, BarrierDelay> delays_;
  std::map<std::size_t, ReplayProgram> programs_; // by id
  std::vector<const ReplayProgram *> steps_;
  std::shared_ptr<const std::vector<std::uint64_t>> zeros_; // by tile
  std::string lacks_;
};

/// What steps were seen to do, one after the other: memory is used again.
struct StepMeetings {
  std::size_t count = 0;                          // of its exchange or barriers that are valid below; 0 of work
  std::vector<std::vector<std::uint64_t>> before; // the clocks before its exchange, or before each barrier
  std::vector<std::vector<TileMeeting>> met;      // of its exchange, or of each barrier

  /// For the next exchange or barrier of the step.
  std::vector<TileMeeting> &next(const TileClocks &clocks);
};

/// Passes one step.
void passStep(const ReplayProgram &program, std::span<const std::uint64_t> busy, TileClocks &clocks,
              StepMeetings *seen = nullptr);

/// Clocks at the start of what follows the last barrier of `before`, which all tiles pass: since its last signal came.
void startAfter(const ReplayProgram &before, TileClocks &clocks);

} // namespace popscope
