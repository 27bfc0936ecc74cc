#include "report/pop/MapFiles.hpp"

#include <cstdint>
#include <limits>
#include <sqlite3.h>

namespace popscope {

void mapProfiles() {
  // SQLite's own limit; bytes beyond it are read, not mapped
  constexpr sqlite3_int64 kMost = std::numeric_limits<std::int32_t>::max();
  sqlite3_config(SQLITE_CONFIG_MMAP_SIZE, kMost, kMost);
}

} // namespace popscope
