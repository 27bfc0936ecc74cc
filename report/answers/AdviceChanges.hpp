// The changes of a trial as data (pva::AdviceTrial::changes, the form of popscope.applyAdvice), which the views of
// advice print and select by.
#pragma once
#include "report/answers/View.hpp"

#include <functional>
#include <set>

namespace popscope {

struct TrialChange {
  std::string kind;                 // "moveVariable", "moveVertices", "writeUndef" or "option"
  std::string name;                 // the name of the variable, compute set or option
  std::string what;                 // what moves: "\"w\" (no. 2)", "vertices \"Layer1/Fwd\""; "" = nothing
  std::string fromTo;               // "tiles 0,2,4,... (8) to 1,3,5,... (8)"; "" = no move between lists of tiles
  std::vector<std::uint64_t> from;  // the tiles that it relieves; empty for a mapping, a WriteUndef or an option
  std::vector<std::uint64_t> tiles; // tiles of from and to, and of a mapping
  std::string description;          // one line
};
/// Returns the changes in the order of the trial's description. If the JSON does not match it, they have descriptions
/// only. Without changes the list is empty.
[[nodiscard]] std::vector<TrialChange> changesOf(const pva::AdviceTrial &trial);
/// Returns the changes in one line: moves between the same tiles share one list of tiles, after the moved objects.
[[nodiscard]] std::string inOneLine(const pva::AdviceTrial &trial);

/// The changes that the flags select. --tiles and --ipu: moves that name one of the tiles, and WriteUndefs of variables
/// with a part there. --steps and --runs: variables that are live at one of the steps, and vertices of a compute set
/// that one of them executes. Options are always selected. --name: names of the changed objects.
class ChosenChanges {
public:
  explicit ChosenChanges(const Request &request);
  [[nodiscard]] bool contains(const TrialChange &change) const;
  /// Returns whether one of the trial's changes is selected; always true if nothing restricts the selection.
  [[nodiscard]] bool contains(const pva::AdviceTrial &trial) const;
  /// Returns whether a part of the variable lies on a selected tile.
  [[nodiscard]] bool liesThere(const pva::Variable &variable) const;

private:
  [[nodiscard]] bool onTiles(const TrialChange &change) const;
  [[nodiscard]] bool atSteps(const TrialChange &change) const;
  /// Returns whether `holds` is true for a variable of the profile with the change's name.
  [[nodiscard]] bool anyVariable(const TrialChange &change,
                                 const std::function<bool(const pva::Variable &)> &holds) const;

  const Request &request_;
  std::vector<bool> tiles_;        // empty = all
  bool everyStep_ = true;          // if false, the following members apply
  std::vector<bool> liveSteps_;    // per liveness step: whether it is selected
  std::set<std::string> executed_; // names of compute sets
};

} // namespace popscope
