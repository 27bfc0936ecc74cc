#include "report/export/Text.hpp"

#include "base/ShownText.hpp"

namespace popscope {
namespace {

/// Calls one(char) for each printable ASCII character, and for \n, \r and \t. If shownText replaces a character by
/// \xNN, calls one() for each character of this replacement. Appends all other characters to `out`.
template <class One> void translate(std::string_view text, std::string &out, One one) {
  std::size_t from = 0;
  const auto put = [&](const std::string &safe) {
    for (const char c : safe)
      if (static_cast<unsigned char>(c) < 0x80)
        one(c);
      else
        out += c;
  };
  for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', from)) {
    put(shownText(text.substr(from, at - from), LineEnds::Kept));
    one('\r');
    from = at + 1;
  }
  put(shownText(text.substr(from), LineEnds::Kept));
}

} // namespace

std::string jsonString(std::string_view text) {
  std::string out = "\"";
  translate(text, out, [&](char c) {
    switch (c) {
    case '"': out += "\\\""; break;
    case '\\': out += "\\\\"; break;
    case '\n': out += "\\n"; break;
    case '\r': out += "\\r"; break;
    case '\t': out += "\\t"; break;
    default: out += c;
    }
  });
  return out + '"';
}

std::string xmlText(std::string_view text) {
  std::string out;
  translate(text, out, [&](char c) {
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    case '\r': out += "&#13;"; break; // a raw one would move the cursor of a terminal
    default: out += c;
    }
  });
  return out;
}

std::string dotText(std::string_view text) {
  std::string out = "\"";
  translate(text, out, [&](char c) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c == '\r' || c == '\t' ? ' ' : c;
  });
  return out + '"';
}

std::string latexText(std::string_view text) {
  std::string out;
  translate(text, out, [&](char c) {
    switch (c) {
    case '\\': out += "\\textbackslash{}"; break;
    case '~': out += "\\textasciitilde{}"; break;
    case '^': out += "\\textasciicircum{}"; break;
    case '<': out += "\\textless{}"; break;
    case '>': out += "\\textgreater{}"; break;
    case '|': out += "\\textbar{}"; break;
    case '"': out += "\\textquotedbl{}"; break;
    case '&':
    case '%':
    case '$':
    case '#':
    case '_':
    case '{':
    case '}':
      out += '\\';
      out += c;
      break;
    case '\n':
    case '\r':
    case '\t': out += ' '; break;
    default: out += c;
    }
  });
  return out;
}

std::string plainText(std::string_view text) {
  std::string out;
  translate(text, out, [&](char c) { out += c == '\n' || c == '\r' || c == '\t' ? ' ' : c; });
  return out;
}

} // namespace popscope
