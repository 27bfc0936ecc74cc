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
  unsigned long long byMessage = 0;                  // cycles with popscope.sharedBus = messages; 0 = not run with it
};
std::vector<PublishedRow> publishedRows();
void printPublishedRows();

} // namespace compare
