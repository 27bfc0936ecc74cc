// Runs a program of the build through the shell, and reads its files with SQLite alone.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

struct sqlite3;

namespace reports {

/// A new folder with a folder "report" in it; the destructor removes it.
struct Folder {
  std::filesystem::path path;
  Folder();
  ~Folder();
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  [[nodiscard]] std::string file(const std::string &name) const { return (path / name).string(); }
};

[[nodiscard]] std::string contents(const std::filesystem::path &path);
[[nodiscard]] std::vector<std::string> lines(const std::string &text);

struct Outcome {
  int exitCode = -1;
  std::string out;
  std::vector<std::string> err;
};
/// Runs the command in the folder. The output of the command goes to files outside of "report".
[[nodiscard]] Outcome shell(const Folder &folder, const std::string &command);

class Database {
public:
  explicit Database(const std::string &path);
  ~Database();
  Database(const Database &) = delete;
  Database &operator=(const Database &) = delete;
  /// Returns the first column of the first row as text; "(no row)" or "(null)" if there is none.
  [[nodiscard]] std::string one(const std::string &sql) const;
  [[nodiscard]] std::uint64_t number(const std::string &sql) const { return std::stoull(one(sql)); }

private:
  sqlite3 *db_ = nullptr;
};

extern const std::string kProgram, kSummary, kPopscope, kPython;

} // namespace reports
