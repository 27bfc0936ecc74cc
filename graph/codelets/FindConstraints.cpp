#include "graph/codelets/FindConstraints.hpp"

#include <clang-c/Index.h>

#include <algorithm>

namespace popscope {
namespace {

struct Token {
  std::string text;
  unsigned offset = 0;
};

unsigned offsetOf(CXSourceLocation location, CXFile *file = nullptr) {
  unsigned offset = 0;
  clang_getFileLocation(location, file, nullptr, nullptr, &offset);
  return offset;
}

std::vector<Token> tokensOf(CXTranslationUnit unit, CXSourceRange extent) {
  CXToken *raw = nullptr;
  unsigned count = 0;
  clang_tokenize(unit, extent, &raw, &count);
  std::vector<Token> tokens;
  for (unsigned i = 0; i != count; ++i) {
    const CXString spelling = clang_getTokenSpelling(unit, raw[i]);
    tokens.push_back({clang_getCString(spelling), offsetOf(clang_getTokenLocation(unit, raw[i]))});
    clang_disposeString(spelling);
  }
  clang_disposeTokens(unit, raw, count);
  return tokens;
}

void dropSkipped(CXTranslationUnit unit, CXFile file, std::vector<Token> &tokens) {
  CXSourceRangeList *skipped = clang_getSkippedRanges(unit, file);
  if (skipped == nullptr)
    return;
  for (unsigned i = 0; i != skipped->count; ++i) {
    const unsigned begin = offsetOf(clang_getRangeStart(skipped->ranges[i]));
    const unsigned end = offsetOf(clang_getRangeEnd(skipped->ranges[i]));
    tokens.erase(std::remove_if(tokens.begin(), tokens.end(),
                                [&](const Token &t) { return begin <= t.offset && t.offset < end; }),
                 tokens.end());
  }
  clang_disposeSourceRangeList(skipped);
}

/// "elem(*a)" with its quotes -> elem(*a); constraints hold no escapes.
std::string unquote(const std::string &literal) {
  const std::size_t first = literal.find('"'), last = literal.rfind('"');
  return first == std::string::npos || last <= first ? literal : literal.substr(first + 1, last - first - 1);
}

} // namespace

std::vector<std::string> findConstraints(CXTranslationUnitImpl *unit, const void *cursor) {
  const CXCursor definition = *static_cast<const CXCursor *>(cursor);
  const CXSourceRange extent = clang_getCursorExtent(definition);
  CXFile file = nullptr;
  offsetOf(clang_getRangeStart(extent), &file);
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
