#include "report/pop/ConnectionTables.hpp"
#include "report/pop/NumberList.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pop/RowBlock.hpp"
#include "report/pop/TileBlob.hpp"
#include "report/pop/TileBlocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#ifdef POPSCOPE_SQLITE_EXTENSION // uses the SQLite of the program that loads this code
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
#else
#include <sqlite3.h>
#endif

namespace popscope {
namespace {

// limits the memory that a corrupt target can make the reader allocate
constexpr std::uint64_t kMaxTiles = std::uint64_t(1) << 22;

/// The numbers of tiles of the profile, which each call on a connection needs. The first call reads these numbers.
struct Tiles {
  /// Throws ProfileError if the connection has no profile.
  void read(sqlite3 *db) {
    sqlite3_stmt *statement = nullptr;
    sqlite3_prepare_v2(db, "SELECT num_ipus * tiles_per_ipu, num_replicas FROM target", -1, &statement, nullptr);
    if (statement != nullptr && sqlite3_step(statement) == SQLITE_ROW) {
      all = static_cast<std::uint64_t>(sqlite3_column_int64(statement, 0));
      const auto replicas = static_cast<std::uint64_t>(sqlite3_column_int64(statement, 1));
      ofReplica = replicas == 0 ? 0 : all / replicas;
    }
    sqlite3_finalize(statement);
    known = all != 0 && all <= kMaxTiles && ofReplica != 0;
    if (!known)
      throw ProfileError("numbers() needs the table target of a profile");
  }
  bool known = false;
  std::uint64_t all = 0, ofReplica = 0;
};

void numbers(sqlite3_context *out, int, sqlite3_value **values) {
  if (sqlite3_value_type(values[0]) == SQLITE_NULL)
    return sqlite3_result_null(out);
  if (sqlite3_value_type(values[0]) != SQLITE_BLOB)
    return sqlite3_result_error(out, "numbers() takes a BLOB of a profile", -1);
  try {
    const auto *bytes = static_cast<const char *>(sqlite3_value_blob(values[0]));
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[0]));
    Tiles &tiles = *static_cast<Tiles *>(sqlite3_user_data(out));
    if (!tiles.known)
      tiles.read(sqlite3_context_db_handle(out));
    const std::string text = fmt::format(
        "[{}]", fmt::join(numbersOfBlob({bytes == nullptr ? "" : bytes, size}, tiles.all, tiles.ofReplica), ","));
    sqlite3_result_text64(out, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } catch (const std::exception &e) {
    sqlite3_result_error(out, e.what(), -1);
  }
}

} // namespace

std::vector<std::uint64_t> numbersOfBlob(std::string_view blob, std::size_t tiles, std::size_t stepTiles) {
  if (isRowBlock(blob))
    throw ProfileError("the BLOB is a block of rows; ask for the table that it belongs to");
  if (isPackedList(blob))
    return unpackList(blob);
  return isPacked(blob) ? unpackTiles(blob, stepTiles) : decodeDense(blob, tiles);
}

void addNumbersFunction(sqlite3 *db) {
  sqlite3_create_function_v2(db, "numbers", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, new Tiles,
                             numbers, nullptr, nullptr, [](void *tiles) { delete static_cast<Tiles *>(tiles); });
}

} // namespace popscope
