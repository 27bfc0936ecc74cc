#include "report/export/Text.hpp"

#include <cstdint>

namespace popscope {
namespace {

constexpr const char *kReplacement = "\xEF\xBF\xBD"; // U+FFFD

/// Returns the bytes of the UTF-8 sequence at `at`; 0 = there is none (overlong, surrogate, past U+10FFFF or
/// truncated).
std::size_t sequenceAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned lead = byte(at);
  if (lead < 0x80)
    return 1;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4)
    return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(at + i) & 0xC0) != 0x80)
      return 0;
  const unsigned second = byte(at + 1);
  const bool wrong = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                     (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return wrong ? 0 : size;
}

/// Calls one(char) for printable ASCII and \n \r \t; appends everything else to `out` in a safe form.
template <class One> void translate(std::string_view text, std::string &out, One one) {
  for (std::size_t at = 0; at < text.size();) {
    const auto c = static_cast<unsigned char>(text[at]);
    const std::size_t size = sequenceAt(text, at);
    const bool control = (c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 0x7F;
    if (size == 0 || control)
      out += kReplacement;
    else if (size == 1)
      one(text[at]);
    else
      out.append(text.substr(at, size));
    at += size == 0 ? 1 : size;
  }
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

std::string csvText(std::string_view text) {
  std::string out;
  bool quotes = false;
  translate(text, out, [&](char c) {
    quotes = quotes || c == ',' || c == '"' || c == '\n' || c == '\r';
    out += c;
    if (c == '"')
      out += c;
  });
  return quotes ? '"' + out + '"' : out;
}

std::string xmlText(std::string_view text) {
  std::string out;
  translate(text, out, [&](char c) {
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
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
