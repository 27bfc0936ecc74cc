// Executed steps as the views of time need them: read once, with the part that each has in the length of its run.
//
//   tiles  |==== a ====|....|== b ==|        T(a)            T(b)
//          |=== a ==|.......|====== b ======|
//
// T(s) is when the last tile leaves step s or one before it. A step adds T(s) - T(the one before) to the run, so the
// parts of all steps add up to where the last one ends; what its tiles do not work in that time is lost (waiting). A
// step that ran beside earlier ones can have more work than its part: its loss is then negative, and makes up for what
// the earlier ones seem to lose.
#pragma once
#include "report/answers/Selection.hpp"

#include <algorithm>
#include <map>

namespace popscope {

enum class StepCause : std::uint8_t { Compute, Exchange, GlobalExchange, HostExchange, Barrier, Control };
/// "compute", "exchange", "exchange between IPUs", "host", "barrier", "control".
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
  /// Of its compute set; 0 where there is none. Read from the file when first asked.
  [[nodiscard]] std::uint64_t vertices() const;

private:
  mutable std::optional<std::uint64_t> vertices_;
};
/// Programs by id, each read once.
class StepPrograms {
public:
  const StepProgramInfo &of(const pva::Program &program);
  /// Several at once, on all threads.
  void add(const std::vector<std::shared_ptr<pva::Program>> &programs);
  /// Null where it was not read.
  [[nodiscard]] const StepProgramInfo *find(std::size_t id) const {
    const auto at = known_.find(id);
    return at == known_.end() ? nullptr : &at->second;
  }
  static constexpr std::size_t kTaskPrograms = 256; // that a task reads at least

private:
  std::map<std::size_t, StepProgramInfo> known_;
};

struct StepTime {
  std::size_t run = 0; // position among the recorded ones
  const StepProgramInfo *program = nullptr;
  bool known = true;        // cycles and busy cycles were recorded
  bool timeKnown = true;    // and when: `part` is valid
  std::uint64_t cycles = 0; // slowest IPU
  std::uint64_t busy = 0;   // tile cycles, over the tiles of one replica
  std::uint64_t part = 0;   // of the run's length
  bool threadsKnown = false;
  std::uint64_t threads = 0; // tile cycles without idle threads
  std::uint64_t dataIn = 0, dataOut = 0, activeTiles = 0;
  /// Cycles by which the step makes its run longer; where its time is not known, what its slowest tile takes.
  [[nodiscard]] std::uint64_t adds() const { return timeKnown ? part : cycles; }
  [[nodiscard]] bool addsKnown() const { return timeKnown || known; }
  /// The same, and no less than its work takes on all tiles: of a step that ran beside earlier ones.
  [[nodiscard]] std::uint64_t length(std::uint64_t tiles) const { return std::max(adds(), (busy + tiles - 1) / tiles); }
  std::uint64_t chosenWork = 0,
                chosenMost = 0; // readChosenWork: tile cycles of these tiles, and of the slowest of them
};
struct StepTimes {
  StepPrograms programs;       // what StepTime::program points into
  std::vector<StepTime> steps; // of the selected runs, in order, all steps
  std::uint64_t cycles = 0;    // sum of the lengths of these runs
  std::vector<std::size_t> runs;
  StepTimes() = default;
  StepTimes(const StepTimes &) = delete;
  StepTimes &operator=(const StepTimes &) = delete;
};
/// `ipu`: only its part of each step.
void readStepTimes(const pva::Report &report, const Selection &selection, StepTimes &times);
/// What the tiles of --tiles and --ipu work in each of the steps. Where the profile has no cycles by tile, a step that
/// was at work is no longer `known`.
void readChosenWork(const pva::Report &report, const Selection &selection, StepTimes &times);

} // namespace popscope
