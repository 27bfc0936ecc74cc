// Runs a user's SELECT on a profile, and refuses every other statement. Also prints the result, and writes a profile as
// a plain SQLite database.
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
  std::optional<std::string> text; // nullopt for NULL; for a list, its numbers, separated by spaces; for a blob,
                                   // "<47 bytes>"
  Kind kind = Kind::Text;
  std::uint64_t bytes = 0;                   // size of a blob
  std::optional<double> real = std::nullopt; // the exact value of a floating-point number; `text` may be rounded to 15
                                             // digits
};
struct SqlResult {
  std::vector<std::string> columns; // no two are equal: the second column "name" is "name:1"
  std::vector<std::vector<SqlCell>> rows;
};
/// Runs a query. If `expand` is true, decodes a BLOB of numbers to its numbers, separated by spaces. If `expand` is
/// false, returns only the size of a BLOB. Throws ProfileError for an empty text, for more than one statement, and for
/// a statement that is not a SELECT or that SQLite refuses. Also throws ProfileError for a corrupt BLOB, and for a
/// query that exceeds PopFile::maxOperations().
[[nodiscard]] SqlResult runSql(PopFile &file, const std::string &sql, bool expand);

/// Writes the contents of `file` as a plain SQLite database `to`, which appears complete or not at all. Packed rows
/// become tables, BLOBs of numbers become JSON arrays, and the views of `popscope sql` become views. Any program that
/// uses SQLite can read the result, but Popscope cannot open it as a profile. Throws ProfileError if the database
/// cannot be written.
void writePlainDatabase(PopFile &file, const std::string &to);
/// Returns the bytes of the database that writePlainDatabase would write.
[[nodiscard]] std::string plainImage(PopFile &file);

enum class SqlFormat : std::uint8_t { Text, Csv, Json };
/// Prints the result. Csv follows RFC 4180, with an empty cell for NULL. Json is an array of objects, in which a list
/// is an array of numbers, and a blob is {"bytes": 47}.
void printSql(std::ostream &out, const SqlResult &result, SqlFormat format);

} // namespace popscope
