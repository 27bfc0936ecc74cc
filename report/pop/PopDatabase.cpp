#include "report/pop/PopDatabase.hpp"

#include "base/WholeFile.hpp"
#include "report/pop/ConnectionTables.hpp"
#include "report/pop/RowBlock.hpp"
#include "report/pop/Schema.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sqlite3.h>
#include <thread>

namespace popscope {
namespace {

constexpr int kCacheKiB = 2048; // a larger cache costs more in page faults than reading again from the system's cache
constexpr int kMaxTries = 2000; // attempts to copy a file that is being written
constexpr std::chrono::milliseconds kBetweenTries(1);
constexpr int kProgressOps = 100000; // operations of SQLite's machine between two checks of the cost of a query

// Copies the database of `source`. First waits up to kMaxTries times while a writing thread is inside a transaction,
// because the file is consistent only after the commit. Throws ProfileError if the database cannot be copied.
void copyDatabase(PopFile &source, sqlite3 *target) {
  auto guard = source.lock();
  for (int tries = 0; sqlite3_get_autocommit(source.handle()) == 0 && tries < kMaxTries; ++tries) {
    guard.unlock();
    std::this_thread::sleep_for(kBetweenTries);
    guard.lock();
  }
  sqlite3_backup *backup = sqlite3_backup_init(target, "main", source.handle(), "main");
  const int rc = backup == nullptr ? SQLITE_ERROR : sqlite3_backup_step(backup, -1);
  sqlite3_backup_finish(backup);
  if (rc != SQLITE_DONE)
    source.fail(std::string("cannot be copied: ") + sqlite3_errmsg(target));
}

} // namespace

PopFile::PopFile(std::string path, Mode mode) : path_(std::move(path)) {
  try {
    if (mode == Mode::ReadOnly) {
      open(path_, SQLITE_OPEN_READONLY);
      harden();
    } else {
      open(path_.empty() ? ":memory:" : path_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
      execute("PRAGMA mmap_size = 0;"); // writes go through SQLite's own pages
    }
  } catch (...) {
    close();
    throw;
  }
}

PopFile::~PopFile() { close(); }

void PopFile::open(const std::string &path, int flags) {
  // Debian's SQLite reads every name that begins with "file:" as a URI.
  const std::string name = path.rfind("file:", 0) == 0 ? "./" + path : path;
  // Our lock() protects every use. SQLite's own lock would be taken for each column of each row.
  if (sqlite3_open_v2(name.c_str(), &db_, flags | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK)
    failSqlite();
  sqlite3_extended_result_codes(db_, 1);
  sqlite3_busy_timeout(db_, 2000);
  addPackedTables(db_);
  addNumbersFunction(db_);
}

// A profile may come from anywhere: its schema must not run code, and nothing may be written.
void PopFile::harden() {
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(db_, SQLITE_LIMIT_LENGTH, 1 << 28);
  execute("PRAGMA cell_size_check = ON; PRAGMA query_only = ON;");
  keepLock();
  measure();
  sqlite3_progress_handler(db_, kProgressOps, &PopFile::stop, this);
}

// Locks a complete profile for reading once, because checking for changes and for journals of other programs before
// each query would cost three times as much as the query itself. A complete profile never changes: another file
// replaces it. Does not lock a file with a log, because such a file is still being written.
void PopFile::keepLock() {
  std::string journal;
  {
    Query q(*this, "PRAGMA journal_mode");
    journal = q.next() ? q.text() : "";
  }
  if (journal == "wal")
    execute("PRAGMA mmap_size = 0;");
  else
    execute(fmt::format("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -{};", kCacheKiB));
}

void PopFile::measure() {
  const std::uint64_t size = bytes();
  constexpr std::uint64_t kRowBytes = 4; // the minimum size of a row in our tables
  // memory of an unpacked row beyond its part of the block: about one or two columns
  constexpr std::uint64_t kUnpackedBytes = 16;
  bounds_ = Bounds{size / kRowBytes, 2 * size};
  if (!hasTable(*this, "packed_rows"))
    return;
  Query q(*this,
          fmt::format("SELECT TOTAL(MIN(count, {}, {} * LENGTH(columns))), TOTAL(MIN(raw_size, {})) FROM packed_rows "
                      "WHERE count > 0 AND raw_size > 0",
                      kMaxRowsPerBlock, kMaxRowsOfByte, kMaxBlockBytes));
  if (q.next()) { // the additional memory for unpacking; each block that is read is checked against this memory
    const auto rows = static_cast<std::uint64_t>(q.real()), bytes = static_cast<std::uint64_t>(q.real());
    bounds_->rows += rows;
    bounds_->bytes += bytes + rows * kUnpackedBytes;
  }
}

// Stops a query that costs too much: tables whose pages refer to each other in a circle, or to one page many times,
// would be read for ever.
int PopFile::stop(void *file) {
  auto &self = *static_cast<PopFile *>(file);
  self.ops_ += kProgressOps;
  const auto most = self.maxOperations();
  return most && self.ops_ > *most ? 1 : 0;
}

std::optional<std::uint64_t> PopFile::maxOperations() const {
  constexpr std::uint64_t kOpsPerByte = 64, kOpsAtLeast = 100000000;
  return bounds_ ? std::optional(kOpsAtLeast + bounds_->bytes * kOpsPerByte) : std::nullopt;
}

std::shared_ptr<PopFile> PopFile::copyOf(PopFile &source) {
  const std::shared_ptr<PopFile> copy(new PopFile);
  copy->path_ = source.path_;
  copy->open("", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE); // a temporary file that SQLite removes
  copyDatabase(source, copy->db_);
  return copy;
}

std::shared_ptr<PopFile> PopFile::ofImage(const std::string &name, std::string_view image) {
  const std::shared_ptr<PopFile> file(new PopFile);
  file->path_ = name;
  file->open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  auto *bytes = static_cast<unsigned char *>(sqlite3_malloc64(image.size() + 1)); // SQLite frees it
  if (bytes == nullptr)
    file->fail("out of memory");
  std::copy(image.begin(), image.end(), bytes);
  if (sqlite3_deserialize(file->db_, "main", bytes, static_cast<sqlite3_int64>(image.size()),
                          static_cast<sqlite3_int64>(image.size()),
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
    file->failSqlite();
  file->harden();
  return file;
}

std::string PopFile::image() {
  const auto guard = lock();
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void *)> bytes(sqlite3_serialize(db_, "main", &size, 0), sqlite3_free);
  if (!bytes)
    fail("out of memory: the profile cannot be copied into this process");
  std::string image(reinterpret_cast<const char *>(bytes.get()), static_cast<std::size_t>(size));
  constexpr std::size_t kWriteVersion = 18, kReadVersion = 19; // bytes of the header; 1: without a log
  if (image.size() > kReadVersion)
    image[kWriteVersion] = image[kReadVersion] = 1;
  return image;
}

void PopFile::copyInto(const std::string &path) {
  PopFile target(path, Mode::Write);
  copyDatabase(*this, target.db_);
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
  open(path, SQLITE_OPEN_READONLY);
  harden();
  bounds_.reset(); // the program's own file needs no limits
}

void PopFile::execute(const std::string &sql) {
  const auto guard = lock();
  errno = 0;
  if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    failSqlite();
}

// A reader's statement can name a table or column that the file does not have, although its format number is right. The
// reason is that a development build wrote the file, or that somebody changed the file.
sqlite3_stmt *PopFile::prepared(const std::string &sql) {
  auto it = statements_.find(sql);
  if (it == statements_.end()) {
    sqlite3_stmt *statement = nullptr;
    if (sqlite3_prepare_v3(db_, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK) {
      const std::string message = sqlite3_errmsg(db_);
      if (message.rfind("no such column", 0) == 0 || message.rfind("no such table", 0) == 0)
        fail(message + "; another build of popscope wrote the profile: record the profile again");
      failSqlite();
    }
    it = statements_.emplace(sql, statement).first;
  }
  ops_ = 0;
  sqlite3_reset(it->second);
  sqlite3_clear_bindings(it->second);
  return it->second;
}

void PopFile::fail(const std::string &what) const {
  throw ProfileError((path_.empty() ? std::string("profile in memory") : path_) + ": " + what);
}

// A full database or an I/O error of SQLite comes from the system, whose errno has more detail. SQLite does not always
// keep errno, so our calls begin with errno = 0.
void PopFile::failSqlite() const {
  const int last = errno;
  if (db_ == nullptr)
    fail("out of memory");
  const int kind = sqlite3_errcode(db_) & 0xFF;
  if (kind == SQLITE_INTERRUPT && maxOperations())
    fail(fmt::format("reading was stopped after {} million operations of SQLite, the limit for a profile of this size; "
                     "the file is probably damaged",
                     *maxOperations() / 1'000'000));
  const int kept = sqlite3_system_errno(db_), system = kind == SQLITE_FULL ? ENOSPC
                                                       : kept != 0         ? kept
                                                       : isRefusal(last)   ? last
                                                                           : 0;
  if (kind != SQLITE_FULL && kind != SQLITE_IOERR && kind != SQLITE_READONLY && kind != SQLITE_CANTOPEN)
    fail(sqlite3_errmsg(db_));
  throw StorageError(path_.empty() ? "profile in memory" : path_,
                     system != 0 ? std::strerror(system) : sqlite3_errmsg(db_));
}

void PopFile::rollBack() {
  const auto guard = lock();
  if (sqlite3_get_autocommit(db_) == 0)
    execute("ROLLBACK");
}

void PopFile::growInSteps(int bytes) { sqlite3_file_control(db_, "main", SQLITE_FCNTL_CHUNK_SIZE, &bytes); }

void PopFile::reserveRoom() {
  if (path_.empty())
    return;
  constexpr int kStep = 1 << 16;            // bytes; the unused rest is returned
  constexpr sqlite3_int64 kSpare = 1 << 16; // space for the note about where the recording ended
  sqlite3_int64 size = static_cast<sqlite3_int64>(bytes()) + kSpare;
  growInSteps(kStep);
  errno = 0;
  if (const int rc = sqlite3_file_control(db_, "main", SQLITE_FCNTL_SIZE_HINT, &size); rc != SQLITE_OK)
    throw StorageError(path_, errno != 0 ? std::strerror(errno) : sqlite3_errstr(rc));
}

void PopFile::giveBackRoom() {
  growInSteps(0);
  std::error_code error; // a failure leaves only unused space
  std::filesystem::resize_file(path_, bytes(), error);
}

std::uint64_t PopFile::bytes() {
  std::uint64_t size = 1;
  for (const char *pragma : {"PRAGMA page_count", "PRAGMA page_size"}) {
    Query q(*this, pragma);
    size *= q.next() ? q.u64() : 0;
  }
  return size;
}

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

Query &Query::borrowedBlob(std::string_view bytes) {
  sqlite3_bind_blob64(statement_, ++bound_, bytes.data(), bytes.size(), SQLITE_STATIC);
  return *this;
}

Query &Query::null() {
  sqlite3_bind_null(statement_, ++bound_);
  return *this;
}

void Query::run() {
  errno = 0;
  if (sqlite3_step(statement_) != SQLITE_DONE)
    file_.failSqlite();
  sqlite3_reset(statement_);
  bound_ = 0;
}

bool Query::next() {
  column_ = 0;
  const int rc = sqlite3_step(statement_);
  if (rc == SQLITE_INTERRUPT)
    file_.fail("the profile is corrupt: a read took more steps than any valid file needs");
  if (rc != SQLITE_ROW && rc != SQLITE_DONE)
    file_.failSqlite();
  ++rowsRead_;
  if (rc == SQLITE_ROW && !inBounds())
    file_.fail("the profile is corrupt: a table has more rows than the file can contain");
  return rc == SQLITE_ROW;
}

bool Query::inBounds() {
  const auto within = [&] {
    return !file_.bounds() || (rowsRead_ <= file_.bounds()->rows && bytesRead_ <= file_.bounds()->bytes);
  };
  if (within())
    return true;
  file_.measure(); // another program may have written more meanwhile
  return within();
}

std::string_view Query::bytes(const void *at) {
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column_++));
  bytesRead_ += size;
  if (!inBounds())
    file_.fail("the profile is corrupt: a table has more bytes than the file");
  return at == nullptr ? std::string_view() : std::string_view(static_cast<const char *>(at), size);
}

std::uint64_t Query::u64() { return within(0, kMaxStoredNumber); }

std::uint64_t Query::within(std::uint64_t least, std::uint64_t most) {
  const std::int64_t value = sqlite3_column_int64(statement_, column_);
  if (value < 0 || static_cast<std::uint64_t>(value) < least || static_cast<std::uint64_t>(value) > most)
    file_.fail(
        fmt::format("the profile is corrupt: {} is {}; valid values are {} to {}", columnName(), value, least, most));
  ++column_;
  return static_cast<std::uint64_t>(value);
}

// SQLite knows the table of a column only if SQLite was compiled with column metadata. So the name of the table comes
// from the text of the statement.
std::string Query::columnName() const {
  static constexpr std::string_view kFrom = " FROM ";
  std::string_view table = sqlite3_sql(statement_);
  table.remove_prefix(std::min(table.find(kFrom), table.size() - kFrom.size()) + kFrom.size());
  table = table.substr(0, table.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"));
  const char *column = sqlite3_column_name(statement_, column_);
  return fmt::format("{} of the table {}", column == nullptr ? "a column" : column, table);
}

bool Query::skipNull() {
  const bool null = sqlite3_column_type(statement_, column_) == SQLITE_NULL;
  column_ += null ? 1 : 0;
  return null;
}

std::optional<std::uint64_t> Query::u64OrNull() { return skipNull() ? std::nullopt : std::optional(u64()); }

double Query::real() { return sqlite3_column_double(statement_, column_++); }

std::optional<double> Query::realOrNull() { return skipNull() ? std::nullopt : std::optional(real()); }

std::string Query::text() { return std::string(bytes(sqlite3_column_text(statement_, column_))); }

std::optional<std::string> Query::blobOrNull() {
  const auto view = blobView();
  return view ? std::optional(std::string(*view)) : std::nullopt;
}

std::optional<std::string_view> Query::blobView() {
  return skipNull() ? std::nullopt : std::optional(bytes(sqlite3_column_blob(statement_, column_)));
}

namespace {

/// Returns "table T" for a statement that reads the table T.
std::string tableOf(std::string_view sql) {
  constexpr std::string_view kFrom = " FROM ";
  const std::size_t from = sql.find(kFrom);
  if (from == std::string_view::npos)
    return "a table";
  const std::string_view rest = sql.substr(from + kFrom.size());
  return "table " + std::string(rest.substr(0, rest.find_first_of(" ,;()")));
}

} // namespace

std::uint32_t Query::id(std::size_t limit) {
  const int column = column_;
  const std::uint64_t value = u64();
  if (value >= limit)
    file_.fail(fmt::format("the profile is corrupt: {}, column {}: a reference points to row {} of {}",
                           tableOf(sqlite3_sql(statement_)), sqlite3_column_name(statement_, column), value, limit));
  return static_cast<std::uint32_t>(value);
}

std::int64_t Query::optionalId(std::size_t limit) { return skipNull() ? -1 : std::int64_t(id(limit)); }

RowInserter::RowInserter(PopFile &file, std::string_view table)
    : file_(file), statement_(file.prepared(insertStatement(table))) {}

RowInserter &RowInserter::operator<<(std::uint64_t value) {
  sqlite3_bind_int64(statement_, ++bound_, static_cast<std::int64_t>(value));
  return *this;
}

RowInserter &RowInserter::borrowed(std::string_view text) {
  sqlite3_bind_text64(statement_, ++bound_, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

RowInserter &RowInserter::borrowedBlob(std::string_view bytes) {
  sqlite3_bind_blob64(statement_, ++bound_, bytes.data(), bytes.size(), SQLITE_STATIC);
  return *this;
}

RowInserter &RowInserter::null() {
  sqlite3_bind_null(statement_, ++bound_);
  return *this;
}

void RowInserter::run() {
  errno = 0;
  bound_ = 0;
  if (sqlite3_step(statement_) != SQLITE_DONE)
    file_.failSqlite();
  sqlite3_reset(statement_);
}

bool hasTable(PopFile &file, std::string_view name) {
  Query q(file, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  q << name;
  return q.next();
}

} // namespace popscope
