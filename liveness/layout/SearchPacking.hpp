// Depth-first search for a packing within a given height. The search is exact: with enough nodes, it finds a packing
// within the height or proves that there is no such packing.
//
// Idea: the search places items from the bottom up. The floor of a section is the lowest address that an unplaced item
// of the section can still take. A node takes a section with the lowest floor and tries each item that can rest on this
// floor. Finally, the node tries to leave the floor empty. The floor then rises to the lowest address that an unplaced
// item of the section can still take. Bounds: in each section, the floor plus the sizes of the unplaced items must not
// exceed the height. In addition, some unplaced item must be able to start so low that all unplaced items of the
// section fit above the start of this item. Splitting: a point in time that lies inside the life of no unplaced item
// divides the problem into two independent parts. Known states: for each state without a solution, the search stores a
// 64-bit hash of the items' lowest addresses. A hash collision may hide a solution, but never gives a wrong solution.
//
// Sources: MiniMalloc (sections, splitting, waste bounds) and exact strip packing (the lowest section decides).
#pragma once
#include "liveness/layout/PackSections.hpp"

#include <optional>

namespace popscope {

/// The section that a node takes if several sections have the lowest floor. LeastFree: the section with the least free
/// height (the height minus the section's floor and unplaced items). FewestItems: the section with the fewest items
/// that can lie on the floor. FewestItemsWhereFull: like FewestItems, but sections without free height come first.
enum class SectionChoice : std::uint8_t { LeastFree, FewestItems, FewestItemsWhereFull };
/// The order in which a node tries the items. The name of a choice lists the keys of the order, most important first.
/// Life: longest life first. Area: largest area (bytes times life) first. Fullest: item in the fullest section first.
enum class ItemChoice : std::uint8_t { LifeAreaFullest, FullestAreaLife, FullestLifeArea, AreaFullest };
inline constexpr std::size_t kNumItemChoices = 4;

struct SearchSettings {
  std::uint32_t height = 0;     // in units; no item may end above this height
  std::uint64_t maxNodes = 0;   // the search gives up after this number of nodes
  std::uint64_t raiseAfter = 0; // if not 0: the height grows after this number of failed nodes, or when the search has
                                // proved that there is no packing within the height. The search then continues
  std::uint32_t raiseBy = 0;    // in units; the increase of the height each time
  std::uint32_t maxHeight = 0;  // in units; the height does not grow above this limit
  SectionChoice section = SectionChoice::LeastFree;
  ItemChoice item = ItemChoice::LifeAreaFullest;
  bool fromRight = false; // among equal sections, a node takes the latest section instead of the earliest
  double noise = 0;       // the keys of ItemChoice vary at random by at most this fraction
  std::uint64_t seed = 0; // seed of the noise
};
enum class SearchOutcome : std::uint8_t { Found, Impossible, GaveUp };
struct SearchResult {
  SearchOutcome outcome = SearchOutcome::GaveUp;
  std::uint64_t nodes = 0;
  std::vector<std::uint32_t> offsets; // in units, per item of the sections; empty unless the outcome is Found
};
/// Data that the attempts on one problem share: the known states, which have no solution at the height of the search,
/// and memory that the attempts reuse.
class SearchMemory {
public:
  SearchMemory() : known_(std::size_t(1) << 15) {}
  [[nodiscard]] bool contains(std::uint64_t state) const { return known_[state % known_.size()] == state; }
  void add(std::uint64_t state) { known_[state % known_.size()] = state; }

  struct Change {
    std::uint32_t what, before;
  };
  std::vector<Change> trail; // the changes of the current attempt, in order, so that the attempt can undo them

private:
  std::vector<std::uint64_t> known_;
};

/// Searches the problem. `memory` must serve only this problem; several searches of the problem with different settings
/// may use the same `memory`. If the height did not grow and no hashes collided, the result Impossible proves that
/// there is no packing within the height.
SearchResult searchPacking(const PackSections &problem, const SearchSettings &settings, SearchMemory &memory);

} // namespace popscope
