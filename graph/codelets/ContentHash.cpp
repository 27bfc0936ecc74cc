#include "graph/codelets/ContentHash.hpp"

#include <fmt/format.h>

namespace popscope {

// One FNV-1a step: xor, then multiply by the 128-bit prime 2^88 + 0x13b.
void ContentHash::addByte(unsigned char byte) {
  low_ ^= byte;
  __extension__ typedef unsigned __int128 Wide;
  const Wide value = (static_cast<Wide>(high_) << 64) | low_;
  const Wide product = (value << 88) + value * 0x13b;
  high_ = static_cast<std::uint64_t>(product >> 64);
  low_ = static_cast<std::uint64_t>(product);
}

ContentHash &ContentHash::add(const std::string &text) {
  std::uint64_t length = text.size();
  for (int i = 0; i < 8; ++i, length >>= 8)
    addByte(static_cast<unsigned char>(length & 0xff));
  for (const char c : text)
    addByte(static_cast<unsigned char>(c));
  return *this;
}

std::string ContentHash::hex() const { return fmt::format("{:016x}{:016x}", high_, low_); }

} // namespace popscope
