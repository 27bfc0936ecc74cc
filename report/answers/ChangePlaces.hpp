// The place at which a change acts in the unchanged program: the tile that it relieves, and the step at which this tile
// is fullest.
//
//   move "w", tiles 0-3 to 8      the fullest of tiles 0 to 3, at its fullest step while "w" is live
//   move vertices "add", ...      the fullest of their tiles, at its fullest step that executes "add"
//   WriteUndef("t") ...           the fullest tile that holds a part of "t", at its fullest step while "t" is live
//   an option                     everywhere: no tile and no step
//
// If no such step is recorded, the step is the fullest of the tile.
#pragma once
#include "report/answers/AdviceChanges.hpp"
#include "report/answers/TilePlaces.hpp"

#include <optional>

namespace popscope {

struct ChangePlace {
  std::optional<std::uint64_t> tile;
  std::optional<std::uint64_t> step; // a program id; nothing: unknown, since the profile has no addresses
  [[nodiscard]] Cell tileCell() const { return tile ? Cell(*tile) : Cell(Unknown()); }
  [[nodiscard]] Cell stepCell() const { return step ? Cell(*step) : Cell(Unknown()); }
};

/// The places of changes in one profile; the report must outlive it.
class ChangePlaces {
public:
  explicit ChangePlaces(const pva::Report &report);
  [[nodiscard]] ChangePlace of(const TrialChange &change);
  /// Returns the place on the fullest tile of all changes of the trial, and on the first of equally full tiles.
  [[nodiscard]] ChangePlace of(const pva::AdviceTrial &trial);

private:
  [[nodiscard]] std::uint64_t bytesOn(std::uint64_t tile) const { return tile < used_.size() ? used_[tile] : 0; }
  [[nodiscard]] std::vector<const pva::Variable *> changed(const TrialChange &change) const;
  [[nodiscard]] std::vector<bool> stepsOf(const TrialChange &change, std::uint64_t tile) const;

  const pva::Report &report_;
  std::vector<pva::Variable> variables_;
  std::vector<std::shared_ptr<pva::Program>> steps_; // of liveness
  std::vector<std::uint64_t> used_;                  // per tile: up to which address
  ClassSpans spans_;
};

} // namespace popscope
