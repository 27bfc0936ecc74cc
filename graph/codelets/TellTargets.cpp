#include "graph/codelets/TellTargets.hpp"

#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/Words.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace popscope {
namespace {

namespace fs = std::filesystem;

bool namesMacro(std::string text) {
  removeAll(text, "\\\r\n"); // a name may go on in the next line
  removeAll(text, "\\\n");
  return text.find("POPSCOPE_IPU_ARCH") != std::string::npos;
}

/// ## or its other spelling: a name may be put together.
bool pastes(std::string text) {
  removeAll(text, "\\\r\n");
  removeAll(text, "\\\n");
  return text.find("##") != std::string::npos || text.find("%:%:") != std::string::npos;
}

} // namespace

bool mayTellTargets(const std::string &text, const std::string &flags, const std::vector<std::string> &files,
                    const std::vector<std::string> &known) {
  if (namesMacro(text) || namesMacro(flags) || pastes(text) || pastes(flags))
    return true;
  return std::any_of(files.begin(), files.end(), [&](const std::string &file) {
    const std::optional<std::string> content = readFile(file);
    return !content || namesMacro(*content) || (!liesIn(file, known) && pastes(*content));
  });
}

std::vector<std::string> normalFolders(const std::vector<std::string> &folders) {
  std::vector<std::string> normal;
  for (const std::string &folder : folders) {
    std::error_code error;
    if (folder.empty())
      continue;
    normal.push_back((fs::absolute(folder) / "").lexically_normal().string());
    if (const fs::path real = fs::canonical(folder, error); !error && (real / "").string() != normal.back())
      normal.push_back((real / "").string());
  }
  return normal;
}

bool liesIn(const std::string &path, const std::vector<std::string> &folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](const std::string &folder) { return path.rfind(folder, 0) == 0; });
}

bool lieIn(const std::vector<std::string> &paths, const std::vector<std::string> &folders) {
  return std::all_of(paths.begin(), paths.end(), [&](const std::string &path) { return liesIn(path, folders); });
}

} // namespace popscope
