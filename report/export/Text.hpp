// How other formats spell text: quoted for JSON, CSV, XML, DOT and LaTeX. Names of a profile can hold anything; what
// comes out is always UTF-8 that the format's readers take.
#pragma once
#include <string>
#include <string_view>

namespace popscope {

/// With quotation marks. Control characters other than line breaks and tabs, and bytes that are no UTF-8, become
/// U+FFFD: readers of traces pass \u escapes through unread.
[[nodiscard]] std::string jsonString(std::string_view text);
/// A cell by RFC 4180, in quotation marks where needed.
[[nodiscard]] std::string csvText(std::string_view text);
/// For XML 1.0, of elements and attributes.
[[nodiscard]] std::string xmlText(std::string_view text);
/// With quotation marks; line breaks stay line breaks of the label.
[[nodiscard]] std::string dotText(std::string_view text);
[[nodiscard]] std::string latexText(std::string_view text);
/// Valid UTF-8 without control characters; what is neither becomes U+FFFD, a line break or tab a space.
[[nodiscard]] std::string plainText(std::string_view text);

} // namespace popscope
