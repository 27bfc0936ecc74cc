// Quotes text for JSON, XML, DOT and LaTeX. Names in a profile can contain any bytes; the result is always UTF-8 that
// readers of the format accept.
#pragma once
#include <string>
#include <string_view>

namespace popscope {

/// Returns `text` as a JSON string, including the quotation marks. Bytes that shownText() replaces become \xNN, as in
/// text views; line breaks and tabs become JSON escapes. The function uses \xNN because some readers of traces show \u
/// escapes undecoded.
[[nodiscard]] std::string jsonString(std::string_view text);
/// Returns `text` with the escapes for elements and attribute values of XML 1.0.
[[nodiscard]] std::string xmlText(std::string_view text);
/// Returns a DOT string with quotation marks. Line breaks stay line breaks of the label.
[[nodiscard]] std::string dotText(std::string_view text);
[[nodiscard]] std::string latexText(std::string_view text);
/// Returns valid UTF-8 without control characters. Line breaks and tabs become spaces. Other bytes that shownText()
/// replaces become \xNN.
[[nodiscard]] std::string plainText(std::string_view text);

} // namespace popscope
