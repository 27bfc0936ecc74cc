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

class TouchPages {
public:
  /// Room for so many rows more. Rows that the table has may move.
  template <class T> TouchPages &behind(LargeTable<T> &table, std::size_t rows) {
    const std::size_t needed = table.size() + rows;
    if (table.capacity() < needed)
      table.reserve(std::max(needed, 2 * table.capacity()));
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
