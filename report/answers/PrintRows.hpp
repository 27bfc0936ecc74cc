// The printers of an answer.
#pragma once
#include "report/answers/Rows.hpp"
#include "report/summary/Style.hpp"

#include <cstddef>
#include <iosfwd>

namespace popscope {

/// `columns`: no line is longer; names are shortened, sentences broken at words, and a table whose numbers alone need
/// more goes on below, its first column again. 0 = as long as the text is.
///
///   Compute sets by cycles                               heading
///   Name                  Executions   Cycles  Share     columns; text to the left, numbers to the right
///   Layer1/Fwd/Multiply           20  218,040  35.1%
///   24 more; -n 0 shows all
///   Next: popscope loss profile.pop
void printText(std::ostream &out, const Rows &rows, const Style &style, std::size_t columns);
/// {"view", "facts": {key: value}, "units": {key: unit}, "tables": {key: {"units", "rows": [{...}], "more": N}},
/// "notes": [...], "next": [...]}. Numbers are numbers; percent with one decimal.
[[nodiscard]] std::string toJson(const Rows &rows);
/// The first table by RFC 4180, with its keys; of an answer without tables key,value,unit of its facts.
[[nodiscard]] std::string toCsv(const Rows &rows);
[[nodiscard]] std::string toMarkdown(const Rows &rows);
/// JUnit's XML of a table with the columns number, rule, value, limit, baseline, unit, kept: a test case for each
/// limit.
[[nodiscard]] std::string toJunit(const Rows &rows);
/// The same table, with the column line and the facts budget and profile, as a SARIF 2.1.0 log: a result for each limit
/// that does not hold, at its line in the budget.
[[nodiscard]] std::string toSarif(const Rows &rows);

} // namespace popscope
