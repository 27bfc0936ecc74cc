// Text for a terminal: its width, and paragraphs that fit into it.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

namespace popscope {

/// Returns the width of standard output in characters: COLUMNS if it is 20 to 10,000, else the terminal's width;
/// nothing if standard output is no terminal.
[[nodiscard]] std::optional<std::size_t> terminalColumns();

/// Returns the words of `text` in lines of at most `columns` characters. Every line after the first begins with
/// `indent` spaces, and the caller has written `indent` characters before the first. Longer words keep a line each.
[[nodiscard]] std::string wrapWords(const std::string &text, std::size_t columns, std::size_t indent);

} // namespace popscope
