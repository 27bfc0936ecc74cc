// The word of tile memory.
#pragma once
#include <cstdint>

namespace popscope {

/// Bytes of a word: what exchanges and host packets move, and where homes, instructions and vertex states begin.
inline constexpr std::uint32_t kWordBytes = 4;

} // namespace popscope
