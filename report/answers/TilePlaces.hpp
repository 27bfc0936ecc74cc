// The addresses of one tile: the occupants of each address over time, and the step at which the most bytes are
// occupied. TilePlaces also contains the free bytes below the highest address, by cause (base/TileGaps.hpp). TilePlaces
// needs a profile with lowered variables (autoReport.outputLoweredVars).
//
// Invariant: the highest address equals the number of addresses occupied at the worst step plus the sum of TileGaps.
#pragma once
#include "base/TileGaps.hpp"
#include "report/answers/Selection.hpp"

#include <map>
#include <optional>

namespace popscope {

struct Place {
  std::uint64_t begin = 0, end = 0, alignment = 1;
  std::size_t row = 0; // index in the list that LoweredVariables::forTile returns
  bool code = false, interleaved = false, always = false;
  std::shared_ptr<const std::vector<pva::StepInterval>> spans; // liveness steps at which the place is occupied
  [[nodiscard]] bool thereAt(std::size_t step) const;
};

/// The data that all tiles of one profile share. A TileFacts object reads these data from the file only once.
class TileFacts {
public:
  /// Returns the size of a memory element in bytes, or 0 if the profile does not contain this size.
  [[nodiscard]] std::uint64_t elementBytes(const pva::Report &report);
  /// Returns the intervals of steps at which the variables of an equivalence class occupy memory.
  [[nodiscard]] std::shared_ptr<const std::vector<pva::StepInterval>> of(const pva::EquivalenceClass &which);

private:
  std::map<std::int64_t, std::shared_ptr<const std::vector<pva::StepInterval>>> known_;
  std::optional<std::uint64_t> elementBytes_;
};

class TilePlaces {
public:
  /// Reads the tile. `steps` is a result of livenessStepMask. Throws AnswerError if the file contains addresses that
  /// are too large for a tile.
  TilePlaces(const pva::Report &report, std::size_t tile, TileFacts &spans, const std::vector<bool> &steps = {});
  /// Returns the places in ascending order of addresses, or an empty list if the profile has no addresses.
  [[nodiscard]] const std::vector<Place> &places() const { return places_; }
  [[nodiscard]] std::string nameOf(const Place &place) const { return lowered_[place.row].name(); }
  [[nodiscard]] std::string categoryOf(const Place &place) const { return lowered_[place.row].category(); }
  /// Returns the step at which the most bytes are occupied, among the steps that were passed to the constructor. If
  /// several steps have this number of occupied bytes, returns the first.
  [[nodiscard]] std::size_t worstStep() const { return worst_; }
  [[nodiscard]] std::uint64_t bytesAt(std::size_t step) const;
  [[nodiscard]] std::size_t steps() const { return steps_; }
  /// Returns the highest end of a place, over all steps.
  [[nodiscard]] std::uint64_t highest() const { return highest_; }
  /// Returns the bytes of the gaps below highest() at the worst step, by cause.
  [[nodiscard]] TileGaps gaps() const;

private:
  using Changes = std::vector<std::pair<std::size_t, std::int64_t>>; // (step, change of the occupied bytes)
  struct Level {
    std::size_t first; // step at which the level begins
    std::uint64_t bytes;
  };
  void setLevels(Changes changes);
  void findWorst(const std::vector<bool> &chosen);

  pva::List<pva::LoweredVariable> lowered_;
  std::vector<Place> places_;
  std::size_t steps_ = 1;
  std::vector<Level> levels_; // sorted by step; the first begins at step 0
  std::size_t worst_ = 0;
  std::uint64_t highest_ = 0;
  TileSizes sizes_;
};

} // namespace popscope
