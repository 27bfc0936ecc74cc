#include "graph/codelets/PrecompiledHeader.hpp"

#include "graph/codelets/TellTargets.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace popscope {
namespace {

namespace fs = std::filesystem;

} // namespace

bool PrecompiledHeaders::usedBefore(const std::string &key) const {
  const std::string marker = cache_.folder() + "/" + key + ".used";
  if (fs::exists(marker))
    return true;
  writeFile(marker, "");
  return false;
}

PrecompiledHeader PrecompiledHeaders::find(const std::string &key, const std::string &text, bool make,
                                           const Precompile &precompile) const {
  PrecompiledHeader header;
  header.text = cache_.keep(text, ".hpp");
  std::optional<std::string> made = cache_.findFile(key);
  if (!made && make) {
    const WorkFolder work(cache_.folder());
    const std::string output = work.path("made");
    switch (precompile(header.text, output)) {
    case Precompiled::Failed: return header;
    case Precompiled::Never: writeFile(output, ""); break;
    case Precompiled::Yes: break;
    }
    made = cache_.storeFile(key, output, ".pch");
  }
  std::error_code error;
  if (made && fs::file_size(*made, error) != 0 && !error)
    header.made = *made;
  return header;
}

void dropPrecompiled(const PrecompiledHeader &header) {
  std::error_code ignored;
  fs::remove(header.made, ignored);
}

Precompiled precompileWith(const std::vector<std::string> &command, const std::vector<std::string> &known,
                           const std::string &header, const std::string &output) {
  std::vector<std::string> words = command;
  const std::string rule = output + ".d";
  words.insert(words.end(), {kInstantiateInHeader, "-MD", "-MF", rule, "-x", "c++-header", "-o", output, header});
  if (runProcess(words).exitCode != 0)
    return Precompiled::Failed;
  return lieIn(parseDependencies(readFile(rule).value_or("")), known) ? Precompiled::Yes : Precompiled::Never;
}

ProcessResult runBehind(const PrecompiledHeader &header, const std::vector<std::string> &command,
                        const std::vector<std::string> &rest) {
  const auto run = [&](const char *how, const std::string &path) {
    std::vector<std::string> words = command;
    if (!path.empty())
      words.insert(words.end(), {how, path});
    words.insert(words.end(), rest.begin(), rest.end());
    return runProcess(words);
  };
  if (!header.made.empty())
    if (ProcessResult result = run("-include-pch", header.made); result.exitCode == 0)
      return result;
  ProcessResult result = run("-include", header.text);
  if (!header.made.empty() && result.exitCode == 0)
    dropPrecompiled(header);
  return result;
}

std::vector<std::string> parseDependencies(const std::string &rule) {
  std::vector<std::string> found;
  std::string word;
  const std::size_t colon = rule.find(": ");
  for (std::size_t i = colon == std::string::npos ? rule.size() : colon + 2; i <= rule.size(); ++i) {
    const char c = i < rule.size() ? rule[i] : '\n';
    if (c == '\\' && i + 1 < rule.size() && rule[i + 1] != '\n')
      word += rule[++i];
    else if (c == ' ' || c == '\n' || c == '\\') {
      if (!word.empty())
        found.push_back(fs::absolute(word).lexically_normal().string());
      word.clear();
    } else
      word += c;
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

} // namespace popscope
