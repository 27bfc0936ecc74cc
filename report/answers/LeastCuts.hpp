// Finds bytes of variables without which no step needs more than a tile's memory. The result is a minimum if one
// variable suffices, or else a greedy choice. Gaps are not included, because nothing is packed again.
#pragma once
#include "report/answers/LiveTable.hpp"

namespace popscope {

struct Cut {
  std::size_t variable = 0; // index in LiveTable::variables()
  std::uint64_t bytes = 0;
};
/// Returns the cuts for the selected steps, in whole words of 4 bytes. `live` is the table of one tile. Returns nullopt
/// if more than the memory is occupied without any variable or constant.
[[nodiscard]] std::optional<std::vector<Cut>> leastCuts(const LiveTable &live, std::uint64_t memory,
                                                        const StepChoice &steps);
/// Returns the variables, largest first, for which it is enough to shrink this one variable: each is live at every step
/// that exceeds the memory. Returns an empty list if all steps fit.
[[nodiscard]] std::vector<Cut> enoughAlone(const LiveTable &live, std::uint64_t memory, const StepChoice &steps);

} // namespace popscope
