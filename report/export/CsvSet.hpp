// Writes tables as CSV files. Tables and columns have the names that Ascend's msprof uses, if msprof has a table or
// column with the same meaning. Further columns contain data that msprof does not have. The files follow RFC 4180,
// except that a line ends with a line feed alone. Each file has a heading row, which contains the units. Decimals have
// a '.', and cells of unknown values are empty.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

struct CsvOptions {
  TimelineOptions timeline;
  /// Patterns of names (as for --name). In a run, the first step whose name matches fpPoint begins the forward part,
  /// and the last step whose name matches bpPoint ends the backward part.
  std::string fpPoint = "Fwd", bpPoint = "Bwd";
};
struct CsvTable {
  const char *file;    // "op_summary.csv"
  const char *help;    // the table's description in README.txt, one line
  const char *heading; // names of the columns, separated by commas
  /// Writes the rows. The result states whether --max-events cut the table; its number of events is 0.
  TimelineResult (*rows)(std::ostream &out, const pva::Report &report, const CsvOptions &options);
};
/// Returns the tables in the order of README.txt.
[[nodiscard]] const std::vector<CsvTable> &csvTables();
/// Writes the heading and the rows of a table. Returns the result of CsvTable::rows.
TimelineResult writeCsv(std::ostream &out, const CsvTable &table, const pva::Report &report, const CsvOptions &options);
/// Writes the text of README.txt, which describes the CSV files and their columns.
void writeCsvReadme(std::ostream &out);

} // namespace popscope
