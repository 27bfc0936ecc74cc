// The open SQLite connection of a PopFile, and prepared statements on this connection. The writer and all readers of a
// PopFile share the connection under one lock, so a reader also sees rows that the writer has not committed. Only .cpp
// files include SQLite.
#pragma once
#include "base/BriefMutex.hpp"
#include "report/pop/PopFile.hpp"

#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>

struct sqlite3;
struct sqlite3_stmt;

namespace popscope {

class PopFile {
public:
  enum class Mode { ReadOnly, Write, Memory };
  /// Opens a file. Throws ProfileError if the file cannot be opened. Mode::Write creates a file that does not exist.
  /// For Mode::Memory, `path` is empty, and the database is in memory.
  PopFile(std::string path, Mode mode);
  /// Returns a temporary database with a copy of the present contents of `source`. The caller may change the copy.
  /// Error messages name the path of `source`.
  static std::shared_ptr<PopFile> copyOf(PopFile &source);
  /// Returns a read-only database in memory with the contents of `image`, a result of image(). Error messages call the
  /// database `name`.
  static std::shared_ptr<PopFile> ofImage(const std::string &name, std::string_view image);
  ~PopFile();
  PopFile(const PopFile &) = delete;
  PopFile &operator=(const PopFile &) = delete;

  /// Closes the file and opens `path` for reading. The writer calls this function after it has renamed the file.
  void reopenReadOnly(const std::string &path);
  void execute(const std::string &sql);
  /// Ends the transaction and discards its changes. Does nothing without a transaction, for example after SQLite itself
  /// ended the transaction.
  void rollBack();
  /// Extends the file before a commit to the size that the commit needs, plus a reserve, so that the commit cannot run
  /// out of space. Throws StorageError if the file cannot grow, for example because the disk is full. Does nothing for
  /// a database in memory.
  void reserveRoom();
  /// Truncates a file on disk to the size of its contents, and ignores errors. The file must have no write-ahead log.
  void giveBackRoom();
  /// Returns the size of the contents in bytes.
  [[nodiscard]] std::uint64_t bytes();
  /// Returns the contents as the bytes of a database file without a log.
  [[nodiscard]] std::string image();
  /// Copies the present contents into the existing empty file `path`.
  void copyInto(const std::string &path);
  /// The maximum numbers of rows and of bytes that one Query reads. The size of the file and the sizes of its packed
  /// rows determine both maxima. So a corrupt file cannot make a reader use much more time or memory than a valid file
  /// of the same sizes. A file that this process writes has no bounds.
  struct Bounds {
    std::uint64_t rows, bytes;
  };
  [[nodiscard]] const std::optional<Bounds> &bounds() const { return bounds_; }
  void measure();
  /// Returns a cached statement, reset and without bindings. The caller must hold lock() while the statement is in use.
  sqlite3_stmt *prepared(const std::string &sql);
  [[nodiscard]] std::unique_lock<BriefMutex> lock() { return std::unique_lock(mutex_); }
  [[noreturn]] void fail(const std::string &what) const; // throws ProfileError with "path: what"
  /// Throws SQLite's error as a ProfileError, or as a StorageError if the system did not open, read or write the file.
  [[noreturn]] void failSqlite() const;
  sqlite3 *handle() { return db_; }
  [[nodiscard]] const std::string &path() const { return path_; }

  /// Returns a number that grows with every change of the recorded execution, so that readers know when they must read
  /// the execution again.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  void changed() { ++revision_; }
  /// Returns the approximate maximum number of operations that SQLite's virtual machine executes for one statement, or
  /// no value if there is no maximum. The maximum depends on the size of the profile. SQLite stops a longer statement
  /// with SQLITE_INTERRUPT.
  [[nodiscard]] std::optional<std::uint64_t> maxOperations() const;

private:
  PopFile() = default;
  void open(const std::string &name, int flags);
  void close();
  void harden();
  void keepLock();
  static int stop(void *file);
  void growInSteps(int bytes);

  std::string path_; // "" for a database in memory
  sqlite3 *db_ = nullptr;
  std::optional<Bounds> bounds_;
  std::uint64_t ops_ = 0; // approximate number of operations of SQLite's virtual machine since the latest statement
                          // began
  std::unordered_map<std::string, sqlite3_stmt *> statements_; // iterated only by close(), in any order
  BriefMutex mutex_;
  std::atomic<std::uint64_t> revision_{1};
};

/// The largest number in an integer column of a valid profile.
inline constexpr std::uint64_t kMaxStoredNumber = std::numeric_limits<std::int64_t>::max();

/// A prepared statement in use. A Query binds values from left to right, executes the statement, and reads columns from
/// left to right. A Query holds the file's lock as long as the Query exists.
class Query {
public:
  Query(PopFile &file, const std::string &sql);
  ~Query();
  Query(const Query &) = delete;
  Query &operator=(const Query &) = delete;

  Query &operator<<(std::uint64_t value);
  Query &operator<<(std::int64_t value);
  Query &operator<<(std::uint32_t value) { return *this << std::uint64_t(value); }
  Query &operator<<(bool value) { return *this << std::uint64_t(value); }
  Query &operator<<(double value);
  Query &operator<<(std::string_view text);
  Query &operator<<(const std::string &text) { return *this << std::string_view(text); }
  Query &operator<<(const char *text) { return *this << std::string_view(text); }
  Query &operator<<(std::optional<std::uint64_t> value);
  Query &operator<<(std::optional<double> value) { return value ? *this << *value : null(); }
  /// Binds the number without its unit, because the schema states the unit of each column.
  template <class Tag> Query &operator<<(Quantity<Tag> value) { return *this << value.count(); }
  template <class Tag> Query &operator<<(std::optional<Quantity<Tag>> value) {
    return *this << (value ? std::optional(value->count()) : std::nullopt);
  }
  Query &blob(std::string_view bytes);
  /// Binds a BLOB without a copy; `bytes` must live until run().
  Query &borrowedBlob(std::string_view bytes);
  Query &null();
  /// Binds the id or number, or NULL if the value is negative.
  Query &optional(std::int64_t value) { return value < 0 ? null() : *this << value; }
  /// Runs a statement that returns no rows. Then the caller can bind new values and run the statement again.
  void run();

  /// Moves to the next row. Returns false after the last row. Throws ProfileError if the statement exceeds bounds() or
  /// maxOperations().
  bool next();
  /// Returns the next column as a whole number. No integer column of a valid profile has a negative number, so a
  /// negative number throws ProfileError with the table, the column and the value.
  [[nodiscard]] std::uint64_t u64();
  [[nodiscard]] std::optional<std::uint64_t> u64OrNull();
  /// Returns the next column as a whole number. Throws ProfileError if the number is not from `least` to `most`.
  [[nodiscard]] std::uint64_t within(std::uint64_t least, std::uint64_t most);
  /// Returns the next column as a quantity, for example Bytes or Cycles.
  template <class Unit> [[nodiscard]] Unit in() { return Unit(u64()); }
  template <class Unit> [[nodiscard]] std::optional<Unit> inOrNull() {
    const std::optional<std::uint64_t> value = u64OrNull();
    return value ? std::optional(Unit(*value)) : std::nullopt;
  }
  [[nodiscard]] bool flag() { return u64() != 0; }
  [[nodiscard]] double real();
  [[nodiscard]] std::optional<double> realOrNull();
  [[nodiscard]] std::string text();
  [[nodiscard]] std::optional<std::string> blobOrNull();
  /// Returns the next column without a copy. The view is valid until the next row.
  [[nodiscard]] std::optional<std::string_view> blobView();
  /// Returns the next column as an id. Throws ProfileError if the id is not below `limit`.
  [[nodiscard]] std::uint32_t id(std::size_t limit);
  /// Returns the next column as an id, or -1 for NULL. Throws ProfileError if the id is not below `limit`.
  [[nodiscard]] std::int64_t optionalId(std::size_t limit);

private:
  [[nodiscard]] std::string_view bytes(const void *at);
  [[nodiscard]] std::string columnName() const;
  [[nodiscard]] bool inBounds();
  [[nodiscard]] bool skipNull(); // skips the next column if it is NULL; returns whether the column is NULL
  PopFile &file_;
  std::uint64_t rowsRead_ = 0, bytesRead_ = 0;
  std::unique_lock<BriefMutex> lock_;
  sqlite3_stmt *statement_;
  int bound_ = 0, column_ = 0;
};

/// An inserter of many rows into one table, with one prepared statement. The caller holds the file's lock, and binds
/// every column of each row, from left to right. The inserter copies neither texts nor blobs.
class RowInserter {
public:
  /// Creates an inserter. `file` must outlive the inserter and stay open.
  RowInserter(PopFile &file, std::string_view table);
  RowInserter &operator<<(std::uint64_t value);
  RowInserter &operator<<(std::uint32_t value) { return *this << std::uint64_t(value); }
  RowInserter &operator<<(std::optional<std::uint64_t> value) { return value ? *this << *value : null(); }
  template <class Tag> RowInserter &operator<<(Quantity<Tag> value) { return *this << value.count(); }
  template <class Tag> RowInserter &operator<<(std::optional<Quantity<Tag>> value) {
    return value ? *this << value->count() : null();
  }
  /// borrowed() and borrowedBlob() bind without a copy: `text` and `bytes` must live until run().
  RowInserter &borrowed(std::string_view text);
  RowInserter &borrowedBlob(std::string_view bytes);
  RowInserter &null();
  void run();

private:
  PopFile &file_;
  sqlite3_stmt *statement_;
  int bound_ = 0;
};

/// Returns whether the file contains a table with this name.
[[nodiscard]] bool hasTable(PopFile &file, std::string_view name);

} // namespace popscope
