#include "base/Base64.hpp"

#include <ostream>
#include <sstream>

namespace popscope {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

void Base64::put(std::string_view bytes) {
  for (const char byte : bytes) {
    group_[held_++] = static_cast<unsigned char>(byte);
    if (held_ == 3)
      flush();
  }
}

void Base64::write() {
  out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  text_.clear();
}

void Base64::finish() {
  if (held_ != 0) {
    const auto missing = static_cast<std::size_t>(3 - held_);
    while (held_ < 3)
      group_[held_++] = 0;
    flush();
    text_.resize(text_.size() - missing);
    text_.append(missing, '=');
  }
  write();
}

void Base64::flush() {
  const unsigned value = group_[0] << 16 | group_[1] << 8 | group_[2];
  for (const int shift : {18, 12, 6, 0})
    text_ += kDigits[value >> shift & 63];
  held_ = 0;
}

std::string toBase64(std::string_view bytes) {
  std::ostringstream out;
  Base64 writer(out);
  writer.put(bytes);
  writer.finish();
  return out.str();
}

std::optional<std::string> fromBase64(std::string_view text) {
  if (text.size() % 4 != 0)
    return std::nullopt;
  for (int padding = 0; padding != 2 && !text.empty() && text.back() == '='; ++padding)
    text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  unsigned value = 0;
  int bits = 0;
  for (const char digit : text) {
    const std::size_t at = kDigits.find(digit);
    if (at == std::string_view::npos)
      return std::nullopt;
    value = (value << 6 | static_cast<unsigned>(at)) & 0xFFFF;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(value >> bits & 0xFF);
    }
  }
  return bytes;
}

} // namespace popscope
