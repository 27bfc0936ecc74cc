#include "graph/codelets/ContentHash.hpp"

#include <fmt/format.h>

namespace popscope {

// One FNV-1a step per byte: xor, then multiply by the 128-bit prime 2^88 + 0x13b. Each step needs the result of the
// step before, so its latency is the cost of a byte. The low half depends only on itself: one short multiplication.
// Both halves stay in registers for a whole string.
void ContentHash::addBytes(std::string_view bytes) {
  __extension__ typedef unsigned __int128 Wide;
  std::uint64_t high = high_, low = low_;
  for (const char c : bytes) {
    low ^= static_cast<unsigned char>(c);
    const Wide product = static_cast<Wide>(low) * 0x13b;
    high = high * 0x13b + (low << 24) + static_cast<std::uint64_t>(product >> 64);
    low = static_cast<std::uint64_t>(product);
  }
  high_ = high;
  low_ = low;
}

ContentHash &ContentHash::add(const std::string &text) {
  char length[8];
  for (std::size_t i = 0; i < sizeof length; ++i)
    length[i] = static_cast<char>(static_cast<std::uint64_t>(text.size()) >> 8 * i & 0xff);
  addBytes({length, sizeof length});
  addBytes(text);
  return *this;
}

std::string ContentHash::hex() const { return fmt::format("{:016x}{:016x}", high_, low_); }

} // namespace popscope
