#include "tests/check/profile/Sql.hpp"

#include <sqlite3.h>
#include <stdexcept>

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

} // namespace

Database::Database(const std::string &path) : db_(open(path), sqlite3_close) {}

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
