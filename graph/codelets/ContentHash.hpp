// ContentHash: the 128-bit FNV-1a hash of a sequence of strings. The hash also covers the length of each string. The
// compile cache uses the hash for keys, and readers of archives use the hash to find damaged bytes. The hash is not
// cryptographic.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace popscope {

class ContentHash {
public:
  ContentHash &add(const std::string &text);
  /// Returns 32 hexadecimal digits.
  [[nodiscard]] std::string hex() const;

private:
  void addBytes(std::string_view bytes);
  std::uint64_t high_ = 0x6c62272e07bb0142, low_ = 0x62b821756295c58d;
};

} // namespace popscope
