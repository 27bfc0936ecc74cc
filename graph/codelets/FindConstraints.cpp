#include "graph/codelets/FindConstraints.hpp"

#include "graph/codelets/Libclang.hpp"

#include <algorithm>

namespace popscope {
namespace {

struct Token {
  std::string text;
  unsigned offset = 0;
};

unsigned offsetOf(CXSourceLocation location, CXFile *file = nullptr) {
  unsigned offset = 0;
  libclang().getFileLocation(location, file, nullptr, nullptr, &offset);
  return offset;
}

std::vector<Token> tokensOf(CXTranslationUnit unit, CXSourceRange extent) {
  CXToken *raw = nullptr;
  unsigned count = 0;
  libclang().tokenize(unit, extent, &raw, &count);
  std::vector<Token> tokens;
  for (unsigned i = 0; i != count; ++i) {
    tokens.push_back(
        {takeText(libclang().getTokenSpelling(unit, raw[i])), offsetOf(libclang().getTokenLocation(unit, raw[i]))});
  }
  libclang().disposeTokens(unit, raw, count);
  return tokens;
}

void dropSkipped(CXTranslationUnit unit, CXFile file, std::vector<Token> &tokens) {
  CXSourceRangeList *skipped = libclang().getSkippedRanges(unit, file);
  if (skipped == nullptr)
    return;
  for (unsigned i = 0; i != skipped->count; ++i) {
    const unsigned begin = offsetOf(libclang().getRangeStart(skipped->ranges[i]));
    const unsigned end = offsetOf(libclang().getRangeEnd(skipped->ranges[i]));
    tokens.erase(std::remove_if(tokens.begin(), tokens.end(),
                                [&](const Token &t) { return begin <= t.offset && t.offset < end; }),
                 tokens.end());
  }
  libclang().disposeSourceRangeList(skipped);
}

/// Removes the quotes of "elem(*a)". Constraints contain no escapes.
std::string unquote(const std::string &literal) {
  const std::size_t first = literal.find('"'), last = literal.rfind('"');
  return first == std::string::npos || last <= first ? literal : literal.substr(first + 1, last - first - 1);
}

} // namespace

std::vector<std::string> findConstraints(CXTranslationUnitImpl *unit, const void *cursor) {
  const CXCursor definition = *static_cast<const CXCursor *>(cursor);
  const CXSourceRange extent = libclang().getCursorExtent(definition);
  CXFile file = nullptr;
  offsetOf(libclang().getRangeStart(extent), &file);
  std::vector<Token> tokens = tokensOf(unit, extent);
  dropSkipped(unit, file, tokens);
  std::vector<std::string> constraints;
  for (std::size_t i = 0; i + 4 < tokens.size(); ++i) {
    if (tokens[i].text != "poplar" || tokens[i + 1].text != "::" || tokens[i + 2].text != "constraint" ||
        tokens[i + 3].text != "(")
      continue;
    bool join = false; // adjacent literals are one string
    for (i += 4; i < tokens.size() && tokens[i].text != ")"; ++i) {
      if (tokens[i].text == ",")
        join = false;
      else if (join)
        constraints.back() += unquote(tokens[i].text);
      else {
        constraints.push_back(unquote(tokens[i].text));
        join = true;
      }
    }
  }
  return constraints;
}

} // namespace popscope
