// Fields of comma-separated values (RFC 4180).
#pragma once
#include "base/ShownText.hpp"

#include <string>

namespace popscope {

/// Returns the text as a field, in quotes if it contains a comma, a quote or a line end. Bytes that are not UTF-8 or
/// that control a terminal become \xNN, as shownText() with LineEnds::Kept replaces them: line ends and tabs stay.
inline std::string csvField(const std::string &field) {
  const std::string text = shownText(field, LineEnds::Kept);
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

} // namespace popscope
