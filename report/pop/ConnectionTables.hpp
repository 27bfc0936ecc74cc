// Adds tables and a function to a connection to a profile. Popscope's readers and programs that load the SQLite
// extension use these additions. The additions are the packed tables under their own names, an empty table for each
// optional table that the file lacks, and the SQL function numbers(blob).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

struct sqlite3;

namespace popscope {

/// Makes the packed tables of the schema readable on the connection. The rows of these tables come from the table
/// packed_rows. Also makes the tables on demand (SchemaTable::onDemand) readable; a table that the file lacks is empty.
void addPackedTables(sqlite3 *db);
/// Adds the function numbers(blob), which returns the numbers of a BLOB of the profile as a JSON array. In a column of
/// per-tile numbers, number i of the array belongs to tile i. In a column of lists, number i of the array is element i
/// of the list. NULL stays NULL. The function reads the number of tiles from the table `target` of the profile.
void addNumbersFunction(sqlite3 *db);
/// Decodes a BLOB of a profile to its numbers. `tiles` is the number of tiles of all replicas. `stepTiles` is the
/// number of tiles of one replica. Throws ProfileError (without a path) for a corrupt BLOB, and for a BLOB that is a
/// block of packed rows.
[[nodiscard]] std::vector<std::uint64_t> numbersOfBlob(std::string_view blob, std::size_t tiles, std::size_t stepTiles);

} // namespace popscope
