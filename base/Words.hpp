// The size of a word of tile memory.
#pragma once
#include <cstdint>

namespace popscope {

/// Size of a word in bytes. A word is the unit of exchanges and host packets, and the alignment of homes, instructions
/// and vertex states.
inline constexpr std::uint32_t kWordBytes = 4;

} // namespace popscope
