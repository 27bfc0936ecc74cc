// Placement: builds each tile's list of allocations from the steps and their live ranges, and gives each an address.
// Tiles with equal problems are solved once. Parallel over distinct problems. Never throws for lack of memory: what
// does not fit is placed past the end of tile memory and marked Overflowed.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "liveness/data/LiveRanges.hpp"
#include "target-models/model/TileMachine.hpp"

namespace popscope {

struct LayoutOptions {
  bool codeIncluded = true;   // false: no code categories (IPU Model without compileIPUCode)
};

LayoutResult placeAllocations(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                              const LayoutOptions &options);

} // namespace popscope
