// Executed steps for the views of time. They are read once, with the cycles that each step adds to its run.
//
//   tiles  |==== a ====|....|== b ==|        T(a)            T(b)
//          |=== a ==|.......|====== b ======|
//
// T(s) is when the last tile leaves step s or an earlier step. A step adds T(s) - T(previous step) to the run, so the
// parts of all steps add up to the end of the last one. Time in which its tiles do not work is lost (waiting). A step
// that overlaps earlier steps can have more work than its part. Its loss is then negative, and compensates for the
// apparent loss of the earlier steps.
#pragma once
#include "report/answers/Selection.hpp"

#include <algorithm>
#include <map>

namespace popscope {

enum class StepCause : std::uint8_t { Compute, Exchange, GlobalExchange, HostExchange, Barrier, Control };
/// Returns "compute", "exchange", "exchange between IPUs", "host", "barrier" or "control".
[[nodiscard]] const char *stepCauseName(StepCause kind);
[[nodiscard]] StepCause stepCauseOf(pva::Program::Type type);

struct StepProgramInfo {
  std::size_t id = 0;
  pva::Program::Type type = pva::Program::Type::Unknown;
  StepCause kind = StepCause::Control;
  std::string name;  // "" = none
  std::string title; // "OnTileExecute: add"
  std::int64_t computeSet = -1;
  std::optional<pva::ComputeSet> set;
  /// Returns the number of vertices of its compute set; 0 if there is none. The file is read at first use.
  [[nodiscard]] std::uint64_t vertices() const;

private:
  mutable std::optional<std::uint64_t> vertices_;
};
/// Programs by id, each read once.
class StepPrograms {
public:
  const StepProgramInfo &of(const pva::Program &program);
  /// Adds programs, reading them in parallel.
  void add(const std::vector<std::shared_ptr<pva::Program>> &programs);
  /// Returns a program, or null if it was not read.
  [[nodiscard]] const StepProgramInfo *find(std::size_t id) const {
    const auto at = known_.find(id);
    return at == known_.end() ? nullptr : &at->second;
  }
  static constexpr std::size_t kTaskPrograms = 256; // minimum number of programs per task

private:
  std::map<std::size_t, StepProgramInfo> known_;
};

struct StepTime {
  std::size_t run = 0; // position among the recorded runs
  const StepProgramInfo *program = nullptr;
  bool known = true;        // cycles and busy cycles were recorded
  bool timeKnown = true;    // true: the step's time was recorded, too, and `part` is valid
  std::uint64_t cycles = 0; // cycles of the slowest IPU
  std::uint64_t busy = 0;   // tile cycles, over the tiles of one replica
  std::uint64_t part = 0;   // cycles that the step adds to the run's length
  bool threadsKnown = false;
  std::uint64_t threads = 0; // tile cycles without idle threads
  std::uint64_t dataIn = 0, dataOut = 0, activeTiles = 0;
  /// Returns the cycles by which the step makes its run longer; if its time is not known, those of its slowest tile.
  [[nodiscard]] std::uint64_t adds() const { return timeKnown ? part : cycles; }
  [[nodiscard]] bool addsKnown() const { return timeKnown || known; }
  /// Returns adds(), but at least the mean of its work over all tiles: for a step that ran next to earlier ones.
  [[nodiscard]] std::uint64_t length(std::uint64_t tiles) const { return std::max(adds(), (busy + tiles - 1) / tiles); }
  std::uint64_t chosenWork = 0,
                chosenMost = 0; // set by readChosenWork: tile cycles of these tiles, and of the slowest of them
};
struct StepTimes {
  StepPrograms programs;       // StepTime::program points into it
  std::vector<StepTime> steps; // all steps of the selected runs, in order
  std::uint64_t cycles = 0;    // sum of the lengths of these runs
  std::vector<std::size_t> runs;
  StepTimes() = default;
  StepTimes(const StepTimes &) = delete;
  StepTimes &operator=(const StepTimes &) = delete;
};
/// Reads the steps. `ipu`: only its part of each step.
void readStepTimes(const pva::Report &report, const Selection &selection, StepTimes &times);
/// Reads the work of the tiles of --tiles and --ipu in each of the steps. If the profile has no cycles per tile, sets
/// StepTime::known of each step with work to false.
void readChosenWork(const pva::Report &report, const Selection &selection, StepTimes &times);

} // namespace popscope
