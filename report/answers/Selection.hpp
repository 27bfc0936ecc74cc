// What an answer is asked about: the flags that all views share.
//
//   --tiles 0,5-9,worst:16    --steps 12-40,60-    --runs 1    --ipu 0    --name 'Layer1/*'    -n 5
//
// A step is named by the id of its program, as popscope why --step and the tables of a profile do. A run is named by
// its position among the recorded ones; of what is compiled and not run, --runs asks about the steps that they
// executed. A name without * or ? matches any part of a name; with them it matches whole names.
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

/// What a profile lacks for an answer, or how it was asked for wrongly: one line.
class AnswerError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Ranges of whole numbers, both ends included. Throws AnswerError that names `flag`.
class NumberSet {
public:
  NumberSet() = default; // everything
  NumberSet(const std::string &flag, const std::string &text);
  [[nodiscard]] bool contains(std::uint64_t number) const;
  [[nodiscard]] bool everything() const { return ranges_.empty(); }
  /// Throws when it names a number from `end` on; "20-" does not.
  void checkBelow(std::uint64_t end, const std::string &flag, const std::string &what) const;

private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
};

struct Selection {
  std::optional<std::uint64_t> count;            // -n; 0 = all
  std::string tiles, steps, runs, name, ipuText; // "" = all
  std::optional<std::uint64_t> ipu;              // of `ipuText`, see checkSelection

  [[nodiscard]] std::size_t countOr(std::size_t usual) const;
  /// Neither --tiles nor --ipu chooses any.
  [[nodiscard]] bool everyTile() const { return tiles.empty() && !ipu; }
  /// Neither --steps nor --runs chooses any.
  [[nodiscard]] bool everyStep() const { return steps.empty() && runs.empty(); }
};

/// Reads --ipu, and throws AnswerError with the range of the profile where --tiles, --steps, --runs or --ipu names what
/// the profile has not. Called once for each view, so that no view accepts a number that it then ignores.
void checkSelection(const pva::Report &report, Selection &selection);
/// The number that `flag` names, below `end`. Throws AnswerError that says which `what` the profile has.
[[nodiscard]] std::uint64_t readIndex(const std::string &flag, const std::string &text, std::uint64_t end,
                                      const std::string &what);
/// One more than the highest id of a step.
[[nodiscard]] std::size_t stepCount(const pva::Report &report);

/// Ascending. Tiles of one replica. worst:N are those with the most bytes, of equals the lowest.
[[nodiscard]] std::vector<std::size_t> selectedTiles(const pva::Report &report, const Selection &selection);
/// The same by tile.
[[nodiscard]] std::vector<bool> tileMask(const pva::Report &report, const Selection &selection);
[[nodiscard]] NumberSet selectedSteps(const Selection &selection);
/// The steps of --steps, and where --runs chooses runs, those of them that these runs executed.
class StepChoice {
public:
  StepChoice() = default; // all
  StepChoice(const pva::Report &report, const Selection &selection);
  [[nodiscard]] bool contains(std::size_t program) const;

private:
  NumberSet steps_;
  std::optional<std::set<std::size_t>> executed_;
};
/// By liveness step, whether it is chosen; empty = all are. Throws AnswerError where none is.
[[nodiscard]] std::vector<bool> livenessStepMask(const pva::Report &report, const Selection &selection);
/// Ascending positions.
[[nodiscard]] std::vector<std::size_t> selectedRuns(const pva::Report &report, const Selection &selection);
[[nodiscard]] bool nameMatches(const std::string &pattern, const std::string &name);

/// Tiles of one replica that the profile has the memory of.
[[nodiscard]] std::size_t tileCount(const pva::Report &report);
/// Tiles by bytes used, most first, of equals the lowest.
[[nodiscard]] std::vector<std::size_t> fullestTiles(const pva::Report &report);

} // namespace popscope
