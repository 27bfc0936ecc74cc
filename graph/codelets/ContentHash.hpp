// ContentHash: 128-bit FNV-1a of a sequence of strings, for the compile cache and to recognise damaged archives.
// The hash is not cryptographic. Each string's length is part of the hash.
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
  void addByte(unsigned char byte);
  std::uint64_t high_ = 0x6c62272e07bb0142, low_ = 0x62b821756295c58d;
};

} // namespace popscope
