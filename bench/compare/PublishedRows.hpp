// PublishedRows: benchmark rows that PopLibs 1.2 publishes, next to the results of the same PopLibs tools on Popscope.
// The results on Popscope are records of earlier runs. The benchmark cannot compute these results again, because
// PopLibs is not part of this repository.
#pragma once
#include <array>
#include <vector>

namespace compare {

struct PublishedRow {
  const char *name, *kind;
  bool heldBack;                                     // true: the row was not examined while the rules were chosen
  std::array<unsigned long long, 3> published, ours; // cycles, total bytes, largest tile
  // Results with other rules of the machine (docs/MACHINES.md). For `ours`, the compiler drops copies that only rename
  // elements. For `plain` and `byMessage`, the compiler keeps these copies: /rules/renamingCopies is "copied". `plain`:
  // cycles and total bytes with /rules/sharedBus = "whole". `byMessage`: cycles with /rules/sharedBus = "messages"; the
  // bytes equal the bytes of `plain`.
  std::array<unsigned long long, 2> plain;
  unsigned long long byMessage;
};
std::vector<PublishedRow> publishedRows();
/// Rows whose benchmarks were first run after all rules were final, in the order of these runs.
struct LaterRows {
  const char *before, *behind;    // text of docs/ACCURACY.md before and after the number of these rows
  std::vector<PublishedRow> rows; // all held back; they have no `kind` and no results for other rules
};
std::vector<LaterRows> laterRows();
/// The result of a benchmark that was run again with the current latencies and copy-vertex costs of the built-in ipu1.
struct TodayRow {
  const char *name, *family;
  std::array<unsigned long long, 3> ours; // cycles, total bytes, largest tile
};
std::vector<TodayRow> todayRows();
void printPublishedRows();

} // namespace compare
