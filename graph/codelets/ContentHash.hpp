// ContentHash: a 128-bit hash (XXH3) of a sequence of strings. The hash also covers the length of each string. The
// compile cache uses the hash for keys, and readers of archives use the hash to find damaged bytes. The hash is not
// cryptographic.
#pragma once
#include <cstdint>
#include <string>

namespace popscope {

class ContentHash {
public:
  ContentHash &add(const std::string &text);
  /// Returns 32 hexadecimal digits.
  [[nodiscard]] std::string hex() const;

private:
  std::uint64_t high_ = 0, low_ = 0;
};

} // namespace popscope
