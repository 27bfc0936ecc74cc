// A packed table as SQLite sees it: a virtual table of the same name on each of our connections. A table on demand that
// the file lacks is a virtual table without rows. If the file has the table, this table hides the virtual table.
#include "report/pop/ConnectionTables.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pop/RowBlock.hpp"

#include <fmt/format.h>
#include <memory>

#ifdef POPSCOPE_SQLITE_EXTENSION // uses the SQLite of the program that loads this code
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
#else
#include <sqlite3.h>
#endif

namespace popscope {
namespace {

enum Plan : int { kEachRow = 0, kById = 1, kByKey = 2 };

struct Table : sqlite3_vtab {
  sqlite3 *db = nullptr;
  const SchemaTable *schema = nullptr;
  int by = -1; // index of the column SchemaTable::packedBy; -1 = none
};

struct Cursor : sqlite3_vtab_cursor {
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt *)> blocks{nullptr, sqlite3_finalize};
  RowBlock block;
  std::int64_t first = 0; // id of the block's first row
  std::size_t row = 0;
  bool atEnd = true;
};

int refuse(sqlite3_vtab *table, const std::string &what) {
  sqlite3_free(table->zErrMsg);
  table->zErrMsg =
      sqlite3_mprintf("the profile is corrupt: %s: %s", static_cast<Table *>(table)->schema->name, what.c_str());
  return SQLITE_CORRUPT_VTAB;
}

int connect(sqlite3 *db, void *schema, int, const char *const *, sqlite3_vtab **out, char **) {
  auto table = std::make_unique<Table>();
  table->db = db;
  table->schema = static_cast<const SchemaTable *>(schema);
  std::string columns;
  for (std::size_t c = 0; c < table->schema->columns.size(); ++c) {
    const SchemaColumn &column = table->schema->columns[c];
    columns += fmt::format("{}{} {}", c == 0 ? "" : ", ", column.name, column.sqlType);
    if (table->schema->packedBy != nullptr && std::string_view(column.name) == table->schema->packedBy)
      table->by = static_cast<int>(c);
  }
  if (const int rc = sqlite3_declare_vtab(db, ("CREATE TABLE x(" + columns + ")").c_str()); rc != SQLITE_OK)
    return rc;
  sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
  *out = table.release();
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab *table) {
  delete static_cast<Table *>(table);
  return SQLITE_OK;
}

/// Chooses the plan of a query: reads the blocks with an id, the blocks with a key, or all blocks. SQLite checks each
/// row again.
int bestIndex(sqlite3_vtab *table, sqlite3_index_info *info) {
  const int by = static_cast<Table *>(table)->by;
  info->idxNum = kEachRow;
  info->estimatedCost = 1e7;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto &constraint = info->aConstraint[i];
    if (constraint.usable == 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ)
      continue;
    const bool id = constraint.iColumn == 0 || constraint.iColumn == -1;
    if (!id && constraint.iColumn != by)
      continue;
    for (int k = 0; k < info->nConstraint; ++k)
      info->aConstraintUsage[k].argvIndex = 0;
    info->aConstraintUsage[i].argvIndex = 1;
    info->idxNum = id ? kById : kByKey;
    info->estimatedCost = id ? 1e3 : 1e4;
    info->estimatedRows = id ? 1 : 1000;
    if (id)
      break;
  }
  info->orderByConsumed = info->nOrderBy == 1 && info->aOrderBy[0].iColumn <= 0 && info->aOrderBy[0].desc == 0 ? 1 : 0;
  return SQLITE_OK;
}

int open(sqlite3_vtab *, sqlite3_vtab_cursor **out) {
  *out = new Cursor;
  return SQLITE_OK;
}

int closeCursor(sqlite3_vtab_cursor *cursor) {
  delete static_cast<Cursor *>(cursor);
  return SQLITE_OK;
}

int nextBlock(Cursor &c) {
  const int rc = sqlite3_step(c.blocks.get());
  c.row = 0;
  c.atEnd = rc != SQLITE_ROW;
  if (rc == SQLITE_DONE)
    return SQLITE_OK;
  if (rc != SQLITE_ROW)
    return rc;
  sqlite3_stmt *const s = c.blocks.get();
  c.first = sqlite3_column_int64(s, 0);
  const std::int64_t rows = sqlite3_column_int64(s, 1);
  const auto *bytes = static_cast<const char *>(sqlite3_column_blob(s, 2));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(s, 2));
  try {
    if (c.first < 0 || rows < 0)
      throw ProfileError("corrupt rows: a number of rows is negative");
    c.block = RowBlock(*static_cast<Table *>(c.pVtab)->schema, {bytes == nullptr ? "" : bytes, size},
                       static_cast<std::size_t>(rows), static_cast<std::uint64_t>(sqlite3_column_int64(s, 3)));
  } catch (const std::exception &e) {
    c.atEnd = true;
    return refuse(c.pVtab, e.what());
  }
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor *cursor, int plan, const char *, int, sqlite3_value **values) {
  auto &c = *static_cast<Cursor *>(cursor);
  const auto &table = *static_cast<Table *>(c.pVtab);
  const std::string sql =
      fmt::format("SELECT first, count, columns, raw_size FROM packed_rows WHERE table_name = '{}'{} ORDER BY first",
                  table.schema->name,
                  plan == kById    ? " AND first <= ?1 AND ?1 < first + count"
                  : plan == kByKey ? " AND low <= ?1 AND ?1 <= high"
                                   : "");
  sqlite3_stmt *raw = nullptr;
  if (const int rc = sqlite3_prepare_v2(table.db, sql.c_str(), -1, &raw, nullptr); rc != SQLITE_OK)
    return rc;
  c.blocks.reset(raw);
  if (plan != kEachRow)
    sqlite3_bind_value(raw, 1, values[0]);
  return nextBlock(c);
}

int next(sqlite3_vtab_cursor *cursor) {
  auto &c = *static_cast<Cursor *>(cursor);
  return ++c.row < c.block.rows() ? SQLITE_OK : nextBlock(c);
}

int atEnd(sqlite3_vtab_cursor *cursor) { return static_cast<Cursor *>(cursor)->atEnd ? 1 : 0; }

int column(sqlite3_vtab_cursor *cursor, sqlite3_context *out, int number) {
  const auto &c = *static_cast<Cursor *>(cursor);
  if (number == 0) {
    sqlite3_result_int64(out, c.first + static_cast<std::int64_t>(c.row));
    return SQLITE_OK;
  }
  const auto stored = static_cast<std::size_t>(number) - 1;
  if (c.block.isNull(stored, c.row)) {
    sqlite3_result_null(out);
  } else if (c.block.isBlob(stored)) {
    const std::string_view bytes = c.block.blob(stored, c.row);
    sqlite3_result_blob64(out, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
  } else {
    sqlite3_result_int64(out, c.block.number(stored, c.row));
  }
  return SQLITE_OK;
}

int rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id) {
  const auto &c = *static_cast<Cursor *>(cursor);
  *id = c.first + static_cast<std::int64_t>(c.row);
  return SQLITE_OK;
}

/// Returns the module. The module has no xCreate, so a statement can name the table without CREATE VIRTUAL TABLE.
sqlite3_module moduleOfPackedTables() {
  sqlite3_module m{};
  m.xConnect = connect;
  m.xBestIndex = bestIndex;
  m.xDisconnect = disconnect;
  m.xOpen = open;
  m.xClose = closeCursor;
  m.xFilter = filter;
  m.xNext = next;
  m.xEof = atEnd;
  m.xColumn = column;
  m.xRowid = rowid;
  return m;
}

} // namespace

void addPackedTables(sqlite3 *db) {
  static const sqlite3_module kModule = moduleOfPackedTables();
  for (const SchemaTable &table : schemaTables())
    if (table.packedBy != nullptr || table.onDemand)
      sqlite3_create_module_v2(db, table.name, &kModule, const_cast<SchemaTable *>(&table), nullptr);
}

} // namespace popscope
