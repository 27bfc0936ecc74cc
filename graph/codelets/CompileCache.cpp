#include "graph/codelets/CompileCache.hpp"

#include "base/FileErrors.hpp"
#include "base/JsonText.hpp"
#include "base/WholeFile.hpp"
#include "graph/codelets/ContentHash.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace popscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char *kWork = "/work-XXXXXX", *kPruned = "/pruned";
constexpr std::chrono::hours kUseIsNoted(1), kPruneEach(24);

/// Creates the folder if it does not exist. Returns whether the folder belongs to this user and only this user may
/// write to the folder. This check is needed because the cache loads and runs libraries from the folder.
bool isOurs(const std::string &folder) {
  std::error_code error;
  fs::create_directories(fs::path(folder).parent_path(), error);
  (void)::mkdir(folder.c_str(), 0700);
  struct stat link {
  }, about{};
  const uid_t self = ::geteuid();
  return ::lstat(folder.c_str(), &link) == 0 && link.st_uid == self && ::stat(folder.c_str(), &about) == 0 &&
         S_ISDIR(about.st_mode) && about.st_uid == self && (about.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
         ::access(folder.c_str(), W_OK | X_OK) == 0;
}

/// Returns a cache folder that is removed when this process ends, and whose name nobody else knows.
const std::string &folderOfThisProcess() {
  struct Folder {
    Folder() : path((temporaryFolder() / "popscope-cache-XXXXXX").string()) {
      if (::mkdtemp(path.data()) == nullptr)
        path.clear();
    }
    ~Folder() {
      std::error_code ignored;
      if (!path.empty() && ::getpid() == owner) // a forked child does not remove the folder
        fs::remove_all(path, ignored);
    }
    std::string path;
    pid_t owner = ::getpid();
  };
  static const Folder folder;
  return folder.path;
}

std::string hashOf(const std::string &content) { return ContentHash().add(content).hex(); }
std::string hashOfFile(const std::string &path) {
  constexpr std::uintmax_t kMaxBytes = std::uintmax_t(1) << 30; // no compiler writes more for codelets
  std::error_code error;
  if (fs::file_size(path, error) > kMaxBytes && !error)
    return "too large";
  const std::optional<std::string> content = readFile(path);
  return content ? hashOf(*content) : "missing";
}

bool writtenAfter(const std::string &path, fs::file_time_type begin) {
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(path, error);
  return error || written >= begin;
}

/// Publishes a file by renaming it, which is atomic within a file system: another process sees the whole file or no
/// file.
void publish(const std::string &from, const std::string &to) {
  std::error_code none;
  const fs::file_status there = fs::symlink_status(to, none);
  if (fs::exists(there) && !fs::is_regular_file(there)) // no file can replace a folder or a pipe
    fs::remove_all(to, none);
  try {
    moveIntoPlace(from, to);
  } catch (const std::system_error &e) {
    throw poplar::file_load_error(to + ": cannot be written into the cache of compiled codelets (" +
                                  e.code().message() + "); set POPSCOPE_CACHE_DIR to a folder that can be written");
  }
}

/// Sets the time of a file to now. prune() takes this time as the last use of the file.
void noteUse(const std::string &path) {
  std::error_code ignored;
  const auto now = fs::file_time_type::clock::now();
  if (const auto used = fs::last_write_time(path, ignored); !ignored && now - used > kUseIsNoted)
    fs::last_write_time(path, now, ignored);
}

/// A field of an entry that names a file, and the file's extension.
struct FileField {
  const char *field, *extension;
  std::string CompiledLibrary::*path;
};
constexpr std::array<FileField, 6> kFileFields = {{{"sharedObject", ".so", &CompiledLibrary::sharedObject},
                                                   {"standInImage", ".rv", &CompiledLibrary::standInImage},
                                                   {"hostObject", ".o", &CompiledLibrary::hostObject},
                                                   {"standInObject", ".rvo", &CompiledLibrary::standInObject},
                                                   {"hostFunctions", ".f.o", &CompiledLibrary::hostFunctions},
                                                   {"standInFunctions", ".f.rvo", &CompiledLibrary::standInFunctions}}};

// An entry is a JSON object. Its member "hash" is the hash of the other members; "files" has the hash of each file, by
// field.
void writeEntry(const std::string &folder, const std::string &key, Json entry) {
  entry.erase("hash");
  entry["hash"] = hashOf(jsonText(entry));
  const WorkFolder work(folder);
  writeFile(work.path("entry"), jsonText(entry, 1));
  publish(work.path("entry"), folder + "/" + key + ".json");
}

std::optional<Json> readEntry(const std::string &folder, const std::string &key) {
  const std::string path = folder + "/" + key + ".json";
  Json entry = jsonOf(readFile(path).value_or(""));
  if (!entry.is_object() || !entry.contains("hash"))
    return std::nullopt;
  const Json hash = entry["hash"];
  entry.erase("hash");
  if (hash != hashOf(jsonText(entry)))
    return std::nullopt;
  noteUse(path);
  return entry;
}

/// Returns the path of the file `field` of an entry, or "" if the entry has no such file. Returns no value if the
/// file's contents have changed since the file was stored.
std::optional<std::string> locate(const std::string &folder, const Json &entry, const char *field) {
  const std::string name = entry.at(field).get<std::string>();
  if (name.empty())
    return "";
  std::string path = folder + "/" + name;
  if (hashOfFile(path) != entry.at("files").at(field).get<std::string>())
    return std::nullopt;
  noteUse(path);
  return path;
}

} // namespace

std::optional<std::string> readFile(const std::string &path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) // opening a pipe would wait for its writer
    return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return std::nullopt;
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

void writeFile(const std::string &path, const std::string &content) {
  try {
    writeWholeFile(path, content, false);
  } catch (const std::system_error &e) {
    throw poplar::file_load_error(path + ": cannot be written (" + e.code().message() +
                                  "); check the folder's permissions and free space");
  }
}

WorkFolder::WorkFolder(const std::string &parent) : folder_(parent + kWork) {
  if (::mkdtemp(folder_.data()) == nullptr)
    throw poplar::file_load_error(
        parent + ": Popscope cannot create a folder in this folder; set POPSCOPE_CACHE_DIR to a folder that can "
                 "be written");
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

CompileCache::CompileCache(const std::string &folder) : folder_(folder) {
  if (isOurs(folder_))
    return;
  folder_ = (temporaryFolder() / ("popscope-cache-" + std::to_string(::geteuid()))).string();
  if (isOurs(folder_))
    return;
  folder_ = folderOfThisProcess();
  if (folder_.empty())
    throw poplar::file_load_error(
        folder + ": compiled codelets cannot be cached there or in " + temporaryFolder().string() +
        "; set POPSCOPE_CACHE_DIR to a folder that belongs to you and that only you can write");
}

std::optional<CompiledLibrary> CompileCache::find(const std::string &key) const {
  const std::optional<Json> entry = readEntry(folder_, key);
  if (!entry)
    return std::nullopt;
  try {
    for (const auto &[path, hash] : entry->at("headers").items())
      if (hashOfFile(path) != hash.get<std::string>())
        return std::nullopt;
    CompiledLibrary library;
    library.standInProblem = entry->at("standInProblem").get<std::string>();
    library.warnings = entry->at("warnings").get<std::string>();
    library.whyNoFloats = entry->at("whyNoFloats").get<std::string>();
    library.missing = entry->at("missing").get<std::vector<std::string>>();
    for (const FileField &file : kFileFields) {
      std::optional<std::string> path = locate(folder_, *entry, file.field);
      if (!path)
        return std::nullopt;
      library.*file.path = std::move(*path);
    }
    return library;
  } catch (const Json::exception &) {
    return std::nullopt; // an unreadable entry counts as missing
  }
}

CompiledLibrary CompileCache::store(const std::vector<std::string> &keys, const CompiledLibrary &library,
                                    const std::vector<std::string> &headers, fs::file_time_type begin) const {
  pruneSometimes();
  Json entry = {{"headers", Json::object()}, {"files", Json::object()}};
  ContentHash content;
  for (const std::string &header : headers) {
    const std::string hash = hashOfFile(header);
    entry["headers"][header] = hash;
    content.add(header).add(hash);
  }
  CompiledLibrary stored = library;
  const bool isCurrent = std::none_of(headers.begin(), headers.end(),
                                      [&](const std::string &header) { return writtenAfter(header, begin); });
  // A result that may not match these headers gets a name of its own.
  const WorkFolder work(folder_);
  const std::string name =
      keys.front() + "-" + (isCurrent ? content.hex() : fs::path(work.path("")).parent_path().filename().string());
  for (const FileField &file : kFileFields) {
    std::string &path = stored.*file.path;
    entry[file.field] = path.empty() ? "" : name + file.extension;
    if (path.empty())
      continue;
    entry["files"][file.field] = hashOfFile(path);
    publish(path, folder_ + "/" + name + file.extension);
    path = folder_ + "/" + name + file.extension;
  }
  entry["missing"] = library.missing;
  entry["standInProblem"] = library.standInProblem;
  entry["warnings"] = library.warnings;
  entry["whyNoFloats"] = library.whyNoFloats;
  if (isCurrent)
    for (const std::string &key : keys)
      writeEntry(folder_, key, entry);
  return stored;
}

void CompileCache::share(const std::string &key, const std::string &other, const std::string &whyNoFloats) const {
  std::optional<Json> entry = readEntry(folder_, key);
  if (!entry)
    return; // the compiled result is out of date
  (*entry)["whyNoFloats"] = whyNoFloats;
  writeEntry(folder_, other, std::move(*entry));
}

std::string CompileCache::keep(const std::string &content, const std::string &extension) const {
  std::string path = folder_ + "/" + hashOf(content) + extension;
  if (readFile(path) == content) {
    noteUse(path);
    return path;
  }
  const WorkFolder work(folder_);
  writeFile(work.path("content"), content);
  publish(work.path("content"), path);
  return path;
}

std::string CompileCache::keepInFolder(const std::string &content, const std::string &name) const {
  std::string folder = folder_ + "/" + hashOf(content);
  if (readFile(folder + "/" + name) == content) {
    noteUse(folder + "/" + name);
    return folder;
  }
  const WorkFolder work(folder_);
  (void)::mkdir(folder.c_str(), 0700);
  writeFile(work.path("content"), content);
  publish(work.path("content"), folder + "/" + name);
  return folder;
}

std::string CompileCache::storeFile(const std::string &key, const std::string &from,
                                    const std::string &extension) const {
  const std::string hash = hashOfFile(from);
  publish(from, folder_ + "/" + key + extension);
  writeEntry(folder_, key, {{"file", key + extension}, {"files", {{"file", hash}}}});
  return folder_ + "/" + key + extension;
}

std::optional<std::string> CompileCache::findFile(const std::string &key) const {
  const std::optional<Json> entry = readEntry(folder_, key);
  try {
    return entry ? locate(folder_, *entry, "file") : std::nullopt;
  } catch (const Json::exception &) {
    return std::nullopt;
  }
}

// Removes work folders of killed builds. Then removes files in the order of their last use, the oldest first: files
// that were unused for longer than `limits.unused`, and further files until the rest fits `limits.bytes`. Keeps every
// file that was used within `limits.kept`.
void CompileCache::prune(const CacheLimits &limits) const {
  struct Old {
    fs::file_time_type used;
    std::uint64_t bytes;
    fs::path path;
  };
  std::vector<Old> files;
  std::uint64_t total = 0;
  const auto now = fs::file_time_type::clock::now();
  std::error_code error; // ignored: another process may remove files meanwhile
  std::vector<fs::path> leftovers;
  for (fs::recursive_directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    const bool isWork = at->path().filename().string().rfind("work-", 0) == 0;
    std::error_code unknown;
    const fs::file_time_type used = fs::last_write_time(at->path(), unknown);
    if (unknown)
      continue;
    if (at->is_directory(unknown) && !at->is_symlink(unknown)) {
      if (isWork)
        at.disable_recursion_pending();
      if (isWork && now - used > limits.work)
        leftovers.push_back(at->path());
    } else if (at->is_regular_file(unknown)) {
      files.push_back({used, fs::file_size(at->path(), unknown), at->path()});
      total += unknown ? 0 : files.back().bytes;
    }
  }
  for (const fs::path &work : leftovers)
    fs::remove_all(work, error);
  std::sort(files.begin(), files.end(), [](const Old &a, const Old &b) { return a.used < b.used; });
  for (const Old &file : files) {
    if (now - file.used <= limits.unused && (total <= limits.bytes || now - file.used <= limits.kept))
      break; // all later files are kept, too
    if (fs::remove(file.path, error))
      total -= file.bytes;
  }
}

/// Prunes at most once a day, and only in processes that compile something.
void CompileCache::pruneSometimes() const {
  const std::string marker = folder_ + kPruned;
  const auto now = fs::file_time_type::clock::now();
  std::error_code none;
  const fs::file_time_type last = fs::last_write_time(marker, none);
  if (!none && last <= now && now - last < kPruneEach) // `last` in the future means that the clock was set back
    return;
  if (none)
    writeFile(marker, "");
  else
    fs::last_write_time(marker, now, none);
  prune(CacheLimits());
}

} // namespace popscope
