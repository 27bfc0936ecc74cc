// Variables and the steps at which they live, over all tiles or some. The table is read once; steps are those of
// livenessProgramSteps.
#pragma once
#include "report/answers/Selection.hpp"

namespace popscope {

struct LiveVariable {
  struct Part { // tiles on which it is live at the same steps
    std::uint64_t bytes = 0;
    std::vector<pva::StepInterval> spans;
  };
  pva::Variable variable;
  std::uint64_t bytes = 0; // bytes on the requested tiles, never 0
  std::uint64_t tiles = 0, largestPart = 0;
  std::size_t largestTile = 0;          // the lowest, if several are equal, among the requested tiles
  std::vector<pva::StepInterval> spans; // steps at which it is live on any of them
  std::vector<Part> parts;              // the variable's parts on the requested tiles
  /// Returns the interval that contains the step, or null if the variable is not live there.
  [[nodiscard]] const pva::StepInterval *spanAt(std::size_t step) const;
  /// Returns the bytes on those tiles on which it is live at the step.
  [[nodiscard]] std::uint64_t bytesAt(std::size_t step) const;
};

/// Variables of one name and category that are live at a step, for example the buffers of one exchange.
struct LiveGroup {
  std::string name, category;
  std::uint64_t variables = 0, bytes = 0;
  std::size_t from = 0, to = 0; // the first step at which one of them is live without interruption, and the last
  std::string spans;            // LiveTable::spansText, or "differ"
};

/// The measure of a table of one tile: values that a later step may read, or occupied addresses, which include those of
/// values that are never read. Addresses need a profile with lowered variables (autoReport.outputLoweredVars).
enum class LiveMeasure : bool { Values, Addresses };

class LiveTable {
public:
  /// Reads the table. `tiles`: empty = all. Throws AnswerError for a profile without liveness.
  LiveTable(const pva::Report &report, const std::vector<std::size_t> &tiles);
  LiveTable(const pva::Report &report, std::size_t tile, LiveMeasure measure);
  [[nodiscard]] const std::vector<LiveVariable> &variables() const { return variables_; }
  /// Returns the bytes by step, without always-live variables: sums over the variables.
  [[nodiscard]] const std::vector<std::uint64_t> &bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t alwaysLiveBytes() const { return always_; }
  /// Returns the step id that tools show.
  [[nodiscard]] std::size_t programOf(std::size_t step) const { return programs_.at(step); }
  [[nodiscard]] std::size_t lastProgram() const { return programs_.back(); }
  /// Returns the first selected step with most live bytes. Throws AnswerError if no step is selected.
  [[nodiscard]] std::size_t worstOf(const StepChoice &steps) const;
  [[nodiscard]] std::optional<std::size_t> stepOfProgram(std::size_t program) const;
  [[nodiscard]] std::size_t nearestStep(std::size_t program) const;
  [[nodiscard]] std::string titleOf(std::size_t step) const;
  /// Returns "always", "3-17, 40" or "never".
  [[nodiscard]] std::string spansText(const LiveVariable &variable) const;
  /// Returns what is live at the step, by name and category, in the order of the table. `name`: a pattern, empty = all.
  [[nodiscard]] std::vector<LiveGroup> groupsAt(std::size_t step, const std::string &name) const;

private:
  void add(LiveVariable variable);
  void sumUp();

  pva::List<pva::LivenessProgramStep> steps_;
  std::vector<LiveVariable> variables_;
  std::vector<std::uint64_t> bytes_;
  std::vector<std::int64_t> change_; // change of bytes at each step, while variables are added
  std::vector<std::size_t> programs_;
  std::uint64_t always_ = 0;
};

} // namespace popscope
