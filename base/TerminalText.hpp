// Finds the width of a terminal, and wraps paragraphs to this width.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

namespace popscope {

/// Returns the width of standard output in columns. If the environment variable COLUMNS is a number from 20 to 10,000,
/// returns this number. Otherwise, returns the width of the terminal, or no value if standard output is not a terminal.
[[nodiscard]] std::optional<std::size_t> terminalColumns();

/// Returns the words of `text` in lines of at most `columns` columns, or `indent` + 20 columns if this is more. Every
/// line after the first begins with `indent` spaces. The caller must have written `indent` characters before the first
/// line. A word that is longer than a line gets a line of its own.
[[nodiscard]] std::string wrapWords(const std::string &text, std::size_t columns, std::size_t indent);

/// The treatment of a word that is longer than a line. Kept: the word gets a line of its own, from which a user can
/// copy it. Broken: the word continues on further lines; a line ends after a "/" or ")" if possible.
enum class LongWords : bool { Kept, Broken };

/// Breaks the text between words into lines of at most `columns` columns. If `columns` is 0, there is no maximum. Keeps
/// the indent of the first line; every later line begins with `indent` spaces. Never breaks a long word if the indent
/// leaves fewer than 8 columns for the word.
[[nodiscard]] std::string wrapLine(const std::string &text, std::size_t columns, std::size_t indent,
                                   LongWords longWords = LongWords::Kept);

/// Returns shownText(text) in the form for standard error. If standard error is a terminal, wraps the text to the width
/// of the terminal, and begins each line after the first with two spaces. COLUMNS overrides the width of the terminal.
/// If standard error is not a terminal, does not wrap the text.
[[nodiscard]] std::string messageText(const std::string &text);
/// Writes the text to standard output. Returns "", or the message for the user if the text cannot be written.
[[nodiscard]] std::string writeOutput(const std::string &text);
/// Prints messageText() of each line of `text` on standard error.
void printMessage(const std::string &text);

} // namespace popscope
