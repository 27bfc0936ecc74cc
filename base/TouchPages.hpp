// TouchPages: room behind the rows of tables, of which all threads touch the pages. The system finds and clears a page
// when it is touched first, which for tables of hundreds of megabytes takes longer than filling them; one thread that
// fills a table would do all of it alone.
//
//   TouchPages().behind(program.edges, more).behind(program.vertices, less).run(threads);
#pragma once
#include "base/LargePages.hpp"
#include "base/Parallel.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace popscope {

/// How many rows come from `left` parts of a whole, if the `done` ones became `rows`; a little more, since more than
/// are expected would be dear.
inline std::size_t expectedRows(std::size_t rows, std::size_t done, std::size_t left) {
  return done == 0 ? 0 : static_cast<std::size_t>(double(rows) * double(left) / double(done) * 1.02);
}

class TouchPages {
public:
  /// Room for so many rows more. Rows that the table has may move; seldom, where about as many as `expected` come in
  /// all from now on.
  template <class T> TouchPages &behind(LargeTable<T> &table, std::size_t rows, std::size_t expected = 0) {
    const std::size_t needed = table.size() + rows;
    if (table.capacity() < needed)
      table.reserve(std::max({needed, 2 * table.capacity(), table.size() + expected}));
    spans_.push_back({reinterpret_cast<char *>(table.data() + table.size()), rows * sizeof(T)});
    return *this;
  }
  /// Touches the pages of that room. With one thread nothing is gained, and nothing done.
  void run(Threads threads) const;

private:
  struct Span { // raw memory
    char *from = nullptr;
    std::size_t bytes = 0;
  };
  std::vector<Span> spans_;
};

} // namespace popscope
