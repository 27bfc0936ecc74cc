// Variables and the steps at which they are live, over all tiles or over some tiles. The table reads the profile once.
// Step numbers are indices in livenessProgramSteps.
#pragma once
#include "report/answers/MovedNames.hpp"
#include "report/answers/Selection.hpp"

namespace popscope {

struct LiveVariable {
  struct Part { // tiles on which the variable is live at the same steps
    std::uint64_t bytes = 0;
    std::vector<pva::StepInterval> spans;
  };
  pva::Variable variable;
  std::uint64_t bytes = 0; // bytes on the requested tiles; never 0
  std::uint64_t tiles = 0, largestPart = 0;
  std::size_t largestTile = 0;          // the requested tile with the largest part of the variable; the lowest of these
                                        // tiles if parts are equal
  std::vector<pva::StepInterval> spans; // steps at which the variable is live on any requested tile
  std::vector<Part> parts;              // the variable's parts on the requested tiles
  /// Returns the interval that contains the step, or null if the variable is not live at the step.
  [[nodiscard]] const pva::StepInterval *spanAt(std::size_t step) const;
  /// Returns the variable's bytes at the step, counting only the requested tiles on which the variable is live at this
  /// step.
  [[nodiscard]] std::uint64_t bytesAt(std::size_t step) const;
};

/// Variables of one name and category that are live at a step, for example the buffers of one exchange.
struct LiveGroup {
  std::string name, category;
  std::uint64_t variables = 0, bytes = 0;
  std::size_t from = 0, to = 0; // first and last step of the live intervals around the requested step
  std::string spans;            // LiveTable::spansText of the variables, or "differ" if these texts differ
};

/// The bytes that a table of one tile counts. Values: at each step, the live bytes, that is, the bytes that the step or
/// a later step may read. Addresses: the occupied bytes, including the bytes of values that are never read; this
/// measure needs a profile with lowered variables (autoReport.outputLoweredVars).
enum class LiveMeasure : bool { Values, Addresses };

class LiveTable {
public:
  /// Reads the table of the selected tiles. A program without steps has a table without steps. Throws AnswerError for a
  /// profile without liveness.
  LiveTable(const pva::Report &report, const Selection &selection);
  LiveTable(const pva::Report &report, std::size_t tile, LiveMeasure measure);
  [[nodiscard]] const std::vector<LiveVariable> &variables() const { return variables_; }
  /// Returns the live bytes on the requested tiles per step, summed over the variables that are not always live.
  [[nodiscard]] const std::vector<std::uint64_t> &bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t alwaysLiveBytes() const { return always_; }
  /// Returns the program id of a liveness step. Users see program ids as step numbers.
  [[nodiscard]] std::size_t programOf(std::size_t step) const { return programs_.at(step); }
  /// Returns the program id of the last liveness step. Throws AnswerError if the table has no steps.
  [[nodiscard]] std::size_t lastProgram() const;
  /// Returns the first selected step with the most live bytes. Throws AnswerError if no step is selected.
  [[nodiscard]] std::size_t worstOf(const StepChoice &steps) const;
  /// Returns the liveness step of the program, or nullopt if the program has no liveness step.
  [[nodiscard]] std::optional<std::size_t> stepOfProgram(std::size_t program) const;
  /// Returns the first liveness step whose program has this id or a higher id, or the last liveness step if there is no
  /// such step. Throws AnswerError if the table has no steps.
  [[nodiscard]] std::size_t nearestStep(std::size_t program) const;
  /// Returns the title of the step (MovedNames).
  [[nodiscard]] std::string titleOf(std::size_t step) const;
  /// Returns the program ids at which the variable is live: "always", "3-17, 40" or "never".
  [[nodiscard]] std::string spansText(const LiveVariable &variable) const;
  /// Returns the variables live at the step, grouped by name and category. The groups have the order of their first
  /// variables in variables(). `name` is a pattern; an empty pattern selects all variables. In a table without steps,
  /// returns the variables that are always live.
  [[nodiscard]] std::vector<LiveGroup> groupsAt(std::size_t step, const std::string &name) const;

private:
  /// Begins a table without variables.
  explicit LiveTable(const pva::Report &report);
  void add(LiveVariable variable);
  void sumUp(); // call after the last variable is added
  void needSteps() const;

  pva::List<pva::LivenessProgramStep> steps_;
  mutable MovedNames names_; // reads names when they are first requested
  std::vector<LiveVariable> variables_;
  std::vector<std::uint64_t> bytes_;
  std::vector<std::int64_t> change_; // per step: change of the live bytes from the previous step; used while variables
                                     // are added
  std::vector<std::size_t> programs_;
  std::uint64_t always_ = 0;
};

} // namespace popscope
