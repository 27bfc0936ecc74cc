// PublishedRows: benchmark rows that PopLibs 1.2 publishes, beside what its own tools gave on Popscope. PopLibs is not
// part of this repository, so ours are records of runs and not computed here.
#pragma once
#include <array>
#include <vector>

namespace compare {

struct PublishedRow {
  const char *name, *kind;
  bool heldBack;                                     // not looked at while rules were chosen
  std::array<unsigned long long, 3> published, ours; // cycles, total bytes, largest tile
  // With other rules: buses shared as a whole and renaming copies made (cycles, total bytes); buses shared by message
  // and renaming copies made (cycles; the bytes are the same).
  std::array<unsigned long long, 2> plain;
  unsigned long long byMessage;
};
std::vector<PublishedRow> publishedRows();
/// Rows that were run when all rules stood, in the order in which they were run.
struct LaterRows {
  const char *before, *behind;    // what is said of them, around their number
  std::vector<PublishedRow> rows; // all held back, without kind and other rules
};
std::vector<LaterRows> laterRows();
/// A row that also ran with the latencies and costs of copy vertices that the built-in ipu1 has now.
struct TodayRow {
  const char *name, *family;
  std::array<unsigned long long, 3> ours; // cycles, total bytes, largest tile
};
std::vector<TodayRow> todayRows();
void printPublishedRows();

} // namespace compare
