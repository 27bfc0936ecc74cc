#include "base/ProgramName.hpp"

#include <filesystem>
#include <fstream>
#include <vector>

namespace popscope {
namespace {

// Returns the index of the first word that is no option of Python, or words.size().
std::size_t scriptAt(std::span<const std::string> words) {
  std::size_t i = 1;
  while (i < words.size() && words[i].size() > 1 && words[i][0] == '-') {
    if (words[i] == "-c")
      return words.size();
    if (words[i] == "-m")
      return i + 1;
    i += words[i] == "-W" || words[i] == "-X" ? 2 : 1; // these have a value
  }
  return i;
}

} // namespace

std::string programName(const std::string &executable, std::span<const std::string> words) {
  if (executable.rfind("python", 0) == 0)
    if (const std::size_t script = scriptAt(words); script < words.size())
      if (const std::string name = std::filesystem::path(words[script]).filename().string();
          !name.empty() && name != "-")
        return name;
  return executable.empty() ? "program" : executable;
}

std::string programName() {
  std::error_code error;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", error).filename().string();
  std::vector<std::string> words;
  std::ifstream line("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(line, word, '\0');)
    words.push_back(word);
  return programName(self, words);
}

} // namespace popscope
