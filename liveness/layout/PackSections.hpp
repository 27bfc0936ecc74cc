// A packing problem cut into sections for the search: a section is a largest set of items that all exist together, so
// constraints between neighbouring times that say the same appear once. Sizes are in units that divide every size.
#pragma once
#include "liveness/layout/PackProblem.hpp"

namespace popscope {

struct SectionRange {
  std::uint32_t begin = 0, end = 0;
};
/// Items are numbered by their first section. Of section s: members[firstMember[s] .. firstMember[s + 1]).
struct PackSections {
  std::uint64_t unit = 1; // bytes
  std::uint32_t numSections = 0;
  std::vector<std::uint32_t> original;        // index in the problem
  std::vector<std::uint32_t> size, alignment; // in units
  std::vector<std::uint64_t> life;            // times, not sections
  std::vector<SectionRange> hull;             // first to last section
  std::vector<SectionRange> ranges;           // of item i: [firstRange[i], firstRange[i + 1])
  std::vector<std::uint32_t> firstRange, firstMember, members;
  std::vector<std::uint32_t> firstMeeting, meeting; // other items that meet item i in time
  std::vector<std::uint32_t> firstAt; // first item whose hull begins at section s or later; numSections + 1
  std::vector<std::uint32_t> total;   // units in a section
  std::vector<std::uint32_t> fullest; // by item: the most units in a section of it

  [[nodiscard]] std::size_t numItems() const { return size.size(); }
};

/// Items that never exist are left out. No items at all when the problem is too large to be searched: sizes that sum up
/// to more than 31 bits of units, or more than 2^22 memberships. O(items^2) in items that meet.
PackSections cutIntoSections(const PackProblem &problem);

} // namespace popscope
