#include "tests/check/profile/Sql.hpp"

#include <algorithm>
#include <sqlite3.h>
#include <stdexcept>
#include <zlib.h>

namespace profile_check {
namespace {

using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt *)>;

sqlite3 *open(const std::string &path) {
  sqlite3 *db = nullptr;
  if (sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK)
    return db;
  const std::string why = sqlite3_errmsg(db);
  sqlite3_close(db);
  throw std::runtime_error("cannot read " + path + ": " + why);
}

Statement prepare(sqlite3 *db, const std::string &sql) {
  sqlite3_stmt *raw = nullptr;
  if (sqlite3_prepare_v2(db, sql.c_str(), -1, &raw, nullptr) != SQLITE_OK)
    throw std::runtime_error(sql + ": " + sqlite3_errmsg(db));
  return Statement(raw, sqlite3_finalize);
}

bool next(sqlite3 *db, sqlite3_stmt *statement, const std::string &sql) {
  const int result = sqlite3_step(statement);
  if (result != SQLITE_ROW && result != SQLITE_DONE)
    throw std::runtime_error(sql + ": " + sqlite3_errmsg(db));
  return result == SQLITE_ROW;
}

std::uint64_t integerAt(sqlite3_stmt *statement, int column, const std::string &sql) {
  if (sqlite3_column_type(statement, column) != SQLITE_INTEGER)
    throw std::runtime_error(sql + ": column " + std::to_string(column) + " is not an integer");
  const sqlite3_int64 value = sqlite3_column_int64(statement, column);
  if (value < 0)
    throw std::runtime_error(sql + ": column " + std::to_string(column) + " is " + std::to_string(value));
  return static_cast<std::uint64_t>(value);
}

// Packed rows as in docs/FORMAT-pop.md: this connection gets a table for each of the two packed tables.
struct PackedColumn {
  const char *name;
  bool mayBeNull, isBlob;
};
struct PackedTable {
  const char *name;
  std::vector<PackedColumn> columns;
};
const std::vector<PackedTable> &packedTables() {
  static const std::vector<PackedTable> tables{
      {"vars_info",
       {{"name", false, false},
        {"variable", true, false},
        {"tile", false, false},
        {"offset", false, false},
        {"size_bytes", false, false},
        {"alignment", false, false},
        {"category", false, false},
        {"always_live", false, false},
        {"overlapped", false, false},
        {"is_constant", false, false},
        {"equivalence_class", true, false}}},
      {"liveness_variables",
       {{"name", false, false},
        {"size_bytes", false, false},
        {"always_live", false, false},
        {"equivalence_class", true, false},
        {"category", false, false},
        {"bytes_by_tile", true, true}}},
  };
  return tables;
}

std::vector<unsigned char> inflated(const unsigned char *bytes, std::size_t size) {
  if (size < 5 || bytes[0] != 6)
    throw std::runtime_error("a block of rows has an unknown header");
  uLongf length = 0;
  for (unsigned b = 0; b < 4; ++b)
    length |= static_cast<uLongf>(bytes[1 + b]) << (8 * b);
  std::vector<unsigned char> raw(length);
  if (uncompress(raw.data(), &length, bytes + 5, static_cast<uLong>(size - 5)) != Z_OK || length != raw.size())
    throw std::runtime_error("a block of rows does not decompress");
  return raw;
}

/// The unread rest of a block.
struct Bytes {
  const std::vector<unsigned char> &raw;
  std::size_t at = 0;
  unsigned take() { return raw.at(at++); }
  std::uint64_t takeNumber(unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned b = 0; b < bytes; ++b)
      value += static_cast<std::uint64_t>(take()) << (8 * b);
    return value;
  }
  sqlite3_int64 takeSigned(unsigned bytes) {
    const std::uint64_t value = takeNumber(bytes), end = bytes == 8 ? 0 : std::uint64_t(1) << (8 * bytes);
    const bool isBelow0 = value >> (8 * bytes - 1) != 0;
    return static_cast<sqlite3_int64>(isBelow0 ? value - end : value);
  }
};

struct StoredColumn {
  std::vector<sqlite3_int64> numbers;
  bool runsSayThatAllAreEqual = false;
};

StoredColumn takeColumn(Bytes &bytes, std::size_t rows) {
  const unsigned code = bytes.take(), width = 1U << (code % 4);
  const bool runs = code / 4 != 0;
  StoredColumn column;
  column.numbers.push_back(bytes.takeSigned(8));
  std::vector<sqlite3_int64> differences;
  if (runs) {
    std::vector<sqlite3_int64> ofRun(bytes.takeNumber(2) + 1);
    for (sqlite3_int64 &difference : ofRun)
      difference = bytes.takeSigned(width);
    for (const sqlite3_int64 difference : ofRun)
      differences.insert(differences.end(), bytes.takeNumber(2) + 1, difference);
  }
  while (!runs && differences.size() + column.numbers.size() < rows)
    differences.push_back(bytes.takeSigned(width));
  for (const sqlite3_int64 difference : differences)
    column.numbers.push_back(column.numbers.back() + difference);
  if (column.numbers.size() != rows)
    throw std::runtime_error("a column has other rows than its block");
  column.runsSayThatAllAreEqual =
      runs && std::equal(column.numbers.begin() + 1, column.numbers.end(), column.numbers.begin());
  return column;
}

/// Reads the BLOB of each row.
std::vector<std::vector<unsigned char>> takeBlobs(Bytes &bytes, const StoredColumn &column) {
  std::vector<std::vector<unsigned char>> blobs;
  for (const sqlite3_int64 stored : column.numbers)
    blobs.emplace_back(static_cast<std::size_t>(stored > 0 ? stored - 1 : 0));
  if (column.runsSayThatAllAreEqual) {
    for (std::size_t position = 0; position < blobs.front().size(); ++position)
      for (auto &blob : blobs)
        blob[position] = static_cast<unsigned char>(bytes.take());
    return blobs;
  }
  for (auto &blob : blobs)
    for (unsigned char &byte : blob)
      byte = static_cast<unsigned char>(bytes.take());
  return blobs;
}

void insertBlock(sqlite3_stmt *insert, const PackedTable &table, sqlite3_int64 first, std::size_t rows,
                 const std::vector<unsigned char> &raw) {
  Bytes bytes{raw};
  std::vector<StoredColumn> stored;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    stored.push_back(takeColumn(bytes, rows));
  std::vector<std::vector<std::vector<unsigned char>>> blobs(stored.size());
  for (std::size_t c = 0; c < stored.size(); ++c)
    if (table.columns[c].isBlob)
      blobs[c] = takeBlobs(bytes, stored[c]);
  if (bytes.at != raw.size())
    throw std::runtime_error("a block of rows has other bytes than its columns");
  for (std::size_t row = 0; row < rows; ++row) {
    sqlite3_reset(insert);
    sqlite3_bind_int64(insert, 1, first + static_cast<sqlite3_int64>(row));
    for (std::size_t c = 0; c < stored.size(); ++c) {
      const int place = static_cast<int>(c) + 2;
      const sqlite3_int64 value = stored[c].numbers[row] - (table.columns[c].mayBeNull ? 1 : 0);
      if (value < 0)
        sqlite3_bind_null(insert, place);
      else if (table.columns[c].isBlob)
        sqlite3_bind_blob(insert, place, blobs[c][row].data(), static_cast<int>(value), SQLITE_TRANSIENT);
      else
        sqlite3_bind_int64(insert, place, value);
    }
    next(sqlite3_db_handle(insert), insert, table.name);
  }
}

void unpack(sqlite3 *db, const PackedTable &table) {
  const Statement own = prepare(db, std::string("SELECT 1 FROM sqlite_schema WHERE name = '") + table.name + "'");
  if (next(db, own.get(), table.name))
    return; // an older format
  std::string columns = "id INTEGER PRIMARY KEY", marks = "?";
  for (const PackedColumn &column : table.columns) {
    columns += std::string(", ") + column.name;
    marks += ", ?";
  }
  for (const std::string &sql :
       {"CREATE TEMP TABLE " + std::string(table.name) + " (" + columns + ")", std::string("BEGIN")})
    next(db, prepare(db, sql).get(), sql);
  const std::string all =
      std::string("SELECT first, count, columns FROM packed_rows WHERE table_name = '") + table.name + "'";
  const Statement blocks = prepare(db, all);
  const Statement insert = prepare(db, std::string("INSERT INTO temp.") + table.name + " VALUES (" + marks + ")");
  while (next(db, blocks.get(), all))
    insertBlock(insert.get(), table, sqlite3_column_int64(blocks.get(), 0),
                static_cast<std::size_t>(integerAt(blocks.get(), 1, all)),
                inflated(static_cast<const unsigned char *>(sqlite3_column_blob(blocks.get(), 2)),
                         static_cast<std::size_t>(sqlite3_column_bytes(blocks.get(), 2))));
  sqlite3_reset(insert.get());
  next(db, prepare(db, "COMMIT").get(), "COMMIT");
}

} // namespace

Database::Database(const std::string &path) : db_(open(path), sqlite3_close) {
  for (const PackedTable &table : packedTables())
    unpack(db_.get(), table);
}

std::vector<std::vector<std::uint64_t>> Database::rows(const std::string &sql) const {
  const Statement statement = prepare(db_.get(), sql);
  std::vector<std::vector<std::uint64_t>> rows;
  while (next(db_.get(), statement.get(), sql)) {
    rows.emplace_back();
    for (int c = 0; c < sqlite3_column_count(statement.get()); ++c)
      rows.back().push_back(integerAt(statement.get(), c, sql));
  }
  return rows;
}

std::vector<std::vector<std::string>> Database::texts(const std::string &sql) const {
  const Statement statement = prepare(db_.get(), sql);
  std::vector<std::vector<std::string>> rows;
  while (next(db_.get(), statement.get(), sql)) {
    rows.emplace_back();
    for (int c = 0; c < sqlite3_column_count(statement.get()); ++c) {
      const auto *text = reinterpret_cast<const char *>(sqlite3_column_text(statement.get(), c));
      rows.back().emplace_back(text == nullptr ? "" : text);
    }
  }
  return rows;
}

std::uint64_t Database::number(const std::string &sql) const {
  const auto all = rows(sql);
  if (all.size() != 1 || all.front().size() != 1)
    throw std::runtime_error(sql + ": not one number");
  return all.front().front();
}

} // namespace profile_check
