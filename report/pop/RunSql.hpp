// Runs a user's SELECT on a profile. Every statement that would write is refused.
#pragma once
#include "report/pop/PopFile.hpp"
#include "report/pop/PopReader.hpp"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string_view>
#include <vector>

namespace popscope {

struct SqlCell {
  enum class Kind : std::uint8_t { Text, Number, List, Blob };
  std::optional<std::string> text; // nullopt = NULL; a list: numbers separated by spaces; a blob: "<47 bytes>"
  Kind kind = Kind::Text;
  std::uint64_t bytes = 0;                   // of a blob
  std::optional<double> real = std::nullopt; // a number with a fraction, of which the text has 15 digits
};
struct SqlResult {
  std::vector<std::string> columns;
  std::vector<std::vector<SqlCell>> rows;
};
/// Runs a query. `expand` decodes per-tile blobs to their values by tile, separated by spaces; otherwise a blob shows
/// as its size. Throws ProfileError for a statement that SQLite refuses and for more than one statement.
[[nodiscard]] SqlResult runSql(PopFile &file, const std::string &sql, bool expand);

/// Writes the contents of `file` as a plain SQLite database `to`, which appears at once or not at all. Packed rows
/// become tables, BLOBs of numbers become JSON arrays, and the views of `popscope sql` become views. Any program that
/// uses SQLite can read the result, but it is no longer a profile. Throws ProfileError.
void writePlainDatabase(PopFile &file, const std::string &to);
/// Returns the bytes of that database.
[[nodiscard]] std::string plainImage(PopFile &file);

enum class SqlFormat : std::uint8_t { Text, Csv, Json };
/// Prints the result. Csv follows RFC 4180 with an empty cell for NULL. Json is an array of objects; a list is an array
/// of numbers, a blob {"bytes": 47}.
void printSql(std::ostream &out, const SqlResult &result, SqlFormat format);

} // namespace popscope
