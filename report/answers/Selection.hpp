// The selection that an answer covers. The views of popscope share the flags of a selection:
//
//   --tiles 0,5-9,worst:16    --steps 12-40,60-    --runs 1    --ipu 0    --name 'Layer1/*'    -n 5
//
// A step is named by the id of its program, as in popscope why --step and in the tables of a profile. A run is named by
// its position among the recorded runs. For data of the compilation, --runs selects the steps that the selected runs
// executed. A pattern of --name without * or ? matches each name that contains the pattern. A pattern with * or ? must
// match the whole name.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <pva/pva.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace popscope {

/// An error message in one line. The message states which data the profile lacks for an answer, or which flag is wrong
/// and why.
class AnswerError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Ranges of whole numbers, both ends inclusive. The texts "" and "all" select all numbers. The constructor throws
/// AnswerError for any other text that is not a list of ranges; the message contains `flag`.
class NumberSet {
public:
  NumberSet() = default; // contains all numbers
  NumberSet(const std::string &flag, const std::string &text);
  [[nodiscard]] bool contains(std::uint64_t number) const;
  [[nodiscard]] bool everything() const { return ranges_.empty(); }
  /// Throws AnswerError if a range ends at `end` or later, or if an open range such as "20-" begins at `end` or later.
  /// The message contains `flag` and the range of `what` in the profile.
  void checkBelow(std::uint64_t end, const std::string &flag, const std::string &what) const;

private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
};

struct Selection {
  std::optional<std::uint64_t> count;            // the value of -n; 0 stands for all rows
  std::string tiles, steps, runs, name, ipuText; // texts of the flags; "" stands for all; checkSelection replaces "all"
                                                 // by "" in `tiles`, `steps` and `runs`
  std::optional<std::uint64_t> ipu;              // value of `ipuText`; checkSelection sets it

  [[nodiscard]] std::size_t countOr(std::size_t usual) const;
  /// Returns true if neither --tiles nor --ipu restricts the tiles.
  [[nodiscard]] bool everyTile() const { return tiles.empty() && !ipu; }
  /// Returns true if neither --steps nor --runs restricts the steps.
  [[nodiscard]] bool everyStep() const { return steps.empty() && runs.empty(); }
  /// Returns the flags that select tiles, steps and runs, as the user gave them: "--tiles 0 --runs 1".
  [[nodiscard]] std::string flags() const;
};

/// Calls `body`, and returns its result. Puts the path of the profile before the message of an AnswerError. A view of
/// several profiles calls this function, because the message of `body` does not name a profile.
template <class Body> auto ofProfile(const std::string &path, const Body &body) {
  try {
    return body();
  } catch (const AnswerError &e) {
    throw AnswerError(path + ": " + e.what());
  }
}

/// Checks the value of an option that selects rows. Returns a message if the value is empty, and otherwise "". Without
/// this check, a script whose variable is empty by mistake would get all rows.
[[nodiscard]] std::string notEmpty(const std::string &value);
/// Returns a message if `value` is not one of `values`, and otherwise "".
[[nodiscard]] std::string notOneOf(const std::vector<std::string> &values, const std::string &value);

/// Sets Selection::ipu, and replaces the value "all" of --tiles, --steps and --runs by "". Throws AnswerError, with the
/// valid range, if --tiles, --steps, --runs or --ipu selects a number that the profile does not have. The tool calls
/// this function for each profile that a view or an export reads, so that a number that selects nothing is an error.
void checkSelection(const pva::Report &report, Selection &selection);
/// Returns the number in `text`. Throws AnswerError if the text is not a whole number below `end`; the message contains
/// `flag` and the range of `what` in the profile.
[[nodiscard]] std::uint64_t readIndex(const std::string &flag, const std::string &text, std::uint64_t end,
                                      const std::string &what);
/// Returns the value of --depth. Throws AnswerError if the value is not a whole number from 1 to 1000.
[[nodiscard]] std::size_t readLevels(const std::string &text);
/// Returns the highest step id plus 1.
[[nodiscard]] std::size_t stepCount(const pva::Report &report);

/// Returns the selected tiles of one replica, in ascending order. worst:N selects the N tiles with the most used bytes
/// (excluding gaps). With --ipu, worst:N selects only among the tiles of this IPU. Of equally full tiles, selects the
/// tiles with the lowest numbers.
[[nodiscard]] std::vector<std::size_t> selectedTiles(const pva::Report &report, const Selection &selection);
/// Returns, per tile of one replica, whether the tile is selected.
[[nodiscard]] std::vector<bool> tileMask(const pva::Report &report, const Selection &selection);
[[nodiscard]] NumberSet selectedSteps(const Selection &selection);
/// The steps that --steps selects and that the runs of --runs executed.
class StepChoice {
public:
  StepChoice() = default; // contains all steps
  StepChoice(const pva::Report &report, const Selection &selection);
  [[nodiscard]] bool contains(std::size_t program) const;
  /// Throws AnswerError. Call this function if the choice contains none of `programs` (the programs of the liveness
  /// steps). The message states whether the selected steps or the runs of --runs exclude these programs.
  [[noreturn]] void failWithoutLiveness(const std::vector<std::size_t> &programs) const;

private:
  NumberSet steps_;
  std::optional<std::set<std::size_t>> executed_;
};
/// Returns, for each liveness step, whether the step is selected. Returns an empty list if all steps are selected.
/// Throws AnswerError if no liveness step is selected.
[[nodiscard]] std::vector<bool> livenessStepMask(const pva::Report &report, const Selection &selection);
/// Returns the positions of the selected runs, in ascending order.
[[nodiscard]] std::vector<std::size_t> selectedRuns(const pva::Report &report, const Selection &selection);
/// Returns the positions of the selected runs that ended. Sums of cycles cover only these runs, because the length of a
/// run that was cut short is unknown. If no selected run ended, returns the positions of all selected runs.
[[nodiscard]] std::vector<std::size_t> summedRuns(const pva::Report &report, const Selection &selection);
/// Returns whether the text is a pattern, that is, contains * or ?.
[[nodiscard]] bool isPattern(const std::string &text);
/// Returns whether the text selects the name. A pattern must match the whole name, and any other text must equal the
/// whole name.
[[nodiscard]] bool wholeNameMatches(const std::string &text, const std::string &name);
/// Returns whether a pattern of --name selects the name. The pattern "" selects all names.
[[nodiscard]] bool nameMatches(const std::string &pattern, const std::string &name);
/// Returns whether `asked` equals `name`, either as the profile stores the name or with the escapes that views print.
[[nodiscard]] bool isNamed(const std::string &asked, const std::string &name);

/// Returns how many tiles of one replica have memory data in the profile.
[[nodiscard]] std::size_t tileCount(const pva::Report &report);
/// Returns the tiles by used bytes (excluding gaps), the fullest first; equally full tiles are in ascending order.
[[nodiscard]] std::vector<std::size_t> fullestTiles(const pva::Report &report);
/// Returns the bytes from the end of the tile's memory to the highest used address, gaps included, or 0 if the tile
/// fits. The result is at least the number of occupied bytes in the overflowed region.
[[nodiscard]] std::uint64_t bytesPastEnd(const pva::Report &report, std::size_t tile);

} // namespace popscope
