// Escapes characters of a text, so that the text is safe for output on a terminal. The text, such as a name, comes from
// a program or a file.
//
//   "red\x1b[0m"  ->  the same text with the four characters \x1b in place of the escape character
#pragma once
#include <string>
#include <string_view>

namespace popscope {

enum class LineEnds : bool { Escaped, Kept };

/// Returns `text` with \xNN in place of each byte that controls a terminal or is not UTF-8. These characters control a
/// terminal: control characters (including U+0080 to U+009F), marks that change the direction of text, line and
/// paragraph separators, and the byte order mark. If `lines` is Kept, the characters \n and \t stay.
[[nodiscard]] std::string shownText(std::string_view text, LineEnds lines = LineEnds::Escaped);
/// Returns `text` as one word of a shell command: unchanged, or in single quotes if needed. A text with bytes that
/// shownText() replaces gets the quotes of bash, zsh and ksh: $'red\x1b[0m'.
[[nodiscard]] std::string shellWord(const std::string &text);
/// Returns a JSON text with \uNNNN in place of each character that shownText() replaces. Line breaks and tabs between
/// values stay. Control characters inside of strings must already be escapes, as JSON requires.
[[nodiscard]] std::string shownJson(std::string json);
/// Returns `text` with \xNN in place of each byte that is not UTF-8, for formats that can contain all other characters.
[[nodiscard]] std::string validUtf8(std::string_view text);
/// Returns shownText(name) for a row of a table. If the name takes more than kMaxNameColumns columns, leaves out the
/// middle of the name.
[[nodiscard]] std::string shownName(std::string_view name);
constexpr std::size_t kMaxNameColumns = 160;

/// Shortens each line of more than kMaxMessageBytes bytes in a message: leaves out bytes in the middle of the line, and
/// states the number of these bytes. So a message can quote a name of any length, and still begins with what happened
/// and ends with the next step. Never keeps only a part of a character.
[[nodiscard]] std::string boundedMessage(std::string_view text);
constexpr std::size_t kMaxMessageBytes = 8192; // enough for the list of all engine options, and for a path of PATH_MAX

/// Shortens `text` to `width` columns by leaving out characters in the middle: "Layer1/...iply". If `width` is at most
/// 3, keeps only the beginning of the text.
[[nodiscard]] std::string shortened(const std::string &text, std::size_t width);

} // namespace popscope
