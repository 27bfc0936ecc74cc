// Depth-first search for a packing below a given height. Exact: with enough nodes it finds one or shows that there is
// none.
//
// Items are placed from the bottom up. A node takes a section whose floor is the lowest and asks which item lies there:
// each item that can rest on that floor, else nothing (the floor rises to where the next one can be). Bounds: in each
// section the floor and what is still to come must fit below the height, and some item that is still to come must be
// able to start low enough. Times that no item spans any more split the rest into parts that are solved alone. States
// shown hopeless are remembered by a 64-bit hash of the items' lowest addresses: a collision could hide a solution,
// never make a wrong one. Ideas from: MiniMalloc (sections, splitting, waste bounds), exact strip packing (the lowest
// section decides).
#pragma once
#include "liveness/layout/PackSections.hpp"

#include <optional>

namespace popscope {

/// Which section on the lowest floor decides: the one with the least free height, with the fewest items that can lie
/// there, or, where nothing is free, the latter.
enum class SectionChoice : std::uint8_t { LeastFree, FewestItems, FewestItemsWhereFull };
/// Which item is tried first: by longest life, by fullest section, by area, in three orders.
enum class ItemChoice : std::uint8_t { LifeAreaFullest, FullestAreaLife, FullestLifeArea, AreaFullest };
inline constexpr std::size_t kNumItemChoices = 4;

struct SearchSettings {
  std::uint32_t height = 0;     // units; no item may end above it
  std::uint64_t maxNodes = 0;   // gives up after so many
  std::uint64_t raiseAfter = 0; // not 0: after so many failed nodes the height grows and the search goes on
  std::uint32_t raiseBy = 0;    // units
  std::uint32_t maxHeight = 0;  // units; it grows to this at most, then the search gives up
  SectionChoice section = SectionChoice::LeastFree;
  ItemChoice item = ItemChoice::LifeAreaFullest;
  bool fromRight = false; // ties go to the latest section instead of the earliest
  double noise = 0;       // the keys of ItemChoice vary by this fraction
  std::uint64_t seed = 0; // of the noise
};
enum class SearchOutcome : std::uint8_t { Found, Impossible, GaveUp };
struct SearchResult {
  SearchOutcome outcome = SearchOutcome::GaveUp;
  std::uint64_t nodes = 0;
  std::vector<std::uint32_t> offsets; // units, by item of the sections; empty unless Found
};
/// What the attempts on one problem share: states known to be hopeless at their height, and memory that is not asked
/// for anew each time.
class SearchMemory {
public:
  SearchMemory() : known_(std::size_t(1) << 15) {}
  [[nodiscard]] bool contains(std::uint64_t state) const { return known_[state % known_.size()] == state; }
  void add(std::uint64_t state) { known_[state % known_.size()] = state; }

  struct Change {
    std::uint32_t what, before;
  };
  std::vector<Change> trail; // of the attempt that runs

private:
  std::vector<std::uint64_t> known_;
};

/// `memory` belongs to this problem; it may be shared by searches with other settings. Impossible is a proof (but for
/// collisions) unless the height grew.
SearchResult searchPacking(const PackSections &problem, const SearchSettings &settings, SearchMemory &memory);

} // namespace popscope
