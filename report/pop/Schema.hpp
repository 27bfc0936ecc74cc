// The one description of the .pop file: tables, columns, SQL types, units and meanings, and the additional views of
// `popscope sql`. The DDL, the statements of the writer and the reader, and the text of docs/FORMAT-pop.md all come
// from it.
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
  const char *sqlType; // the type in DDL, "INTEGER NOT NULL"
  const char *unit;    // "bytes", "cycles", "" = none
  const char *doc;     // one line
};
struct SchemaTable {
  const char *name;
  const char *doc;
  std::vector<SchemaColumn> columns; // the writer binds and the reader fetches in this order
  const char *primaryKey;            // columns of a composite key; "" = one column is declared PRIMARY KEY, or none is
  // If not null, the rows are kept in packed_rows (RowBlock.hpp), and blocks of them are found by this column; "" = by
  // id alone. Such a table has no composite key and begins with `id`.
  const char *packedBy = nullptr;
};

/// Returns the tables that every file has.
[[nodiscard]] const std::vector<SchemaTable> &schemaTables();
/// Returns the tables that a file has only if their data were recorded; a reader that does not know them skips them.
[[nodiscard]] const std::vector<SchemaTable> &tablesOnDemand();
/// A query that shows names where tables have ids.
struct SchemaView {
  struct Column {
    const char *name, *unit, *doc;
  };
  const char *name;
  const char *doc;
  std::vector<Column> columns; // the columns of the query, in its order
  const char *select;
};
[[nodiscard]] const std::vector<SchemaView> &schemaViews();
/// Returns CREATE TEMP VIEW statements, one per view, ended by semicolons.
[[nodiscard]] std::string schemaViewsDdl();

/// Returns whether the rows of this table are packed; ignores the case of letters.
[[nodiscard]] bool isPackedTable(std::string_view table);
/// Returns the packed table of this name. Throws InternalError for any other name.
[[nodiscard]] const SchemaTable &packedTable(std::string_view table);
/// Returns CREATE TABLE statements, one per table that is not packed, ended by semicolons.
[[nodiscard]] std::string schemaDdl();
/// Returns the statement for one table. Throws InternalError for an unknown table.
[[nodiscard]] std::string tableDdl(std::string_view table);
/// Returns "INSERT INTO t (a, b) VALUES (?, ?)" with every column in order. Throws InternalError for an unknown table.
[[nodiscard]] const std::string &insertStatement(std::string_view table);
/// Returns "SELECT a, b FROM t <tail>" with every column in order.
[[nodiscard]] std::string selectStatement(std::string_view table, std::string_view tail = "");
/// Returns the text of docs/FORMAT-pop.md.
[[nodiscard]] std::string schemaMarkdown();
/// Returns the viewer's src/data/schema.ts.
[[nodiscard]] std::string schemaTypeScript();
/// Return whether a column may hold NULL, and whether it holds BLOBs.
[[nodiscard]] bool mayBeNull(const SchemaColumn &column);
[[nodiscard]] bool holdsBlobs(const SchemaColumn &column);

} // namespace popscope
