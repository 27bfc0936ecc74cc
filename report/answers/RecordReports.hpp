// The named reports of popscope stats: flat lists of records, one for each execution, tile, variable and so on, that
// are then filtered, grouped and described (StatsAnswer).
#pragma once
#include "report/answers/View.hpp"

#include <functional>

namespace popscope {

using Record = std::vector<Cell>; // as many as RecordReport::columns
using RecordSink = std::function<void(Record)>;

struct RecordReport {
  const char *name, *help;
  std::vector<Column> columns;
  const char *named;   // the column that --name is about, or ""
  const char *groupBy; // usual: columns, separated by commas; "" = all records together
  const char *measure; // usual: what is described
  const char *time;    // the column that --min-time and --max-time are about, or ""
  unsigned flags;      // of ViewFlags, beyond kCount and kName: what its records can be restricted by
  bool needsRuns;
  void (*read)(const Request &request, const RecordSink &sink); // records in a fixed order
};

[[nodiscard]] const std::vector<RecordReport> &recordReports();

} // namespace popscope
