// Tables as CSV files under the names and headings that Ascend's msprof gives them, where they mean the same here; what
// only a tile machine has follows in columns of our own. RFC 4180, a heading row, '.' decimals, an empty cell = not
// known, units in the heading.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

struct CsvOptions {
  TimelineOptions timeline;
  std::string fpPoint = "Fwd",
              bpPoint = "Bwd"; // names of the first forward and last backward step, as --name takes them
};
struct CsvTable {
  const char *file;    // "op_summary.csv"
  const char *help;    // one line for README.txt
  const char *heading; // its columns, separated by commas
  void (*rows)(std::ostream &out, const pva::Report &report, const CsvOptions &options);
};
/// In the order of README.txt.
[[nodiscard]] const std::vector<CsvTable> &csvTables();
/// Heading and rows.
void writeCsv(std::ostream &out, const CsvTable &table, const pva::Report &report, const CsvOptions &options);
/// What the files of the folder are.
void writeCsvReadme(std::ostream &out);

} // namespace popscope
