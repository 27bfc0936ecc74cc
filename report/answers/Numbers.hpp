// The numbers of a profile. `popscope diff` compares these numbers, and a budget limits them. Each number has a name:
//
//   cycles  cycles.compute  bytes.fullestTile  bytes.allTiles  bytes.live  category.message  computeSet.NAME.cycles
//   vertexType.NAME.bytes  variable.NAME.bytes  step.TITLE.code ...
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

struct Number {
  Unit unit = Unit::None;
  Cell value; // a number, or Unknown
};
using Numbers = std::map<std::string, Number>;

/// Returns the numbers. The numbers of compute sets, steps, variables or vertex types with the same name are added up.
/// Copies without a name have the names of `popscope top` (MovedNames). Cycles are sums over the selected runs that
/// ended; the number "runs" counts these runs. If no selected run ended, the cycles are unknown. A sum of cycles is
/// also unknown if one of its steps or vertices has unknown cycles. If --tiles, --ipu or --steps restricts the
/// selection, returns only numbers that are known for the selection. For selected tiles, these numbers are bytes,
/// tilesOutOfMemory, cycles of work, and for each step the cycles of the slowest selected tile. For selected steps,
/// these numbers are live bytes, the code of exchanges, the tile cycles of work by cause, and the cycles that the steps
/// add to the runs. The number "runs" is known for each selection.
[[nodiscard]] Numbers numbersOf(const pva::Report &report, const Selection &selection);
/// Adds notes about the effects of the selection on the numbers: one note each for selected tiles, steps and runs.
void noteSelection(const Selection &selection, Rows &rows);
[[nodiscard]] std::optional<std::int64_t> valueOf(const Number &number);

} // namespace popscope
