#include "base/TileGaps.hpp"

#include <algorithm>

namespace popscope {
namespace {

/// Returns the member of `gaps` that counts the addresses [begin, above.begin), which nothing uses at any step. `below`
/// is null if nothing lies below these addresses.
std::uint64_t &causeOf(std::uint64_t begin, const PlacedBytes *below, const PlacedBytes &above, TileSizes sizes,
                       TileGaps &gaps) {
  const std::uint64_t alignment = std::max<std::uint64_t>(above.alignment, 1);
  if (above.begin - begin < alignment && above.begin % alignment == 0)
    return gaps.alignment;
  if (below == nullptr || below->code != above.code || below->interleaved != above.interleaved ||
      above.begin == sizes.memory)
    return gaps.regions;
  return sizes.element != 0 && above.begin % sizes.element == 0 ? gaps.elements : gaps.fragmentation;
}

} // namespace

bool isCodeCategory(std::string_view key) { return key == "sharedCodeStorage" || key.ends_with("Code"); }

// Makes one pass in the order of addresses. `end` is the highest end of all places so far. `endAtWorst` is the highest
// end of the places that are occupied at the worst step.
TileGaps gapsOf(std::span<const PlacedBytes> places, TileSizes sizes) {
  TileGaps gaps;
  std::uint64_t end = 0, endAtWorst = 0, empty = 0, occupied = 0;
  const PlacedBytes *below = nullptr;
  for (const PlacedBytes &place : places) {
    if (place.begin > end) {
      causeOf(end, below, place, sizes, gaps) += place.begin - end;
      empty += place.begin - end;
    }
    if (place.end > end) {
      end = place.end;
      below = &place;
    }
    if (place.atWorst && place.end > endAtWorst) {
      occupied += place.end - std::max(endAtWorst, place.begin);
      endAtWorst = place.end;
    }
  }
  gaps.fragmentation += end - occupied - empty; // occupied at other steps
  return gaps;
}

} // namespace popscope
