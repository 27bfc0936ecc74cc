// Fields of comma-separated values (RFC 4180).
#pragma once
#include "base/ShownText.hpp"

#include <string>
#include <string_view>

namespace popscope {

/// Returns a number or a heading as a field. The field is in quotes if it contains a comma, a quote or a line end.
/// Writes \xNN in place of each byte that is not UTF-8 or that controls a terminal, as shownText() does. Keeps line
/// ends and tabs.
inline std::string csvField(const std::string &field) {
  const std::string text = shownText(field, LineEnds::Kept);
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// Returns a name or another text as a field, as csvField() does. If a text begins with =, +, -, @, a tab or a line
/// end, a spreadsheet may interpret the text as a formula. Names may come from untrusted sources. Therefore, csvText()
/// puts an apostrophe in front of such a text (https://owasp.org/www-community/attacks/CSV_Injection).
inline std::string csvText(const std::string &text) {
  const bool isFormula = !text.empty() && std::string_view("=+-@\t\r\n").find(text[0]) != std::string_view::npos;
  return csvField(isFormula ? "'" + text : text);
}

} // namespace popscope
