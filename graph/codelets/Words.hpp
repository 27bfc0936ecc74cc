// Character and text functions that several parsers and writers of C++ share.
#pragma once
#include <cctype>
#include <string>

namespace popscope {

/// Returns whether c is a character of an identifier.
inline bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Removes each occurrence of `part` from `text`.
inline void removeAll(std::string &text, const std::string &part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

/// Returns the text as a C++ string literal on one line: a space replaces each end of a line.
inline std::string literalOf(const std::string &text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      literal += '\\';
    literal += c == '\n' ? ' ' : c;
  }
  return literal + "\"";
}

} // namespace popscope
