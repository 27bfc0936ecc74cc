#include "base/Environment.hpp"
#include "base/FileErrors.hpp"
#include "graph/codelets/CodeletSet.hpp"
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/EmbeddedText.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace popscope {
namespace {

std::string environmentOr(const char *name, const std::string &otherwise) {
  const std::optional<std::string> value = environmentVariable(name);
  return value && !value->empty() ? *value : otherwise;
}

/// Returns the file that contains this function: libpoplar or a program. Reads the kernel's list of mappings. The
/// dynamic linker knows only the name with which it loaded the file, and this name may be relative to another folder.
std::string ownFile() {
  const auto here = reinterpret_cast<std::uintptr_t>(&ownFile);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream in(line);
    in >> std::hex >> begin >> dash >> end;
    const std::size_t path = line.find('/');
    if (in && begin <= here && here < end && path != std::string::npos)
      return line.substr(path);
  }
  return "";
}

/// Returns the folder of the headers, relative to the library or program that contains this function. This folder is
/// <prefix>/lib/popscope/include, where an installation has links to its own headers only, or else <prefix>/include.
/// With -isystem /usr/include, codelets would find the headers of the C library before those of the compiler. Codelets
/// for the substitute instruction set would find headers of the host.
std::string includeBesideLibrary() {
  static const std::filesystem::path file = ownFile(); // the mappings of a large process take milliseconds to read
  const std::filesystem::path prefix = file.parent_path().parent_path();
  const std::filesystem::path own = prefix / "lib" / "popscope" / "include";
  std::error_code none;
  return file.empty() ? "" : (std::filesystem::is_directory(own, none) ? own : prefix / "include").string();
}

std::string defaultCacheDir() {
  const std::string base = environmentOr("XDG_CACHE_HOME", "");
  if (!base.empty())
    return base + "/popscope";
  const std::string home = environmentOr("HOME", "");
  if (!home.empty())
    return home + "/.cache/popscope";
  return (temporaryFolder() / "popscope-cache").string();
}

} // namespace

CodeletToolchain findToolchain() {
  CodeletToolchain toolchain;
  toolchain.includeDirs = {homePath(environmentOr("POPSCOPE_INCLUDE_DIR", includeBesideLibrary()))};
  toolchain.compiler = homePath(environmentOr("POPSCOPE_CXX", "clang++" + llvmSuffix()));
  toolchain.cacheDir = homePath(environmentOr("POPSCOPE_CACHE_DIR", defaultCacheDir()));
  const std::string paths = environmentOr("POPSCOPE_DEVICE_PATHS", "");
  toolchain.devicePaths = paths == "1" || paths == "true";
  return toolchain;
}

std::vector<std::string> splitFlags(const std::string &flags) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (std::size_t i = 0; i != flags.size(); ++i) {
    const char c = flags[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (inWord)
        words.push_back(word);
      word.clear();
      inWord = false;
      continue;
    }
    inWord = true;
    if (c == '\\' && quote != '\'' && i + 1 != flags.size())
      word += flags[++i];
    else if (quote != 0 && c == quote)
      quote = 0;
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else
      word += c;
  }
  if (inWord)
    words.push_back(word);
  return words;
}

} // namespace popscope
