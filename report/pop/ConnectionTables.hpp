// Adds tables and functions to a connection to a profile, for our own readers and for programs that load the extension:
// packed tables under their names, empty tables for those that the file lacks (on demand), and the SQL function
// numbers(blob).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

struct sqlite3;

namespace popscope {

/// Makes the packed tables of the schema readable on the connection, from packed_rows, and the tables of
/// tablesOnDemand().
void addPackedTables(sqlite3 *db);
/// Adds the function numbers(blob): the numbers of a BLOB of the profile as a JSON array. They are the numbers of the
/// tiles from tile 0, or of a list. NULL stays NULL. The tiles are those of the table `target` of the connection.
void addNumbersFunction(sqlite3 *db);
/// Decodes a blob of a profile with this many tiles, in all and in one replica. Throws ProfileError (without a path).
[[nodiscard]] std::vector<std::uint64_t> numbersOfBlob(std::string_view blob, std::size_t tiles, std::size_t stepTiles);

} // namespace popscope
