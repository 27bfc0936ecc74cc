#include "base/ShownText.hpp"

#include "base/Utf8.hpp"

#include <algorithm>

namespace popscope {
namespace {

bool isActedOn(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0x061C || c == 0xFEFF;
}

/// Returns `text` with \xNN in place of each byte that is not UTF-8 or belongs to a character for which `replaced` is
/// true.
template <class Replaced> std::string escaped(std::string_view text, Replaced replaced) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    char32_t character = 0;
    const std::size_t length = characterLength(text, character);
    const bool kept = length != 0 && !replaced(character);
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

} // namespace

std::string shownText(std::string_view text, LineEnds lines) {
  return escaped(
      text, [lines](char32_t c) { return isActedOn(c) && (lines == LineEnds::Escaped || (c != '\n' && c != '\t')); });
}

std::string shellWord(const std::string &text) {
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-+:,=@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos)
    return text;
  const bool escapes = shownText(text) != text;
  std::string word;
  for (const char c : text)
    if (c == '\'')
      word += escapes ? "\\'" : "'\\''";
    else if (c == '\\' && escapes)
      word += "\\\\";
    else
      word += c;
  return (escapes ? "$'" : "'") + shownText(word) + "'";
}

std::string shownJson(std::string json) {
  const auto isAscii = [](char c) { return static_cast<unsigned char>(c) < 0x7F; };
  if (std::all_of(json.begin(), json.end(), isAscii))
    return json;
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(json.size());
  for (std::string_view rest = json; !rest.empty();) {
    char32_t c = 0;
    const std::size_t length = std::max<std::size_t>(characterLength(rest, c), 1);
    if (c >= 0x7F && isActedOn(c)) // below 0x7F, a JSON text has no control characters except line breaks and tabs
      out.append({'\\', 'u', kDigits[c >> 12 & 15], kDigits[c >> 8 & 15], kDigits[c >> 4 & 15], kDigits[c & 15]});
    else
      out.append(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  return out;
}

std::string shownName(std::string_view name) { return shortened(shownText(name), kMaxNameColumns); }

namespace {

std::string boundedLine(std::string_view line) {
  if (line.size() <= kMaxMessageBytes)
    return std::string(line);
  std::size_t front = kMaxMessageBytes / 2, back = line.size() - kMaxMessageBytes / 2;
  for (int i = 0; i < 3 && isContinuation(line[front]); ++i)
    --front;
  for (int i = 0; i < 3 && isContinuation(line[back]); ++i)
    ++back;
  return std::string(line.substr(0, front)) + " ... (" + std::to_string(back - front) + " bytes are left out) ... " +
         std::string(line.substr(back));
}

} // namespace

std::string boundedMessage(std::string_view text) {
  std::string result;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    result += boundedLine(text.substr(0, end)) + '\n';
    text.remove_prefix(end + 1);
  }
  return result + boundedLine(text);
}

std::string validUtf8(std::string_view text) {
  return escaped(text, [](char32_t) { return false; });
}

std::string shortened(const std::string &text, std::size_t width) {
  constexpr std::size_t kDots = 3;
  const std::size_t all = displayColumns(text);
  if (all <= width)
    return text;
  if (width <= kDots)
    return columnSlice(text, 0, width);
  const std::string front = columnSlice(text, 0, (width - kDots) / 2);
  const std::size_t back = width - kDots - displayColumns(front);
  return front + "..." + columnSlice(text, all - back, back);
}

} // namespace popscope
