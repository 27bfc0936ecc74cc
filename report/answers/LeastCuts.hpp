// Chooses variables to shrink, and the bytes to remove from each variable, so that no step needs more than a tile's
// memory. If shrinking one variable alone makes all steps fit, the result removes as few bytes as possible. Otherwise,
// a greedy method chooses the variables, and another choice could remove fewer bytes. The computation ignores gaps,
// because the packer does not run again.
#pragma once
#include "report/answers/LiveTable.hpp"

namespace popscope {

struct Cut {
  std::size_t variable = 0; // index in LiveTable::variables()
  std::uint64_t bytes = 0;  // bytes to remove from the variable
};
/// Returns whether the program can map the variable to other tiles. Returns true for the categories "variable" and
/// "constant", and false for buffers of exchanges and for system data.
[[nodiscard]] bool mayGo(const LiveVariable &v);
/// Returns the cuts for the selected steps. Each cut is a multiple of 4 bytes, or the whole variable. `live` is the
/// table of one tile; `memory` is the size of the tile's memory in bytes. Returns nullopt if a step still exceeds the
/// memory after all variables and constants that are live at this step are cut.
[[nodiscard]] std::optional<std::vector<Cut>> leastCuts(const LiveTable &live, std::uint64_t memory,
                                                        const StepChoice &steps);
/// Returns a cut for each variable or constant that suffices alone: if only this variable shrinks, all selected steps
/// fit. A variable suffices if it is large enough, and is live at every selected step that exceeds the memory. The
/// largest variable is first. Returns an empty list if all selected steps fit.
[[nodiscard]] std::vector<Cut> enoughAlone(const LiveTable &live, std::uint64_t memory, const StepChoice &steps);

} // namespace popscope
