#include "tests/check/reports/Shell.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace reports {

const std::string kProgram = "'" REPORTS_PROGRAM "'", kSummary = "'" POPSCOPE_TOOLS "/profile_summary'",
                  kPopscope = "'" POPSCOPE_TOOLS "/popscope'",
                  kPython = "PYTHONPATH='" POPSCOPE_BINARY_DIR "/python' python3";

Folder::Folder() : path(fs::temp_directory_path() / ("popscope-reports-" + std::to_string(::getpid()))) {
  fs::create_directories(path / "report");
  fs::permissions(path, fs::perms::all); // so that a user without rights can write, too
}
Folder::~Folder() { fs::remove_all(path); }

std::string contents(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> lines(const std::string &text) {
  std::istringstream in(text);
  std::vector<std::string> result;
  for (std::string line; std::getline(in, line);)
    result.push_back(line);
  return result;
}

// Uses pipes, because files would be subject to the limits that the command sets.
Outcome shell(const Folder &folder, const std::string &command) {
  const std::string line = "cd '" + folder.path.string() + "' && { { { " + command +
                           "; }; echo $? >code; } 2>&1 1>&3 | cat >err; } 3>&1 | cat >out";
  const int status = std::system(line.c_str());
  REQUIRE(WIFEXITED(status));
  return {std::stoi(contents(folder.path / "code")), contents(folder.path / "out"),
          lines(contents(folder.path / "err"))};
}

Database::Database(const std::string &path) {
  REQUIRE(sqlite3_open_v2(path.c_str(), &db_, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK);
}
Database::~Database() { sqlite3_close(db_); }

std::string Database::one(const std::string &sql) const {
  sqlite3_stmt *s = nullptr;
  CAPTURE(sql);
  REQUIRE(sqlite3_prepare_v2(db_, sql.c_str(), -1, &s, nullptr) == SQLITE_OK);
  std::string value = "(no row)";
  if (sqlite3_step(s) == SQLITE_ROW)
    value = sqlite3_column_text(s, 0) == nullptr ? "(null)" : reinterpret_cast<const char *>(sqlite3_column_text(s, 0));
  sqlite3_finalize(s);
  return value;
}

} // namespace reports
