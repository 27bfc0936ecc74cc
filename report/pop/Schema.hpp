// The one description of the .pop file: tables, columns, SQL types, units and meanings, and the views that `popscope
// sql` has beside them. The DDL, the statements of the writer and the reader, and the text of docs/FORMAT-pop.md all
// come from it.
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
  const char *sqlType; // as in DDL, "INTEGER NOT NULL"
  const char *unit;    // "bytes", "cycles", "" = none
  const char *doc;     // one line
};
struct SchemaTable {
  const char *name;
  const char *doc;
  std::vector<SchemaColumn> columns; // the writer binds and the reader fetches in this order
  const char *primaryKey;            // columns of a composite key; "" = a column says PRIMARY KEY, or none
  // Not null: the rows are kept in packed_rows (RowBlock.hpp), and blocks of them are found by this column; "" = by
  // id alone. Such a table has no composite key and begins with `id`.
  const char *packedBy = nullptr;
};

/// Those that every file has.
[[nodiscard]] const std::vector<SchemaTable> &schemaTables();
/// Those that a file has only where something was brought in; a reader that does not know them passes them
/// over.
[[nodiscard]] const std::vector<SchemaTable> &tablesOnDemand();
/// A query that shows names where tables have ids.
struct SchemaView {
  struct Column {
    const char *name, *unit, *doc;
  };
  const char *name;
  const char *doc;
  std::vector<Column> columns; // those of the query, in its order
  const char *select;
};
[[nodiscard]] const std::vector<SchemaView> &schemaViews();
/// CREATE TEMP VIEW statements, one per view, ended by semicolons.
[[nodiscard]] std::string schemaViewsDdl();

/// Whether the rows of the table of this name, in any case of its letters, are packed.
[[nodiscard]] bool isPackedTable(std::string_view table);
/// The table of this name, whose rows are packed. Another: InternalError.
[[nodiscard]] const SchemaTable &packedTable(std::string_view table);
/// CREATE TABLE statements, one per table that is not packed, ended by semicolons.
[[nodiscard]] std::string schemaDdl();
/// That of one table. Unknown table: InternalError.
[[nodiscard]] std::string tableDdl(std::string_view table);
/// "INSERT INTO t (a, b) VALUES (?, ?)" with every column in order. Unknown table: InternalError.
[[nodiscard]] const std::string &insertStatement(std::string_view table);
/// "SELECT a, b FROM t <tail>" with every column in order.
[[nodiscard]] std::string selectStatement(std::string_view table, std::string_view tail = "");
/// The text of docs/FORMAT-pop.md.
[[nodiscard]] std::string schemaMarkdown();
/// The viewer's src/data/schema.ts.
[[nodiscard]] std::string schemaTypeScript();
/// Whether a column may hold NULL, and whether it holds BLOBs.
[[nodiscard]] bool mayBeNull(const SchemaColumn &column);
[[nodiscard]] bool holdsBlobs(const SchemaColumn &column);

} // namespace popscope
