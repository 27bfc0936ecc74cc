// TouchPages: reserves capacity after the rows of tables, and touches the pages of this capacity with all threads. The
// system allocates and clears a page at the first touch of the page. For tables of hundreds of megabytes, the
// allocation of all pages takes longer than filling the tables. Without TouchPages, a thread that fills a table would
// have to touch all pages of the table alone.
//
//   TouchPages().behind(program.edges, more).behind(program.vertices, less).run(threads);
#pragma once
#include "base/LargePages.hpp"
#include "base/Parallel.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace popscope {

/// Estimates how many rows the remaining `left` parts of a whole will add if the first `done` parts added `rows` rows.
/// Adds 2 %, because exceeding the capacity is expensive. Returns 0 if `done` is 0.
inline std::size_t expectedRows(std::size_t rows, std::size_t done, std::size_t left) {
  return done == 0 ? 0 : static_cast<std::size_t>(double(rows) * double(left) / double(done) * 1.02);
}

class TouchPages {
public:
  /// Reserves capacity for `rows` further rows. May move the rows of the table to other memory. `expected` is an
  /// estimate of the number of all rows that will still be added; a good estimate makes these moves rare.
  template <class T> TouchPages &behind(LargeTable<T> &table, std::size_t rows, std::size_t expected = 0) {
    const std::size_t needed = table.size() + rows;
    if (table.capacity() < needed)
      table.reserve(std::max({needed, 2 * table.capacity(), table.size() + expected}));
    spans_.push_back({reinterpret_cast<char *>(table.data() + table.size()), rows * sizeof(T)});
    return *this;
  }
  /// Touches the pages of the further rows for which behind() was called. Does not touch additional capacity that
  /// behind() reserved because of `expected`. Does nothing with only one thread, because filling the table then touches
  /// the pages equally fast.
  void run(Threads threads) const;

private:
  struct Span { // memory after the rows of a table
    char *from = nullptr;
    std::size_t bytes = 0;
  };
  std::vector<Span> spans_;
};

} // namespace popscope
