// Variables and when they live, over all tiles or some: read once, in steps of livenessProgramSteps.
#pragma once
#include "report/answers/Selection.hpp"

namespace popscope {

struct LiveVariable {
  struct Part { // tiles on which it is live at the same steps
    std::uint64_t bytes = 0;
    std::vector<pva::StepInterval> spans;
  };
  pva::Variable variable;
  std::uint64_t bytes = 0; // on the tiles asked for, never 0
  std::uint64_t tiles = 0, largestPart = 0;
  std::size_t largestTile = 0;          // the lowest of equals; of those asked for
  std::vector<pva::StepInterval> spans; // when it is live on some of them
  std::vector<Part> parts;              // of them
  /// That holds the step; null where it is not live.
  [[nodiscard]] const pva::StepInterval *spanAt(std::size_t step) const;
  /// On those of the tiles on which it is live at the step.
  [[nodiscard]] std::uint64_t bytesAt(std::size_t step) const;
};

/// What a table of one tile counts: values that may still be read, or addresses that are taken, by what will never be
/// read too. The latter of a profile with lowered variables (autoReport.outputLoweredVars).
enum class LiveMeasure : bool { Values, Addresses };

class LiveTable {
public:
  /// `tiles`: empty = all. Throws AnswerError for a profile without liveness.
  LiveTable(const pva::Report &report, const std::vector<std::size_t> &tiles);
  LiveTable(const pva::Report &report, std::size_t tile, LiveMeasure measure);
  [[nodiscard]] const std::vector<LiveVariable> &variables() const { return variables_; }
  /// By step, always-live variables left out: summed over the variables.
  [[nodiscard]] const std::vector<std::uint64_t> &bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t alwaysLiveBytes() const { return always_; }
  /// Step ids as tools show them.
  [[nodiscard]] std::size_t programOf(std::size_t step) const { return programs_.at(step); }
  [[nodiscard]] std::size_t lastProgram() const { return programs_.back(); }
  /// The first of those chosen at which most is live. Throws AnswerError where none is.
  [[nodiscard]] std::size_t worstOf(const StepChoice &steps) const;
  [[nodiscard]] std::optional<std::size_t> stepOfProgram(std::size_t program) const;
  [[nodiscard]] std::size_t nearestStep(std::size_t program) const;
  [[nodiscard]] std::string titleOf(std::size_t step) const;
  /// "always", "3-17, 40", "never".
  [[nodiscard]] std::string spansText(const LiveVariable &variable) const;

private:
  void add(LiveVariable variable);
  void sumUp();

  pva::List<pva::LivenessProgramStep> steps_;
  std::vector<LiveVariable> variables_;
  std::vector<std::uint64_t> bytes_;
  std::vector<std::int64_t> change_; // of bytes, by step, while variables are added
  std::vector<std::size_t> programs_;
  std::uint64_t always_ = 0;
};

} // namespace popscope
