#include "report/pop/PopDatabase.hpp"

#include "report/pop/Schema.hpp"

#include <sqlite3.h>

namespace popscope {

PopFile::PopFile(std::string path, Mode mode) : path_(std::move(path)) {
  try {
    if (mode == Mode::ReadOnly) {
      open(SQLITE_OPEN_READONLY);
      harden();
    } else {
      open(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    }
  } catch (...) {
    close();
    throw;
  }
}

PopFile::~PopFile() { close(); }

void PopFile::open(int flags) {
  const std::string name = path_.empty() ? ":memory:" : path_;
  // FULLMUTEX costs little beside the I/O and keeps the handle safe should a caller forget lock().
  if (sqlite3_open_v2(name.c_str(), &db_, flags | SQLITE_OPEN_FULLMUTEX, nullptr) != SQLITE_OK)
    failSqlite();
  sqlite3_extended_result_codes(db_, 1);
  sqlite3_busy_timeout(db_, 2000);
}

// A profile may come from anywhere: its schema must not run code, and nothing may be written.
void PopFile::harden() {
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(db_, SQLITE_LIMIT_LENGTH, 1 << 28);
  execute("PRAGMA cell_size_check = ON; PRAGMA query_only = ON;");
}

void PopFile::close() {
  for (auto &entry : statements_)
    sqlite3_finalize(entry.second);
  statements_.clear();
  sqlite3_close(db_);
  db_ = nullptr;
}

void PopFile::reopenReadOnly(const std::string &path) {
  const auto guard = lock();
  close();
  path_ = path;
  open(SQLITE_OPEN_READONLY);
  harden();
}

void PopFile::execute(const std::string &sql) {
  const auto guard = lock();
  if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    failSqlite();
}

sqlite3_stmt *PopFile::prepared(const std::string &sql) {
  auto it = statements_.find(sql);
  if (it == statements_.end()) {
    sqlite3_stmt *statement = nullptr;
    if (sqlite3_prepare_v3(db_, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK)
      failSqlite();
    it = statements_.emplace(sql, statement).first;
  }
  sqlite3_reset(it->second);
  sqlite3_clear_bindings(it->second);
  return it->second;
}

void PopFile::fail(const std::string &what) const {
  throw ProfileError((path_.empty() ? std::string("profile in memory") : path_) + ": " + what);
}

void PopFile::failSqlite() const { fail(db_ == nullptr ? "out of memory" : sqlite3_errmsg(db_)); }

Query::Query(PopFile &file, const std::string &sql) : file_(file), lock_(file.lock()), statement_(file.prepared(sql)) {}

Query::~Query() { sqlite3_reset(statement_); }

Query &Query::operator<<(std::uint64_t value) { return *this << static_cast<std::int64_t>(value); }

Query &Query::operator<<(std::int64_t value) {
  sqlite3_bind_int64(statement_, ++bound_, value);
  return *this;
}

Query &Query::operator<<(double value) {
  sqlite3_bind_double(statement_, ++bound_, value);
  return *this;
}

Query &Query::operator<<(std::string_view text) {
  sqlite3_bind_text64(statement_, ++bound_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Query &Query::operator<<(std::optional<std::uint64_t> value) { return value ? *this << *value : null(); }

Query &Query::blob(std::string_view bytes) {
  sqlite3_bind_blob64(statement_, ++bound_, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
  return *this;
}

Query &Query::null() {
  sqlite3_bind_null(statement_, ++bound_);
  return *this;
}

void Query::run() {
  if (sqlite3_step(statement_) != SQLITE_DONE)
    file_.failSqlite();
  sqlite3_reset(statement_);
  bound_ = 0;
}

bool Query::next() {
  column_ = 0;
  const int rc = sqlite3_step(statement_);
  if (rc != SQLITE_ROW && rc != SQLITE_DONE)
    file_.failSqlite();
  return rc == SQLITE_ROW;
}

std::uint64_t Query::u64() { return static_cast<std::uint64_t>(sqlite3_column_int64(statement_, column_++)); }

std::int64_t Query::idOrMinusOne() {
  const auto value = u64OrNull();
  return value ? static_cast<std::int64_t>(*value) : -1;
}

std::optional<std::uint64_t> Query::u64OrNull() {
  if (sqlite3_column_type(statement_, column_) == SQLITE_NULL) {
    ++column_;
    return std::nullopt;
  }
  return u64();
}

double Query::real() { return sqlite3_column_double(statement_, column_++); }

std::string Query::text() {
  const auto *bytes = reinterpret_cast<const char *>(sqlite3_column_text(statement_, column_));
  const int size = sqlite3_column_bytes(statement_, column_++);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
}

std::optional<std::string> Query::blobOrNull() {
  if (sqlite3_column_type(statement_, column_) == SQLITE_NULL) {
    ++column_;
    return std::nullopt;
  }
  const auto *bytes = static_cast<const char *>(sqlite3_column_blob(statement_, column_));
  const int size = sqlite3_column_bytes(statement_, column_++);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
}

std::uint32_t Query::id(std::size_t limit) {
  const std::uint64_t value = u64();
  if (value >= limit)
    file_.fail("the profile is corrupt: a reference points to row " + std::to_string(value) + " of " +
               std::to_string(limit));
  return static_cast<std::uint32_t>(value);
}

std::int64_t Query::optionalId(std::size_t limit) {
  if (sqlite3_column_type(statement_, column_) == SQLITE_NULL) {
    ++column_;
    return -1;
  }
  return id(limit);
}

} // namespace popscope
