// The named reports of popscope stats: flat lists of records, one per execution, tile, variable and so on. StatsAnswer
// filters, groups and describes them.
#pragma once
#include "report/answers/View.hpp"

#include <functional>

namespace popscope {

using Record = std::vector<Cell>; // one cell per column of the RecordReport
using RecordSink = std::function<void(Record)>;

struct RecordReport {
  const char *name, *help;
  std::vector<Column> columns;
  const char *named;   // the column that --name selects by, or ""
  const char *groupBy; // default: columns, separated by commas; "" = all records together
  const char *measure; // default: the described column
  const char *time;    // the column that --min-time and --max-time select by, or ""
  unsigned flags;      // the selections that apply to its records, as ViewFlags without kCount and kName
  bool needsRuns;
  void (*read)(const Request &request, const RecordSink &sink); // emits records in a fixed order
};

[[nodiscard]] const std::vector<RecordReport> &recordReports();

} // namespace popscope
