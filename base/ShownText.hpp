// Makes text from a program or a file, such as a name, safe to show on a terminal.
//
//   "red\x1b[0m"  ->  the same with the four characters \x1b in place of the escape
#pragma once
#include <string>
#include <string_view>

namespace popscope {

enum class LineEnds : bool { Escaped, Kept };

/// Returns `text` with each byte that a terminal acts on, or that is no UTF-8, as \xNN: control characters (also U+0080
/// to U+009F), marks that change the direction of text, and line ends and tabs unless they are kept.
[[nodiscard]] std::string shownText(std::string_view text, LineEnds lines = LineEnds::Escaped);
/// Returns a name for a table row: if it has more than kMaxNameColumns characters, without its middle.
[[nodiscard]] std::string shownName(std::string_view name);
constexpr std::size_t kMaxNameColumns = 160;

/// Shortens the middle of `text` to `width` bytes, at characters: "Layer1/...iply".
[[nodiscard]] std::string shortened(const std::string &text, std::size_t width);

} // namespace popscope
