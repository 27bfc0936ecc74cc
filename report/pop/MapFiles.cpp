#include "report/pop/MapFiles.hpp"

#include <cstdint>
#include <limits>
#include <sqlite3.h>

namespace popscope {

void mapProfiles() {
  constexpr sqlite3_int64 kMost = std::numeric_limits<std::int32_t>::max(); // SQLite's own limit; the rest is read
  sqlite3_config(SQLITE_CONFIG_MMAP_SIZE, kMost, kMost);
}

} // namespace popscope
