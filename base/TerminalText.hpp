// The width of a terminal, and paragraphs wrapped to it.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

namespace popscope {

/// Returns the width of standard output in characters: COLUMNS if it is between 20 and 10,000, or else the width of the
/// terminal. Returns no value if standard output is not a terminal.
[[nodiscard]] std::optional<std::size_t> terminalColumns();

/// Returns the words of `text` in lines of at most `columns` characters. Every line after the first begins with
/// `indent` spaces. The caller must have written `indent` characters before the first line. A longer word gets a line
/// of its own.
[[nodiscard]] std::string wrapWords(const std::string &text, std::size_t columns, std::size_t indent);

} // namespace popscope
