// The selection of an answer: the flags that all views share.
//
//   --tiles 0,5-9,worst:16    --steps 12-40,60-    --runs 1    --ipu 0    --name 'Layer1/*'    -n 5
//
// A step is named by the id of its program, as in popscope why --step and the tables of a profile. A run is named by
// its position among the recorded ones; for data of the compilation, --runs selects the steps that the runs executed. A
// name without * or ? matches any part of a name; with them it matches whole names.
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

/// An error in one line: what a profile lacks for an answer, or a mistake in the flags.
class AnswerError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Ranges of whole numbers, both ends inclusive. Throws AnswerError, which names `flag`.
class NumberSet {
public:
  NumberSet() = default; // contains all numbers
  NumberSet(const std::string &flag, const std::string &text);
  [[nodiscard]] bool contains(std::uint64_t number) const;
  [[nodiscard]] bool everything() const { return ranges_.empty(); }
  /// Throws if the set contains a number from `end` on; "20-" does not throw.
  void checkBelow(std::uint64_t end, const std::string &flag, const std::string &what) const;

private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
};

struct Selection {
  std::optional<std::uint64_t> count;            // -n; 0 = all rows
  std::string tiles, steps, runs, name, ipuText; // "" = all
  std::optional<std::uint64_t> ipu;              // value of `ipuText`, see checkSelection

  [[nodiscard]] std::size_t countOr(std::size_t usual) const;
  /// Returns true if neither --tiles nor --ipu restricts the tiles.
  [[nodiscard]] bool everyTile() const { return tiles.empty() && !ipu; }
  /// Returns true if neither --steps nor --runs restricts the steps.
  [[nodiscard]] bool everyStep() const { return steps.empty() && runs.empty(); }
};

/// Reads --ipu, and throws AnswerError, with the range of the profile, if --tiles, --steps, --runs or --ipu names
/// something that the profile does not have. It is called once per view, so that no view accepts a number that it then
/// ignores.
void checkSelection(const pva::Report &report, Selection &selection);
/// Returns the number in `flag`, below `end`. Throws AnswerError, which states the range of `what` in the profile.
[[nodiscard]] std::uint64_t readIndex(const std::string &flag, const std::string &text, std::uint64_t end,
                                      const std::string &what);
/// Returns the number of levels in --depth. Throws AnswerError if it is not a whole number from 1 to 1000.
[[nodiscard]] std::size_t readLevels(const std::string &text);
/// Returns one more than the highest id of a step.
[[nodiscard]] std::size_t stepCount(const pva::Report &report);

/// Returns the selected tiles of one replica, ascending. worst:N selects the tiles with the most bytes, and of equally
/// full tiles the lowest.
[[nodiscard]] std::vector<std::size_t> selectedTiles(const pva::Report &report, const Selection &selection);
/// Returns, per tile, whether it is selected.
[[nodiscard]] std::vector<bool> tileMask(const pva::Report &report, const Selection &selection);
[[nodiscard]] NumberSet selectedSteps(const Selection &selection);
/// The steps of --steps. If --runs selects runs, the steps that they did not execute are left out.
class StepChoice {
public:
  StepChoice() = default; // contains all steps
  StepChoice(const pva::Report &report, const Selection &selection);
  [[nodiscard]] bool contains(std::size_t program) const;

private:
  NumberSet steps_;
  std::optional<std::set<std::size_t>> executed_;
};
/// Returns, per liveness step, whether it is selected; empty = all are. Throws AnswerError if none is.
[[nodiscard]] std::vector<bool> livenessStepMask(const pva::Report &report, const Selection &selection);
/// Returns the positions of the selected runs, ascending.
[[nodiscard]] std::vector<std::size_t> selectedRuns(const pva::Report &report, const Selection &selection);
[[nodiscard]] bool nameMatches(const std::string &pattern, const std::string &name);

/// Returns the number of tiles of one replica whose memory the profile contains.
[[nodiscard]] std::size_t tileCount(const pva::Report &report);
/// Returns the tiles by bytes used, the fullest first. Equally full tiles are in ascending order.
[[nodiscard]] std::vector<std::size_t> fullestTiles(const pva::Report &report);

} // namespace popscope
