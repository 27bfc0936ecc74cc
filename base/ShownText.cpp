#include "base/ShownText.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Returns the bytes of the character at the front of `text`; 0 if it is no UTF-8.
std::size_t characterLength(std::string_view text, char32_t &character) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || text.size() < length)
    return 0;
  character = length == 1 ? first : first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!isContinuation(text[i]))
      return 0;
    character = character << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
  }
  const bool tooLong = (length == 3 && character < 0x800) || (length == 4 && character < 0x10000);
  return tooLong || character > 0x10FFFF || (character >= 0xD800 && character < 0xE000) ? 0 : length;
}

bool isActedOn(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

} // namespace

std::string shownText(std::string_view text, LineEnds lines) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    char32_t character = 0;
    const std::size_t length = characterLength(text, character);
    const bool kept =
        length != 0 && (!isActedOn(character) || (lines == LineEnds::Kept && (character == '\n' || character == '\t')));
    for (const char c : text.substr(0, std::max<std::size_t>(length, 1)))
      if (kept)
        out += c;
      else
        out.append(
            {'\\', 'x', kDigits[static_cast<unsigned char>(c) / 16], kDigits[static_cast<unsigned char>(c) % 16]});
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string shownName(std::string_view name) { return shortened(shownText(name), kMaxNameColumns); }

std::string shortened(const std::string &text, std::size_t width) {
  if (text.size() <= width)
    return text;
  if (width <= 3)
    return text.substr(0, width);
  std::size_t front = (width - 3) / 2, back = text.size() - (width - 3 - front);
  while (front > 0 && isContinuation(text[front])) // so that no character is cut
    --front;
  while (back < text.size() && isContinuation(text[back]))
    ++back;
  return text.substr(0, front) + "..." + text.substr(back);
}

} // namespace popscope
