// Every number of a profile that can be compared or limited, by name.
//
//   cycles  cycles.compute  bytes.fullestTile  bytes.allTiles  bytes.live  category.message  computeSet.NAME.cycles
//   vertexType.NAME.bytes  variable.NAME.bytes  step.TITLE.code ...
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

struct Number {
  Unit unit = Unit::None;
  Cell value; // a number, or unknown
};
using Numbers = std::map<std::string, Number>;

/// Compute sets, variables and vertex types of one name are summed. Cycles are sums over the recorded runs, or those of
/// --runs. Where --tiles, --ipu or --steps choose some, the numbers that can be told of these alone: of tiles their
/// bytes, what they work, and the cycles of the slowest of them in each step; of steps what is live, their part of the
/// runs and their code.
[[nodiscard]] Numbers numbersOf(const pva::Report &report, const Selection &selection);
/// What to say beside such numbers.
void noteSelection(const Selection &selection, Rows &rows);
/// "computeSet" of "computeSet.NAME.cycles"; the whole of "cycles".
[[nodiscard]] std::string groupOf(const std::string &name);
[[nodiscard]] std::optional<std::int64_t> valueOf(const Number &number);

} // namespace popscope
