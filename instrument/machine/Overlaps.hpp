// Overlaps: finds two uses of the same bytes by different users if at least one of the two uses is a write.
//
//   home 3   user 0 reads  [0 ........ 16)
//            user 1 writes        [8 ........ 24)    -> conflict at byte 8
#pragma once
#include "base/Ids.hpp"
#include "base/Units.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace popscope {

/// A use of the bytes [begin, end) of a home. Two uses by the same user never conflict.
struct ByteUse {
  HomeId home;
  Bytes begin, end; // offsets in the home
  std::uint32_t user = 0;
  bool writes = false;
};
struct ByteConflict {
  ByteUse first, second; // sorted by begin, then end, then user
  Bytes begin, end;      // the bytes that both uses share
};

/// Returns the first conflict, in the order of homes and then of bytes, or no value if there is none. Ignores empty
/// uses. Cost: O(n log n) for n uses.
std::optional<ByteConflict> findConflict(std::vector<ByteUse> uses);

} // namespace popscope
