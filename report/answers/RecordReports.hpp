// The named reports of popscope stats: lists of records, one record per execution, tile, variable and so on.
// StatsAnswer filters and groups the records, and computes their statistics.
#pragma once
#include "report/answers/View.hpp"

#include <functional>

namespace popscope {

using Record = std::vector<Cell>; // one cell per column of the RecordReport
using RecordSink = std::function<void(Record)>;

/// The key of a column that the reports of executions have. The column contains the cycles of an execution from its
/// start to its end, including cycles in which other executions run. The column "cycles" contains only the cycles that
/// the execution adds to the length of its run.
inline constexpr const char *kSpanColumn = "span";
/// The key of a column that the reports of executions have: imported cycles, unlike all other times.
inline constexpr const char *kMeasuredColumn = "measured";

struct RecordReport {
  const char *name, *help;
  std::vector<Column> columns;
  const char *named;   // key of the column by which --name selects; "" if the records have no name
  const char *groupBy; // default keys of the columns to group by, separated by commas; "" if all records form one group
  const char *measure; // default key of the column whose statistics are shown
  const char *time;    // key of the column by which --min-time and --max-time select; if the measure is in cycles,
                       // these flags select by the measure instead; "" if the records have no time
  unsigned flags;      // selection flags that apply to the records: ViewFlags other than kCount and kName
  void (*read)(const Request &request, const RecordSink &sink); // passes each record to `sink`, in a fixed order
  bool levels = false; // true: records are the levels of one quantity over time, so their sum has no meaning
};

[[nodiscard]] const std::vector<RecordReport> &recordReports();

} // namespace popscope
