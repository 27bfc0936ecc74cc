// The only description of the .pop file. The description contains the tables, and the SQL type, unit and meaning of
// each column. The description also contains the additional views of `popscope sql`. The DDL, most statements of the
// writer and the reader, docs/FORMAT-pop.md, and the viewer's schema.ts are generated from this description.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

inline constexpr std::int32_t kPopApplicationId = 0x506F7053; // "PopS"
inline constexpr std::int32_t kPopSchemaVersion = 1;          // PRAGMA user_version

struct SchemaColumn {
  const char *name;
  const char *sqlType; // type in the DDL, for example "INTEGER NOT NULL"
  const char *unit;    // "bytes", "cycles", ...; "" if the column has no unit
  const char *doc;     // description of the column in one line
};
struct SchemaTable {
  const char *name;
  const char *doc;
  std::vector<SchemaColumn> columns; // in the order in which the writer binds them and the reader reads them
  const char *primaryKey = "";       // columns of a composite key; "" if a column is declared PRIMARY KEY, or if the
                                     // table has no key
  // If packedBy is not null, the file stores the rows of this table in packed_rows (RowBlock.hpp). packedBy is the
  // column by which readers find the block of a row, in addition to the id. If packedBy is "", readers find the block
  // by the id alone. A packed table has no composite key, and its first column is `id`.
  const char *packedBy = nullptr;
  // True for a table on demand: a file has the table only if its data was recorded or imported. Readers skip tables
  // that they do not know.
  bool onDemand = false;
};

/// Returns all tables: the tables that every file has, then the tables on demand.
[[nodiscard]] const std::vector<SchemaTable> &schemaTables();
/// A query that shows names in place of the ids that the tables contain.
struct SchemaView {
  struct Column {
    const char *name, *unit, *doc;
  };
  const char *name;
  const char *doc;
  std::vector<Column> columns; // columns of the query, in its order
  const char *select;
};
[[nodiscard]] const std::vector<SchemaView> &schemaViews();
/// Returns one CREATE TEMP VIEW statement per view, each ended by a semicolon.
[[nodiscard]] std::string schemaViewsDdl();

/// Returns whether the rows of this table are packed. The name is not case-sensitive.
[[nodiscard]] bool isPackedTable(std::string_view table);
/// Returns the packed table with this name. Throws InternalError if there is no such table.
[[nodiscard]] const SchemaTable &packedTable(std::string_view table);
/// Returns one CREATE TABLE statement per table, each ended by a semicolon. Leaves out packed tables and tables on
/// demand.
[[nodiscard]] std::string schemaDdl();
/// Returns the CREATE TABLE statement of one table. Throws InternalError for an unknown table.
[[nodiscard]] std::string tableDdl(std::string_view table);
/// Returns "INSERT INTO t (a, b) VALUES (?, ?)" with all columns in order. Throws InternalError for an unknown table.
[[nodiscard]] const std::string &insertStatement(std::string_view table);
/// Returns "SELECT a, b FROM t <tail>" with all columns in the order of the table. Throws InternalError for an unknown
/// table.
[[nodiscard]] std::string selectStatement(std::string_view table, std::string_view tail = "");
/// Returns the text of docs/FORMAT-pop.md.
[[nodiscard]] std::string schemaMarkdown();
/// Returns the text of src/data/schema.ts of the viewer.
[[nodiscard]] std::string schemaTypeScript();
/// Returns whether a column may contain NULL.
[[nodiscard]] bool mayBeNull(const SchemaColumn &column);
/// Returns whether a column contains BLOBs.
[[nodiscard]] bool holdsBlobs(const SchemaColumn &column);

} // namespace popscope
