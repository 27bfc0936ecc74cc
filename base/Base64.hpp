// Base64 (RFC 4648, with padding): bytes as text, for pages and trees that hold text only.
#pragma once
#include <array>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace popscope {

/// Writes base64; keeps the one or two bytes that do not fill a group until more come.
class Base64 {
public:
  /// `out` must outlive this.
  explicit Base64(std::ostream &out) : out_(out) {}
  void put(std::string_view bytes);
  /// Writes what is complete; the rest follows with finish().
  void write();
  void finish();

private:
  void flush();
  std::ostream &out_;
  std::array<unsigned, 3> group_{};
  int held_ = 0;
  std::string text_;
};

[[nodiscard]] std::string toBase64(std::string_view bytes);
/// Returns nothing for text that is not base64.
[[nodiscard]] std::optional<std::string> fromBase64(std::string_view text);

} // namespace popscope
