// Cuts a packing problem into sections for the search. Each section stands for a set of items that exist at the same
// time. If each item has one span, the set is maximal: no other section contains all of its items. In this case, a time
// at which only some items of a set exist has no section of its own. Sizes are in a unit that divides every size.
#pragma once
#include "liveness/layout/PackProblem.hpp"

namespace popscope {

struct SectionRange {
  std::uint32_t begin = 0, end = 0;
};
/// The problem in sections. Items are numbered in the order of their first sections. The items of section s are
/// members[firstMember[s] .. firstMember[s + 1]).
struct PackSections {
  std::uint64_t unit = 1; // the size of a unit in bytes
  std::uint32_t numSections = 0;
  std::vector<std::uint32_t> original;        // per item: its index in the problem
  std::vector<std::uint32_t> size, alignment; // in units
  std::vector<std::uint64_t> life;            // per item: the number of times (not sections) at which the item exists
  std::vector<SectionRange> hull;             // per item: the range from its first to its last section
  std::vector<SectionRange> ranges;           // ranges of sections; those of item i are ranges[firstRange[i] ..
                                              // firstRange[i + 1])
  std::vector<std::uint32_t> firstRange, firstMember, members;
  std::vector<std::uint32_t> firstMeeting, meeting; // the items that meet item i in time are meeting[firstMeeting[i] ..
                                                    // firstMeeting[i + 1])
  std::vector<std::uint32_t> firstAt; // per section s: the first item whose hull begins at s or later; numSections + 1
                                      // entries
  std::vector<std::uint32_t> total;   // per section: the sum of the sizes of its items, in units
  std::vector<std::uint32_t> fullest; // per item: the largest `total` of its sections

  [[nodiscard]] std::size_t numItems() const { return size.size(); }
};

/// Cuts the problem. The result leaves out items that never exist. Returns no items if the problem is too large to
/// search. A problem is too large if the sum of the sizes and alignments in units has more than 31 bits, or if the item
/// counts of all sections add up to more than 2^22. Cost: quadratic in the number of items that exist at the same time.
PackSections cutIntoSections(const PackProblem &problem);

} // namespace popscope
