#include "graph/codelets/CompileCache.hpp"

#include "base/JsonText.hpp"
#include "graph/codelets/ContentHash.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace popscope {
namespace {

namespace fs = std::filesystem;

bool isOurs(const std::string &folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  struct stat about {};
  // What is found here will be loaded and run: it must be our own.
  return ::stat(folder.c_str(), &about) == 0 && about.st_uid == ::geteuid() && (about.st_mode & S_IWOTH) == 0 &&
         ::access(folder.c_str(), W_OK | X_OK) == 0;
}

std::string hashOfFile(const std::string &path) {
  const std::optional<std::string> content = readFile(path);
  return content ? ContentHash().add(*content).hex() : "missing";
}

bool writtenAfter(const std::string &path, fs::file_time_type begin) {
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(path, error);
  return error || written >= begin;
}

/// Rename within the file system is atomic: another process sees the whole file or none.
void publish(const std::string &from, const std::string &to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error)
    throw poplar::file_load_error(to + ": cannot be written into the cache of compiled codelets (" + error.message() +
                                  "); set POPSCOPE_CACHE_DIR to a folder that can be written");
}

} // namespace

std::optional<std::string> readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::error_code error;
  if (!in || fs::is_directory(path, error))
    return std::nullopt;
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

void writeFile(const std::string &path, const std::string &content) {
  std::ofstream out(path, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out)
    throw poplar::file_load_error(path + ": cannot be written; check the folder's permissions and free space");
}

WorkFolder::WorkFolder(const std::string &parent) : folder_(parent + "/work-XXXXXX") {
  if (::mkdtemp(folder_.data()) == nullptr)
    throw poplar::file_load_error(parent + ": no folder can be made in it; set POPSCOPE_CACHE_DIR to a folder that can "
                                           "be written");
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

CompileCache::CompileCache(const std::string &folder) : folder_(folder) {
  if (isOurs(folder_))
    return;
  folder_ = (fs::temp_directory_path() / ("popscope-cache-" + std::to_string(::geteuid()))).string();
  if (!isOurs(folder_))
    throw poplar::file_load_error(folder + ": compiled codelets cannot be kept there, nor in " + folder_ +
                                  "; set POPSCOPE_CACHE_DIR to a folder of yours that only you can write");
}

std::optional<CompiledLibrary> CompileCache::find(const std::string &key) const {
  const std::optional<std::string> text = readFile(folder_ + "/" + key + ".json");
  if (!text)
    return std::nullopt;
  const nlohmann::json manifest = jsonOf(*text);
  if (manifest.is_discarded() || !manifest.is_object())
    return std::nullopt;
  try {
    for (const auto &[path, hash] : manifest.at("headers").items())
      if (hashOfFile(path) != hash.get<std::string>())
        return std::nullopt;
    CompiledLibrary library;
    library.standInProblem = manifest.at("standInProblem").get<std::string>();
    library.warnings = manifest.at("warnings").get<std::string>();
    library.whyNoFloats = manifest.at("whyNoFloats").get<std::string>();
    library.missing = manifest.at("missing").get<std::vector<std::string>>();
    bool complete = true;
    const auto locate = [&](std::string &path, const char *field) {
      const std::string name = manifest.at(field).get<std::string>();
      path = name.empty() ? "" : folder_ + "/" + name;
      complete = complete && (path.empty() || fs::exists(path));
    };
    locate(library.sharedObject, "sharedObject");
    locate(library.standInImage, "standInImage");
    locate(library.hostObject, "hostObject");
    locate(library.standInObject, "standInObject");
    locate(library.hostFunctions, "hostFunctions");
    locate(library.standInFunctions, "standInFunctions");
    return complete ? std::optional<CompiledLibrary>(library) : std::nullopt;
  } catch (const nlohmann::json::exception &) {
    return std::nullopt; // an entry that we cannot read is no entry
  }
}

CompiledLibrary CompileCache::store(const std::vector<std::string> &keys, const CompiledLibrary &library,
                                    const std::vector<std::string> &headers, fs::file_time_type begin) const {
  const WorkFolder work(folder_);
  nlohmann::json manifest;
  manifest["headers"] = nlohmann::json::object();
  ContentHash content;
  for (const std::string &header : headers) {
    const std::string hash = hashOfFile(header);
    manifest["headers"][header] = hash;
    content.add(header).add(hash);
  }
  CompiledLibrary stored = library;
  const bool isCurrent = std::none_of(headers.begin(), headers.end(),
                                      [&](const std::string &header) { return writtenAfter(header, begin); });
  // Content that may not belong to these headers gets a name of its own.
  const std::string name =
      keys.front() + "-" + (isCurrent ? content.hex() : fs::path(work.path("")).parent_path().filename().string());
  const auto move = [&](std::string &path, const char *extension, const char *field) {
    manifest[field] = path.empty() ? "" : name + extension;
    if (path.empty())
      return;
    publish(path, folder_ + "/" + name + extension);
    path = folder_ + "/" + name + extension;
  };
  move(stored.sharedObject, ".so", "sharedObject");
  move(stored.standInImage, ".rv", "standInImage");
  move(stored.hostObject, ".o", "hostObject");
  move(stored.standInObject, ".rvo", "standInObject");
  move(stored.hostFunctions, ".f.o", "hostFunctions");
  move(stored.standInFunctions, ".f.rvo", "standInFunctions");
  manifest["missing"] = library.missing;
  manifest["standInProblem"] = library.standInProblem;
  manifest["warnings"] = library.warnings;
  manifest["whyNoFloats"] = library.whyNoFloats;
  if (!isCurrent)
    return stored;
  for (const std::string &key : keys) {
    writeFile(work.path("manifest"), jsonText(manifest, 1));
    publish(work.path("manifest"), folder_ + "/" + key + ".json");
  }
  return stored;
}

void CompileCache::share(const std::string &key, const std::string &other, const std::string &whyNoFloats) const {
  const std::optional<std::string> text = readFile(folder_ + "/" + key + ".json");
  nlohmann::json manifest = jsonOf(text.value_or(""));
  if (!manifest.is_object())
    return; // what was compiled is not current
  manifest["whyNoFloats"] = whyNoFloats;
  const WorkFolder work(folder_);
  writeFile(work.path("manifest"), jsonText(manifest, 1));
  publish(work.path("manifest"), folder_ + "/" + other + ".json");
}

std::string CompileCache::keep(const std::string &content, const std::string &extension) const {
  const std::string path = folder_ + "/" + ContentHash().add(content).hex() + extension;
  if (fs::exists(path))
    return path;
  const WorkFolder work(folder_);
  writeFile(work.path("content"), content);
  publish(work.path("content"), path);
  return path;
}

std::string CompileCache::keepInFolder(const std::string &content, const std::string &name) const {
  const std::string folder = folder_ + "/" + ContentHash().add(content).hex();
  if (fs::exists(folder + "/" + name))
    return folder;
  const WorkFolder work(folder_);
  std::error_code error;
  fs::create_directory(folder, error);
  writeFile(work.path("content"), content);
  publish(work.path("content"), folder + "/" + name);
  return folder;
}

} // namespace popscope
