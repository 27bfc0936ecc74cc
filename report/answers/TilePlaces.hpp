// The addresses of one tile: what lies where and when, the step at which most is there, and what the free bytes below
// the highest address are free for. Of a profile with lowered variables (autoReport.outputLoweredVars).
//
//   at the worst step   |code|....|stack|data|..|data|::::::|data|        . nothing lies there at any step   :
//   something at another one
//                            region rules     alignment  fragmentation
//
// The highest address is the bytes there at the worst step (no packing is lower) and these three, nothing left over.
#pragma once
#include "report/answers/Selection.hpp"

#include <map>

namespace popscope {

struct Place {
  std::uint64_t begin = 0, end = 0, alignment = 1;
  std::size_t row = 0; // of LoweredVariables::forTile
  bool code = false, interleaved = false, always = false;
  std::shared_ptr<const std::vector<pva::StepInterval>> spans; // when it is there, in liveness steps
  [[nodiscard]] bool thereAt(std::size_t step) const;
};

/// Bytes of holes by cause.
struct Gaps {
  std::uint64_t alignment = 0, regions = 0, fragmentation = 0;
  [[nodiscard]] std::uint64_t sum() const { return alignment + regions + fragmentation; }
};

/// Spans of the classes of one profile, each read once.
class ClassSpans {
public:
  [[nodiscard]] std::shared_ptr<const std::vector<pva::StepInterval>> of(const pva::EquivalenceClass &which);

private:
  std::map<std::int64_t, std::shared_ptr<const std::vector<pva::StepInterval>>> known_;
};

class TilePlaces {
public:
  /// Throws AnswerError for addresses that no tile has. `steps`: livenessStepMask.
  TilePlaces(const pva::Report &report, std::size_t tile, ClassSpans &spans, const std::vector<bool> &steps = {});
  /// By address. Empty: the profile has no addresses.
  [[nodiscard]] const std::vector<Place> &places() const { return places_; }
  [[nodiscard]] std::string nameOf(const Place &place) const { return lowered_[place.row].name(); }
  [[nodiscard]] std::string categoryOf(const Place &place) const { return lowered_[place.row].category(); }
  [[nodiscard]] std::size_t worstStep() const { return worst_; } // of `steps`, the first of equals
  [[nodiscard]] std::uint64_t bytesAt(std::size_t step) const;
  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] std::uint64_t highest() const { return highest_; } // end of the highest place at any step
  /// Of the free bytes below `highest` at the worst step.
  [[nodiscard]] Gaps gaps() const;

private:
  using Changes = std::vector<std::pair<std::size_t, std::int64_t>>; // at a step, of bytes
  struct Level {
    std::size_t first; // of the steps at which so much is there
    std::uint64_t bytes;
  };
  void setLevels(Changes changes);
  void findWorst(const std::vector<bool> &chosen);

  pva::List<pva::LoweredVariable> lowered_;
  std::vector<Place> places_;
  std::size_t steps_ = 1;
  std::vector<Level> levels_; // by step; the first is of step 0
  std::size_t worst_ = 0;
  std::uint64_t highest_ = 0;
};

} // namespace popscope
