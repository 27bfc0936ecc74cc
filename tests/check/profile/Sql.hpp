// Reads a profile's tables with SQLite alone, without any code of the project.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;

namespace profile_check {

class Database {
public:
  /// Throws std::runtime_error when the file cannot be read.
  explicit Database(const std::string &path);
  /// Returns the integers of all rows. Throws std::runtime_error for bad SQL, NULL, and numbers below 0.
  std::vector<std::vector<std::uint64_t>> rows(const std::string &sql) const;
  std::vector<std::vector<std::string>> texts(const std::string &sql) const;
  /// Returns the only integer of the only row.
  std::uint64_t number(const std::string &sql) const;

private:
  std::unique_ptr<sqlite3, int (*)(sqlite3 *)> db_;
};

} // namespace profile_check
