// The place at which a change acts in the unchanged program: a tile, and the step at which this tile is fullest.
//
//   move "w" from tiles 0-3 to tile 8      the fullest of tiles 0 to 3, at its fullest step while "w" is live
//   map "w" to other tiles                 the fullest tile that holds a part of "w", at its fullest step while "w" is
//                                          live
//   move vertices "add", ...               the fullest tile that the vertices leave, at its fullest step that executes
//                                          "add"
//   WriteUndef("t") ...                    the fullest tile that holds a part of "t", at its fullest step while "t" is
//                                          live
//   an option                              everywhere: no tile and no step
//
// In two cases, ChangePlace::step is the tile's fullest step among all steps: "w" or "t" is always live, or the profile
// has no step of the kind that the table names.
#pragma once
#include "report/answers/AdviceChanges.hpp"
#include "report/answers/TilePlaces.hpp"

#include <optional>

namespace popscope {

struct ChangePlace {
  std::optional<std::uint64_t> tile;
  std::optional<std::uint64_t> step; // a program id; has no value if `tile` has none, or if the profile has no
                                     // addresses
  [[nodiscard]] Cell tileCell() const { return tile ? Cell(*tile) : Cell(Unknown()); }
  [[nodiscard]] Cell stepCell() const { return step ? Cell(*step) : Cell(Unknown()); }
};

/// The places of changes in one profile. The report must outlive the object.
class ChangePlaces {
public:
  explicit ChangePlaces(const pva::Report &report);
  [[nodiscard]] ChangePlace of(const TrialChange &change);

private:
  [[nodiscard]] std::uint64_t bytesOn(std::uint64_t tile) const { return tile < used_.size() ? used_[tile] : 0; }
  [[nodiscard]] std::vector<const pva::Variable *> changed(const TrialChange &change) const;
  [[nodiscard]] std::vector<bool> stepsOf(const TrialChange &change, std::uint64_t tile) const;

  const pva::Report &report_;
  std::vector<pva::Variable> variables_;
  std::vector<std::shared_ptr<pva::Program>> steps_; // programs of the liveness steps
  std::vector<std::uint64_t> used_;                  // per tile: occupied bytes
  TileFacts spans_;
};

} // namespace popscope
