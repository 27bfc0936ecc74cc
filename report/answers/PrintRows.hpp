// The printers of an answer.
#pragma once
#include "report/answers/Rows.hpp"
#include "report/summary/Style.hpp"

#include <cstddef>
#include <iosfwd>

namespace popscope {

/// Prints an answer as text. `columns`: the maximum length of lines. Names are shortened and sentences broken at words.
/// Columns that still do not fit continue below, next to a copy of the first column. 0 = no maximum.
///
///   Compute sets by cycles                               heading
///   Name                  Executions   Cycles  Share     columns; text to the left, numbers to the right
///   Layer1/Fwd/Multiply           20  218,040  35.1%
///   24 more; -n 0 shows all
///   Next: popscope loss profile.pop
void printText(std::ostream &out, const Rows &rows, const Style &style, std::size_t columns);
/// Returns {"view", "facts": {key: value}, "units": {key: unit}, "tables": {key: {"units", "rows": [{...}], "more":
/// N}}, "notes": [...], "next": [...]}. Numbers are numbers; percent has one decimal.
[[nodiscard]] std::string toJson(const Rows &rows);
/// Returns the first table as CSV (RFC 4180), with its keys. An answer without tables gives the columns key, value and
/// unit of its facts.
[[nodiscard]] std::string toCsv(const Rows &rows);
[[nodiscard]] std::string toMarkdown(const Rows &rows);
/// Returns JUnit's XML of a table with the columns number, rule, value, limit, baseline, unit, kept: one test case per
/// limit.
[[nodiscard]] std::string toJunit(const Rows &rows);
/// Returns a SARIF 2.1.0 log of the same table, with the column line and the facts budget and profile: one result per
/// limit that fails, at its line in the budget.
[[nodiscard]] std::string toSarif(const Rows &rows);

} // namespace popscope
