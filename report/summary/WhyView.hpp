// Why a variable is live, from the explanations in the profile.
//
//   Variable "activations": 4,096 B over 8 tiles, at most 512 B on one (tile 0), category variable
//     live at step 12 (OnTileExecute: forward) to step 31 (Sync)
//       read next by:     step 31 OnTileExecute: backward
//       last fully written by: step 9 DoExchange: input/ExchangePost
//       not killed by:    step 20 OnTileExecute: patch, which leaves out 12 elements: [0,12)
//       brought there by: the loop at step 4 Repeat: train
//       weighs most at:   step 20 OnTileExecute: patch, 4,096 of 9,216 B live there (44.4%)
//     live for nothing: 4,048 B at step 12 to step 19, where no path reads them
//
// Steps are program ids: positions in compile-time order, loops not unrolled.
#pragma once
#include "report/summary/Style.hpp"

#include <optional>
#include <ostream>
#include <pva/pva.hpp>
#include <string>
#include <vector>

namespace popscope {

struct StepName {
  std::size_t id = 0;
  std::string title;
};
/// All that is live, but not always live, at a step.
struct LiveThere {
  StepName step;
  std::uint64_t bytes = 0;
};
struct WhyRow {
  StepName first, last; // inclusive
  StepName read;
  std::optional<StepName> born, failedKill, carriedBy;
  std::uint64_t missedElements = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> missed; // the first few
  std::string carrier;
  std::optional<LiveThere> fullest; // where most is live beside it; absent for always-live variables and bare Sequences
};
struct FalseLiveRow {
  StepName first, last;
  std::uint64_t bytes = 0;
};
struct WhyVariable {
  std::string name, category;
  std::uint64_t bytes = 0; // of one replica, as are the tiles
  std::size_t numTiles = 0,
              largestTile = 0; // tiles with a part of it; the one with the largest part, the lowest of equals
  std::uint64_t largestPart = 0;
  bool alwaysLive = false;
  std::vector<WhyRow> rows; // ascending steps; of one step when one was asked for
  std::vector<FalseLiveRow> falseLive;
};
struct WhyRows {
  std::optional<StepName> step;       // that was asked for
  std::vector<WhyVariable> variables; // all of that name
};

/// "OnTileExecute: name" as the summary names it, with its id.
[[nodiscard]] StepName stepName(const pva::Program &program);
/// "step 12 OnTileExecute: forward".
[[nodiscard]] std::string stepText(const StepName &step);

/// Throws std::runtime_error when the profile explains nothing, has no variable of the name (naming near ones), or no
/// such step.
[[nodiscard]] WhyRows collectWhy(const pva::Report &report, const std::string &variable,
                                 std::optional<std::size_t> step);
void printText(std::ostream &out, const WhyRows &rows, const Style &style);
/// All rows, also those that the text leaves out.
void printJson(std::ostream &out, const WhyRows &rows);

} // namespace popscope
