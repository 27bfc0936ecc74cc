// Characters of UTF-8 text, and the columns that they take on a terminal.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace popscope {

/// Returns whether the byte continues a character that an earlier byte begins.
[[nodiscard]] constexpr bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Returns the number of bytes of the character at the front of `text`, which must not be empty. Sets `character` to
/// the code point of this character. Returns 0 if no valid UTF-8 sequence is at the front of `text`.
[[nodiscard]] std::size_t characterLength(std::string_view text, char32_t &character);

/// Returns the number of columns that the text takes on a terminal. East Asian wide characters and most emoji take two
/// columns. These characters take no column: nonspacing and enclosing marks of the Basic Multilingual Plane, variation
/// selectors, zero-width spaces and joiners, and the vowels and final consonants that join a Hangul syllable. All other
/// characters take one column. A byte that is not UTF-8 takes one column. The locale has no influence.
[[nodiscard]] std::size_t displayColumns(std::string_view text);

/// Returns the characters that lie completely in the columns [from, from + count). A combining mark stays with the
/// character before it. If only one column of a wide character is in the range, the character is left out, so the
/// result can have fewer than `count` columns.
[[nodiscard]] std::string columnSlice(std::string_view text, std::size_t from, std::size_t count);

} // namespace popscope
