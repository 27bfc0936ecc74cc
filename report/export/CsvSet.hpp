// Tables as CSV files with the names and headings of Ascend's msprof, for columns with the same meaning. Data that only
// a tile machine has follows in additional columns. The files follow RFC 4180, with a heading row, units in the
// heading, '.' for decimals, and empty cells for unknown values.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

struct CsvOptions {
  TimelineOptions timeline;
  std::string fpPoint = "Fwd",
              bpPoint = "Bwd"; // names of the first forward and the last backward step, in the form of --name
};
struct CsvTable {
  const char *file;    // "op_summary.csv"
  const char *help;    // one line for README.txt
  const char *heading; // the names of its columns, separated by commas
  void (*rows)(std::ostream &out, const pva::Report &report, const CsvOptions &options);
};
/// Returns the tables in the order of README.txt.
[[nodiscard]] const std::vector<CsvTable> &csvTables();
/// Writes heading and rows.
void writeCsv(std::ostream &out, const CsvTable &table, const pva::Report &report, const CsvOptions &options);
/// Writes a description of the files of the folder.
void writeCsvReadme(std::ostream &out);

} // namespace popscope
