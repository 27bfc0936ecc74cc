#include "graph/codelets/TellTargets.hpp"

#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/Words.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>

namespace popscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMacro = kTargetArgument.substr(2, kTargetArgument.size() - 3);

/// The parts of words that name a half: the type, its vectors, and functions of halves. quarter is in the list because
/// it converts to half.
constexpr std::string_view kHalves[] = {"half", "Half", "HALF", "f16", "fp16", "F16", "FP16", "quarter"};

/// Calls `visit` with each word of the text. Words of comments and literals count, too.
template <class Visit> void forEachWord(const std::string &text, const Visit &visit) {
  for (std::size_t at = 0; at != text.size();) {
    std::size_t end = at;
    while (end != text.size() && isWordChar(text[end]))
      ++end;
    if (end != at)
      visit(text.substr(at, end - at));
    at = end == at ? at + 1 : end;
  }
}

/// Adds the names that a file of directives defines.
void addDefined(const std::string &text, std::set<std::string> &names) {
  std::string before;
  forEachWord(text, [&](const std::string &word) {
    if (before == "define")
      names.insert(word);
    before = word;
  });
}

/// The words of the unknown files, and whether ## (or its alternative spelling) can join them.
struct SourceWords {
  std::set<std::string> words;
  bool pastes = false;

  void add(std::string text) {
    removeAll(text, "\\\r\n"); // a word may continue in the next line
    removeAll(text, "\\\n");
    forEachWord(text, [&](const std::string &word) { words.insert(word); });
    pastes = pastes || text.find("##") != std::string::npos || text.find("%:%:") != std::string::npos;
  }

  /// Returns whether one of the words may name a half, or something that becomes a half. A name counts if it is one of
  /// the words, or several of them in sequence.
  [[nodiscard]] bool nameHalves() const {
    return pastes || std::any_of(words.begin(), words.end(), [](const std::string &word) {
             if (word == "HalfFloat" || word == "IeeeHalf") // the name of a header; a type that is the same in any case
               return false;
             const bool isLiteral = word.size() > 2 && word.compare(word.size() - 2, 2, "_h") == 0 &&
                                    std::isdigit(static_cast<unsigned char>(word[0])) != 0;
             return isLiteral || std::any_of(std::begin(kHalves), std::end(kHalves), [&](std::string_view part) {
                      return word.find(part) != std::string::npos;
                    });
           });
  }

  [[nodiscard]] bool make(const std::string &name) const {
    if (words.count(name) != 0)
      return true;
    std::vector<bool> reached(name.size() + 1, false); // [i]: the first i letters of the name are words
    reached[0] = pastes;
    for (std::size_t begin = 0; begin != name.size(); ++begin)
      for (std::size_t end = begin + 1; reached[begin] && end <= name.size(); ++end)
        reached[end] = reached[end] || words.count(name.substr(begin, end - begin)) != 0;
    return reached.back();
  }
};

} // namespace

bool mayTellTargets(const std::string &text, const std::string &flags, const std::vector<std::string> &files,
                    const std::vector<std::string> &known) {
  std::set<std::string> names = {std::string(kMacro)};
  SourceWords words;
  words.add(text);
  words.add(flags);
  for (const std::string &file : files) {
    const std::optional<std::string> content = readFile(file);
    if (!content)
      return true;
    if (!liesIn(file, known))
      words.add(*content);
    else if (content->find(kMacro) != std::string::npos)
      addDefined(*content, names);
  }
  return std::any_of(names.begin(), names.end(), [&](const std::string &name) { return words.make(name); });
}

bool mayTellHalves(const std::string &text, const std::string &flags, const std::vector<std::string> &files,
                   const std::vector<std::string> &known) {
  SourceWords words;
  words.add(text);
  words.add(flags);
  for (const std::string &file : files) {
    if (liesIn(file, known))
      continue;
    const std::optional<std::string> content = readFile(file);
    if (!content)
      return true;
    words.add(*content);
  }
  return words.nameHalves();
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
