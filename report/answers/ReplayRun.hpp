// A recorded run passed again on the clocks of its tiles, from what the file says of each step (docs/PROFILE.md,
// "Costing a step again"; the clocks are those of docs/CYCLES.md):
//
//   work      a tile goes on by its busy cycles
//   exchange  the tiles with busy cycles start with the last of them and go on together when the longest is done
//   barrier   the last signal that reaches the controller releases all
//
// With the recorded cycles the clocks end at the recorded length of the run. Where they do not, something that the run
// depends on is not in the file, and there is no replay.
#pragma once
#include "report/answers/StepTimes.hpp"

#include <functional>
#include <memory>

namespace popscope {

/// A way to sync, by tile of one replica.
struct BarrierDelay {
  std::vector<std::uint64_t> toController, fromController;
  bool acrossIpus = false;
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
  void set(const std::vector<std::uint64_t> &now) { now_ = now; }
  void work(const std::vector<std::uint64_t> &busy);
  [[nodiscard]] std::vector<TileMeeting> exchange(const std::vector<std::uint64_t> &busy, bool across);
  [[nodiscard]] std::vector<TileMeeting> barrier(const BarrierDelay &delay);

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

class RunReplay {
public:
  /// Of the run at this position. Both must outlive it.
  RunReplay(const pva::Report &report, StepPrograms &programs, std::size_t run);

  [[nodiscard]] std::size_t tiles() const { return tiles_; }
  [[nodiscard]] std::size_t steps() const { return steps_.size(); }
  [[nodiscard]] const ReplayProgram &program(std::size_t step) const { return *steps_[step]; }
  /// Busy cycles by tile; all 0 for a barrier.
  [[nodiscard]] std::vector<std::uint64_t> recordedCycles(std::size_t step) const;
  [[nodiscard]] pva::ExecutionStep stepAt(std::size_t step) const { return list_[step]; }
  /// Clocks at 0.
  [[nodiscard]] TileClocks clocks() const { return {tiles_, perIpu_}; }
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
  std::string lacks_;
};

/// What a step was seen to do.
struct StepMeetings {
  std::vector<std::vector<std::uint64_t>> before; // the clocks before its work or exchange, or before each barrier
  std::vector<std::vector<TileMeeting>> met;      // of its exchange, or of each barrier
};

/// Passes one step.
void passStep(const ReplayProgram &program, const std::vector<std::uint64_t> &busy, TileClocks &clocks,
              StepMeetings *seen = nullptr);

} // namespace popscope
