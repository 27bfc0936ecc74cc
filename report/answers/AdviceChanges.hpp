// The changes of a trial as structures, parsed from pva::AdviceTrial::changes (a JSON array in the form of
// popscope.applyAdvice). The views of advice print these structures, and select changes by the structures' members.
#pragma once
#include "report/answers/View.hpp"

#include <functional>
#include <set>

namespace popscope {

struct TrialChange {
  std::string kind;                 // "moveVariable", "moveVertices", "writeUndef" or "option"
  std::string name;                 // the name of the variable, compute set or option
  std::vector<std::uint64_t> from;  // tiles that the change relieves; empty for a mapping, a WriteUndef or an option
  std::vector<std::uint64_t> tiles; // all tiles that the change names: for a move, the tiles of `from` and of the
                                    // destination; for a mapping, the tiles of the mapping
  std::string description;          // the change in one line of text
};
/// Returns the changes in the order of the trial's description, or an empty list for a trial without changes. Each
/// change has only its `description` if the JSON is not an array of objects, or if the JSON and the trial's description
/// have different numbers of entries.
[[nodiscard]] std::vector<TrialChange> changesOf(const pva::AdviceTrial &trial);

/// The changes that are selected by all flags of a request at once. --tiles and --ipu select moves and mappings that
/// name one of the selected tiles. The two flags also select WriteUndefs of variables with a part on one of these
/// tiles. --steps and --runs select changes of variables that are live at one of the selected steps. These two flags
/// also select moves of vertices if one of these steps executes the vertices' compute set. --name selects by the name
/// of the changed object. All selections of tiles and steps include changes of options.
class ChosenChanges {
public:
  explicit ChosenChanges(const Request &request);
  [[nodiscard]] bool contains(const TrialChange &change) const;
  /// Returns whether at least one of the trial's changes is selected, or true if no flag restricts the selection.
  [[nodiscard]] bool contains(const pva::AdviceTrial &trial) const;
  /// Returns whether the name of the variable is selected, a part of the variable is on a selected tile, and the
  /// variable is live at a selected step. The same rule applies to a WriteUndef, which names no tiles.
  [[nodiscard]] bool contains(const pva::Variable &variable) const;

private:
  [[nodiscard]] bool liesThere(const pva::Variable &variable) const;
  [[nodiscard]] bool livesThen(const pva::Variable &variable) const;
  [[nodiscard]] bool onTiles(const TrialChange &change) const;
  [[nodiscard]] bool atSteps(const TrialChange &change) const;
  /// Returns whether `holds` returns true for at least one variable with the change's name.
  [[nodiscard]] bool anyVariable(const TrialChange &change,
                                 const std::function<bool(const pva::Variable &)> &holds) const;

  const Request &request_;
  std::vector<bool> tiles_;        // per tile: whether the tile is selected; empty if all tiles are selected
  bool everyStep_ = true;          // true: all steps are selected, and the next two members are not used
  std::vector<bool> liveSteps_;    // per liveness step: whether the step is selected
  std::set<std::string> executed_; // names of the compute sets that the selected steps execute
};

} // namespace popscope
