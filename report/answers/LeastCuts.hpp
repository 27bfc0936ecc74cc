// The bytes of variables without which no step has more on a tile than its memory: the least where one variable will
// do, else found greedily. What holes cost comes on top: nothing is packed again here.
#pragma once
#include "report/answers/LiveTable.hpp"

namespace popscope {

struct Cut {
  std::size_t variable = 0; // of LiveTable::variables()
  std::uint64_t bytes = 0;
};
/// What has to go where `live` is one tile's; in whole words of 4 bytes. nullopt: more than the memory is there without
/// any variable or constant. Of the chosen steps.
[[nodiscard]] std::optional<std::vector<Cut>> leastCuts(const LiveTable &live, std::uint64_t memory,
                                                        const StepChoice &steps);
/// Variables of which alone enough could go, largest first: they live at all steps that have too much. Empty where all
/// steps fit.
[[nodiscard]] std::vector<Cut> enoughAlone(const LiveTable &live, std::uint64_t memory, const StepChoice &steps);

} // namespace popscope
