#include "graph/codelets/ContentHash.hpp"

#define XXH_INLINE_ALL // no library to link
#include <xxhash.h>

#include <array>
#include <fmt/format.h>

namespace popscope {

// Hashes each string alone, and then the hash so far, the length of the string and its hash. So a string needs no copy,
// and "ab" + "c" differs from "a" + "bc". The result is the same on each machine that stores the low byte first.
ContentHash &ContentHash::add(const std::string &text) {
  const XXH128_hash_t own = XXH3_128bits(text.data(), text.size());
  const std::array<std::uint64_t, 5> chain = {high_, low_, text.size(), own.high64, own.low64};
  const XXH128_hash_t hash = XXH3_128bits(chain.data(), sizeof chain);
  high_ = hash.high64;
  low_ = hash.low64;
  return *this;
}

std::string ContentHash::hex() const { return fmt::format("{:016x}{:016x}", high_, low_); }

} // namespace popscope
