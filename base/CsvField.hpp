// RFC 4180.
#pragma once
#include <string>

namespace popscope {

/// A field of comma-separated values: in quotes where it has a comma, a quote or a line's end.
inline std::string csvField(const std::string &text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

} // namespace popscope
