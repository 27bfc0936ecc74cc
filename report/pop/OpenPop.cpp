#include "report/pop/PopDatabase.hpp"
#include "report/pop/PopReader.hpp"
#include "report/pop/ReplaceFile.hpp"
#include "report/pop/Schema.hpp"

#include "base/ShownText.hpp"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

namespace popscope {
namespace {

constexpr std::size_t kSqliteHeaderBytes = 100; // the header of a SQLite file
using Header = std::array<unsigned char, kSqliteHeaderBytes>;

[[noreturn]] void refuse(const std::string &path, const std::string &what) { throw ProfileError(path + ": " + what); }

std::uint64_t big(const Header &h, std::size_t offset, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    value = value << 8 | h[offset + i];
  return value;
}

/// Returns a sentence about the unfinished profile in the folder of `path`, or "" if there is no such profile. The
/// proposed command writes `path` only if the file name in `path` is profile.pop, the usual name of a profile. Any
/// other name may be a typing error.
std::string unfinishedSentence(const std::string &path) {
  const std::string target = std::filesystem::path(path).filename() == "profile.pop" ? " -o " + shellWord(path) : "";
  const std::string unfinished = unfinishedBeside(path);
  return unfinished.empty()
             ? ""
             : fmt::format("; in the folder is {}, which its program has not finished. popscope recover {}{} makes a "
                           "whole profile of it",
                           shownText(unfinished), shellWord(unfinished), target);
}

Header readHeader(const std::string &path, std::uint64_t &size) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status) && error && error != std::errc::no_such_file_or_directory)
    refuse(path, "cannot be opened: " + error.message()); // a loop of links, a file as a folder, no permission
  if (!std::filesystem::exists(status))
    refuse(path, "no such file" + unfinishedSentence(path));
  if (std::filesystem::is_directory(status)) {
    const std::string inside = (std::filesystem::path(path) / "profile.pop").string();
    refuse(path, std::filesystem::exists(inside, error) ? "is a folder; give the profile in it: " + inside
                                                        : "is a folder without a profile.pop; give a file");
  }
  if (!std::filesystem::is_regular_file(status))
    refuse(path, "is not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in)
    refuse(path, std::string("cannot be opened: ") + std::strerror(errno));
  size = std::filesystem::file_size(path, error);
  if (error)
    refuse(path, "cannot be read: " + error.message());
  if (size == 0)
    refuse(path, "is empty");
  Header header{};
  in.read(reinterpret_cast<char *>(header.data()), header.size());
  const auto got = static_cast<std::size_t>(in.gcount());
  constexpr char kMagic[] = "SQLite format 3"; // with its zero byte
  if (std::memcmp(header.data(), kMagic, std::min(got, sizeof kMagic)) != 0)
    refuse(path, "is not a profile (it is not a SQLite database)");
  if (got < kSqliteHeaderBytes)
    refuse(path, "is truncated (" + std::to_string(got) + (got == 1 ? " byte)" : " bytes)"));
  return header;
}

/// Refuses a truncated file. The page count in the header is valid only if its change counters agree (SQLite file
/// format, 1.3.7 and 1.3.8).
void refuseTruncated(const std::string &path, const Header &h, std::uint64_t size) {
  const std::uint64_t rawPage = big(h, 16, 2), pageBytes = rawPage == 1 ? 65536 : rawPage;
  const std::uint64_t expected = big(h, 28, 4) * pageBytes;
  if (big(h, 24, 4) == big(h, 92, 4) && size < expected)
    refuse(path, "is truncated (" + std::to_string(size) + " of " + std::to_string(expected) + " bytes)");
}

std::int64_t pragma(PopFile &file, const char *name) {
  Query q(file, std::string("PRAGMA ") + name);
  return q.next() ? static_cast<std::int64_t>(q.u64()) : 0;
}

/// Refuses views, triggers, virtual tables and computed columns, because reading a file with one of these could run
/// code or never end. No profile has one.
void refuseForeignSchema(PopFile &file) {
  {
    Query q(file, "SELECT type, name, sql FROM sqlite_schema");
    while (q.next()) {
      const std::string type = q.text(), name = q.text(), sql = q.text();
      if (type != "table" && type != "index")
        file.fail("cannot be read safely: it has a " + type + " named " + name + ", and a profile has none");
      if (sql.compare(0, 12, "CREATE TABLE") != 0 && type == "table")
        file.fail("is refused: its table " + name + " is virtual");
      if (isPackedTable(name))
        file.fail("cannot be read safely: it has a table named " + name + ", whose rows belong into packed_rows");
    }
  }
  Query q(file, "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_xinfo(t.name) c WHERE c.hidden <> 0");
  if (q.next()) {
    const std::string table = q.text();
    file.fail("is refused: its table " + table + " has the computed column " + q.text());
  }
}

void refuseVersion(PopFile &file, std::int64_t version) {
  if (version > kPopSchemaVersion)
    file.fail(fmt::format("was written by a newer popscope (format {}, this one reads format {}): update popscope",
                          version, kPopSchemaVersion));
  if (version != kPopSchemaVersion)
    file.fail(fmt::format("has the unknown format {}; this popscope reads format {}", version, kPopSchemaVersion));
}

/// Refuses a file that is not a profile of this format.
std::shared_ptr<PopFile> checkedProfile(const std::shared_ptr<PopFile> &file) {
  if (pragma(*file, "application_id") != kPopApplicationId)
    file->fail("is a SQLite database but not a profile of popscope");
  refuseVersion(*file, pragma(*file, "user_version"));
  refuseForeignSchema(*file);
  for (const SchemaTable &table : schemaTables())
    if (!table.onDemand) // missing tables and columns are found here, not in the middle of a report
      file->prepared(selectStatement(table.name));
  return file;
}

} // namespace

std::string unfinishedBeside(const std::string &path) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(path).parent_path();
  std::error_code missing, error;
  const fs::file_time_type own = fs::last_write_time(path, missing);
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end; at.increment(error))
    if (const std::string name = at->path().filename().string(); isTemporaryName(name) && folder / name != path) {
      std::error_code unknown;
      const fs::file_time_type time = fs::last_write_time(at->path(), unknown);
      if (missing || time >= own)
        found.emplace_back(time, folder / name);
    }
  std::sort(found.begin(), found.end());
  for (auto one = found.rbegin(); one != found.rend(); ++one)
    try {
      if (readMeta(*openPop(one->second.string())).hasCompilation)
        return one->second.string();
    } catch (const ProfileError &) { // this file is not a readable profile
    }
  return "";
}

std::shared_ptr<PopFile> openPop(const std::string &path) {
  std::uint64_t size = 0;
  const Header header = readHeader(path, size);
  refuseTruncated(path, header, size);
  return checkedProfile(std::make_shared<PopFile>(path, PopFile::Mode::ReadOnly));
}

std::shared_ptr<PopFile> openPopImage(const std::string &name, const std::string &image) {
  return checkedProfile(PopFile::ofImage(name, image));
}

} // namespace popscope
