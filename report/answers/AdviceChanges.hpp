// The changes of a trial as data (pva::AdviceTrial::changes, what popscope.applyAdvice takes), for what the views of
// advice say and choose by.
#pragma once
#include "report/answers/View.hpp"

#include <functional>
#include <set>

namespace popscope {

struct TrialChange {
  std::string kind;                 // "moveVariable", "moveVertices", "writeUndef" or "option"
  std::string name;                 // of the variable, the compute set or the option
  std::string what;                 // what is moved: "\"w\" (no. 2)", "vertices \"Layer1/Fwd\""; "" = nothing is
  std::string fromTo;               // "tiles 0,2,4,... (8) to 1,3,5,... (8)"; "" = not a move between lists of tiles
  std::vector<std::uint64_t> tiles; // from, to and of a mapping
  std::string description;          // one line
};
/// In the order of the trial's description. Where the JSON does not go with it, the descriptions alone; none of no
/// changes.
[[nodiscard]] std::vector<TrialChange> changesOf(const pva::AdviceTrial &trial);
/// In one line: moves between the same tiles name these once, after what they move.
[[nodiscard]] std::string inOneLine(const pva::AdviceTrial &trial);

/// Which changes the flags ask for. --tiles and --ipu: moves that name one of the tiles, WriteUndefs of variables that
/// have a part there; --steps and --runs: variables that are live at one of the steps, vertices of a compute set that
/// one of them executes; options always. --name: names of what is changed.
class ChosenChanges {
public:
  explicit ChosenChanges(const Request &request);
  [[nodiscard]] bool contains(const TrialChange &change) const;
  /// One of its changes is; where nothing is chosen, always.
  [[nodiscard]] bool contains(const pva::AdviceTrial &trial) const;
  /// A part of it lies on a chosen tile.
  [[nodiscard]] bool liesThere(const pva::Variable &variable) const;

private:
  [[nodiscard]] bool onTiles(const TrialChange &change) const;
  [[nodiscard]] bool atSteps(const TrialChange &change) const;
  /// Of the profile, a variable of the change's name for which it holds.
  [[nodiscard]] bool anyVariable(const TrialChange &change,
                                 const std::function<bool(const pva::Variable &)> &holds) const;

  const Request &request_;
  std::vector<bool> tiles_;        // empty = all
  bool everyStep_ = true;          // without it:
  std::vector<bool> liveSteps_;    // by liveness step, whether it is chosen
  std::set<std::string> executed_; // names of compute sets
};

} // namespace popscope
