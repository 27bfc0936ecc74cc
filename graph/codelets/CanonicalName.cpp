#include "graph/codelets/CanonicalName.hpp"

#include "graph/codelets/CodeletSet.hpp"
#include "graph/codelets/Demangle.hpp"
#include "graph/codelets/Words.hpp"

#include <cctype>
#include <set>

namespace popscope {
namespace {

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
std::size_t closing(const std::string &text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i != text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0)
      return i;
  }
  return std::string::npos;
}

/// Returns the end of a number with an optional sign, or `at` if there is no number.
std::size_t endOfNumber(const std::string &text, std::size_t at) {
  std::size_t end = at + (at < text.size() && text[at] == '-' ? 1 : 0);
  const std::size_t digits = end;
  while (end < text.size() && isDigit(text[end]))
    ++end;
  return end == digits ? at : end;
}

bool isIntegerType(const std::string &type) {
  static const std::set<std::string> kTypes = {"char",           "signed char", "unsigned char",    "short",
                                               "unsigned short", "wchar_t",     "char16_t",         "char32_t",
                                               "char8_t",        "__int128",    "unsigned __int128"};
  return kTypes.count(type) != 0;
}

/// Simplifies values, which the demangler writes as 4u, (short)4 and (ns::Op)1.
std::string plainValues(const std::string &text, const EnumeratorName &enumerator) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const bool starts = i != 0 && (text[i - 1] == '<' || text[i - 1] == ',' || text[i - 1] == '{');
    const std::size_t close = starts && text[i] == '(' ? closing(text, i) : std::string::npos;
    const std::size_t number = close == std::string::npos ? i : close + 1;
    const std::size_t end = starts ? endOfNumber(text, number) : number;
    if (end == number) { // there is no value here
      result += text[i++];
      continue;
    }
    const std::string value = text.substr(number, end - number);
    if (close == std::string::npos)
      result += value;
    else if (isIntegerType(text.substr(i + 1, close - i - 1)))
      result += value;
    else {
      const std::string literal = text.substr(i, end - i), name = enumerator(literal);
      result += name.empty() ? literal : name;
    }
    for (i = end; close == std::string::npos && i < text.size() && (text[i] == 'u' || text[i] == 'l');)
      ++i; // suffix
  }
  return result;
}

/// Turns an argument "float const" into "const float". The demangler writes const last; programmers and Poplar write
/// const first.
std::string constFirst(const std::string &text) {
  static const std::string kConst = " const";
  std::string result = text;
  for (std::size_t at = result.find(kConst); at != std::string::npos; at = result.find(kConst, at + 1)) {
    const std::size_t behind = at + kConst.size();
    std::size_t begin = at;
    while (begin != 0 && (isWordChar(result[begin - 1]) || result[begin - 1] == ':' || result[begin - 1] == ' '))
      --begin;
    if (begin == at || (behind < result.size() && result[behind] != ',' && result[behind] != '>'))
      continue; // const stays in its place after a pointer or a template, or before another word
    result = result.substr(0, begin) + "const " + result.substr(begin, at - begin) + result.substr(behind);
  }
  return result;
}

} // namespace

std::string canonicalVertexName(const std::string &mangled, const EnumeratorName &enumerator) {
  return constFirst(plainValues(normaliseVertexName(demangled(mangled)), enumerator));
}

} // namespace popscope
