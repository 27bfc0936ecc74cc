// Base64 (RFC 4648, with padding): encodes bytes as text, because HTML pages and ProfileValues cannot contain arbitrary
// bytes.
#pragma once
#include <array>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace popscope {

/// A writer of base64. Keeps the one or two bytes of an incomplete group of three until further bytes arrive.
class Base64 {
public:
  /// Makes a writer. `out` must outlive the writer.
  explicit Base64(std::ostream &out) : out_(out) {}
  void put(std::string_view bytes);
  /// Writes the text of all complete groups to `out`. finish() also writes the text of an incomplete group, with
  /// padding.
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
/// Decodes base64. Returns no value if the length is not a multiple of 4, or if a character is not a base64 digit. Up
/// to two "=" may end the text.
[[nodiscard]] std::optional<std::string> fromBase64(std::string_view text);

} // namespace popscope
