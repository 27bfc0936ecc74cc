// Executed steps for the views of time, with the cycles that each step adds to its run.
//
//   tiles  |==== a ====|....|== b ==|        T(a)            T(b)
//          |=== a ==|.......|====== b ======|
//
// T(s) is the time at which the last tile leaves step s or an earlier step. The part of a step is the time that the
// step adds to its run: T(s) - T(previous step). So the parts of a run's steps add up to the time at which the last
// step ends. The loss of a step is the number of tiles times the part of the step, minus the work of the tiles in the
// step. A step that overlaps earlier steps can have more work than the number of tiles times the part of the step. The
// loss of such a step is negative, and compensates for the apparent loss of the earlier steps.
#pragma once
#include "report/answers/Selection.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace popscope {

/// The causes of the time of steps. Each step has one cause. HostWait is the cause of a step that waits for the host.
/// On a device, the beginning and the end of a host copy are such steps.
enum class StepCause : std::uint8_t { Compute, Exchange, GlobalExchange, HostExchange, HostWait, Barrier, Control };
/// Returns "compute", "exchange", "exchange between IPUs", "host", "waiting for the host", "barrier" or "control".
[[nodiscard]] const char *stepCauseName(StepCause kind);
/// Returns the cause of the time of a step that executes `program`.
[[nodiscard]] StepCause stepCauseOf(const pva::Program &program);
/// Returns whether the tiles compute or move data in a step with this cause. Returns false for waits and control flow.
[[nodiscard]] bool isWork(StepCause kind);
[[nodiscard]] bool isLoop(pva::Program::Type type);

struct StepProgramInfo {
  std::size_t id = 0;
  pva::Program::Type type = pva::Program::Type::Unknown;
  StepCause kind = StepCause::Control;
  std::string name;  // the name of the program; "" if the program has none
  std::string title; // "OnTileExecute: add"
  std::int64_t computeSet = -1;
  std::optional<pva::ComputeSet> set;
  /// Returns the number of vertices of the program's compute set, or 0 if the program has no compute set. The first
  /// call reads the file.
  [[nodiscard]] std::uint64_t vertices() const;

private:
  mutable std::optional<std::uint64_t> vertices_;
};
/// Information about programs, by id. Reads each program from the file only once.
class StepPrograms {
public:
  const StepProgramInfo &of(const pva::Program &program);
  /// Reads the information about `programs` in parallel, and adds this information.
  void add(const std::vector<std::shared_ptr<pva::Program>> &programs);
  /// Returns the information about the program `id`, or null if the program was not added.
  [[nodiscard]] const StepProgramInfo *find(std::size_t id) const {
    const auto at = known_.find(id);
    return at == known_.end() ? nullptr : &at->second;
  }
  static constexpr std::size_t kTaskPrograms = 256; // `grain` of parallelRanges

private:
  std::map<std::size_t, StepProgramInfo> known_;
};

struct StepTime {
  std::size_t run = 0; // position among the recorded runs
  const StepProgramInfo *program = nullptr;
  bool known = true;        // true: cycles and busy cycles were recorded
  bool cyclesKnown = true;  // true: `cycles` was recorded, perhaps without busy cycles
  bool timeKnown = true;    // true: the step's time was recorded
  std::uint64_t cycles = 0; // cycles of the slowest IPU, or of the selected IPU
  std::uint64_t busy = 0;   // tile cycles of work, summed over the tiles of one replica, or of the selected IPU
  std::uint64_t part = 0;   // cycles that the step adds to the length of its run; valid only if timeKnown
  bool threadsKnown = false;
  std::uint64_t threads = 0; // see pva::ExecutionStep::threadCycles
  std::uint64_t dataIn = 0, dataOut = 0, activeTiles = 0;
  /// Returns the time for which the step keeps the tiles from other work: the larger of two numbers. The first number
  /// is `part` or, if timeKnown is false, `cycles`. The second number is the mean work per active tile, because a step
  /// that overlaps earlier steps can add fewer cycles to the run than its tiles work. `tiles` is the maximum number of
  /// active tiles.
  [[nodiscard]] std::uint64_t length(std::uint64_t tiles) const {
    const std::uint64_t active = std::clamp<std::uint64_t>(activeTiles, 1, tiles);
    return std::max(timeKnown ? part : cycles, (busy + active - 1) / active);
  }
  /// readChosenWork sets chosenWork to the tile cycles of the selected tiles, and chosenMost to the cycles of the
  /// slowest selected tile.
  std::uint64_t chosenWork = 0, chosenMost = 0;
};
struct StepTimes {
  StepPrograms programs;         // StepTime::program points to elements of `programs`
  std::vector<StepTime> steps;   // all steps of `runs`, in order
  std::uint64_t cycles = 0;      // sum of the lengths of `runs`, where a run that was cut short ends with its last
                                 // step; 0 if lengthKnown is false
  bool lengthKnown = true;       // false: the length of a run that ended is unknown
  std::vector<std::size_t> runs; // positions of the runs, as summedRuns() returns them
  StepTimes() = default;
  StepTimes(StepTimes &&) = default; // keeps the elements of `programs` in their place
};
/// A calculator of the parts of a run's steps (see the top of this file). The caller passes the steps in order.
/// python/popscope/_frames.py and report/viewer/src/derived/times.ts calculate the parts by the same rule.
///
/// A part is the time from the end of all earlier steps to the end of the step. So the parts of a run do not overlap.
/// If the time of the previous step is unknown, the part does not begin before the last tile enters the step, and so
/// leaves out the time of the previous step. If `everyStep` is false, steps of the run may be missing. In this case,
/// the part of a step with known cycles is at most these cycles.
class StepParts {
public:
  struct Step {
    bool timeKnown = true;
    std::uint64_t enters = 0, last = 0; // the times at which the last tile enters and leaves the step; 0 if unknown
    std::uint64_t cycles = 0;           // cycles of the slowest IPU
    /// Adds the numbers of the step on one IPU: each member becomes the maximum over the IPUs so far. Throws
    /// AnswerError if one of these numbers exceeds 2^48 (see checkCycles).
    void add(const pva::ExecutionStepIpu &on);
  };
  explicit StepParts(bool everyStep) : everyStep_(everyStep) {}
  /// Returns the part of the next step.
  [[nodiscard]] std::uint64_t partOf(const Step &step);
  /// Returns the end of all steps so far.
  [[nodiscard]] std::uint64_t end() const { return end_; }

private:
  bool everyStep_, unknownBefore_ = false;
  std::uint64_t end_ = 0;
};
/// Throws AnswerError if a time or a number of cycles of a step exceeds 2^48 (two days at 1.6 GHz), because sums of
/// larger numbers could overflow. Only a corrupt profile has such a step, because all timed runs of an engine together
/// take at most 2^48 cycles (instrument/machine/Clocks.hpp).
void checkCycles(std::uint64_t cycles);
/// Returns whether the run contains all its steps. Returns false if steps of some categories were not recorded.
[[nodiscard]] bool hasEveryStep(const pva::Run &run);
/// Returns when a step begins and ends on one IPU: the times of the tiles with work or, if no tile works, of all tiles.
/// Returns no value if these times were not recorded. If the counters record only the longest tile, the begin of a step
/// is unknown on an IPU without work. At level "device", the first IPU has the times of the device, also for a step that
/// works only on other IPUs.
[[nodiscard]] std::optional<pva::CycleRange> timesOnIpu(const pva::ExecutionStepIpu &on);
/// Returns whether a tile works in the step: a tile of this IPU or, if the first IPU has the times of the device, a tile
/// of any IPU.
[[nodiscard]] bool hasWork(const pva::ExecutionStepIpu &on);
/// Reads the steps of the runs that summedRuns() returns. If the selection names an IPU, the figures of each step are
/// those of this IPU, except StepTime::threads, which always covers all IPUs. The length of a complete run in
/// StepTimes::cycles also covers all IPUs.
[[nodiscard]] StepTimes readStepTimes(const pva::Report &report, const Selection &selection);
/// Calls `use` for each selected step that executed vertices, in the runs that summedRuns() returns.
void eachVertexTypes(const pva::Report &report, const Selection &selection, StepPrograms &programs,
                     const std::function<void(std::size_t run, const StepProgramInfo &program,
                                              const pva::List<pva::VertexTypeCycles> &types)> &use);
/// Reads, for each step, the work of the tiles that --tiles and --ipu select. Sets StepTime::known to false for each
/// step that has work, but whose cycles per tile are not in the profile.
void readChosenWork(const pva::Report &report, const Selection &selection, StepTimes &times);

/// The cycles of work of each tile. If `known` is false, the profile does not contain the work of some step.
struct TileWork {
  std::vector<std::uint64_t> cycles;
  bool known = true;
};
/// Returns the work of the selected steps in the runs of summedRuns, by cause. Leaves out the causes for which isWork()
/// returns false.
[[nodiscard]] std::map<StepCause, TileWork> readTileWork(const pva::Report &report, const Selection &selection);

} // namespace popscope
