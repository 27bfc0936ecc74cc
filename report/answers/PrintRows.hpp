// The printers of an answer.
#pragma once
#include "report/answers/Rows.hpp"
#include "report/summary/Style.hpp"

#include <cstddef>
#include <iosfwd>

namespace popscope {

/// Prints an answer as text. `columns` is the maximum length of a line, or 0 for no maximum. To stay within this
/// length, the printer shortens names and wraps sentences between words. Columns that still do not fit continue below
/// the table, next to a copy of the first column.
///
///   Compute sets by cycles                               heading
///   Name                  Executions   Cycles  Share     columns; text to the left, numbers to the right
///   Layer1/Fwd/Multiply           20  218,040  35.1%
///   24 more; -n 0 shows all
///   Next: popscope loss profile.pop
void printText(std::ostream &out, const Rows &rows, const Style &style, std::size_t columns);
/// Returns a JSON object: {"view", "facts": {key: value}, "units": {key: unit}, "tables": {key: {"title", "units",
/// "rows": [{...}], "more": N}}, "notes": [...], "next": [...]}. Numbers are JSON numbers; percentages have one
/// decimal.
[[nodiscard]] std::string toJson(const Rows &rows);
/// Returns the first table as CSV (RFC 4180), with the columns' keys as its heading. For an answer without tables,
/// returns its facts as a table with the columns `key`, `value` and `unit`.
[[nodiscard]] std::string toCsv(const Rows &rows);
/// Returns Markdown: the sentences as a list, then the tables, the picture and the notes. Leaves out the suggested
/// commands, and a picture that text shows instead of the tables (Rows::drawn).
[[nodiscard]] std::string toMarkdown(const Rows &rows);
/// Returns JUnit XML with one test case per row of the table of limits. The table has the columns `number`, `rule`,
/// `value`, `limit`, `baseline`, `unit` and `kept`.
[[nodiscard]] std::string toJunit(const Rows &rows);
/// Returns a SARIF 2.1.0 log with one result per failed limit, located at the limit's line in the budget file. In
/// addition to the columns of toJunit's table, the answer must have the column `line`, and the facts `budget` and
/// `profile`.
[[nodiscard]] std::string toSarif(const Rows &rows);

} // namespace popscope
