// Placement: builds each tile's list of allocations from the steps and their live ranges, and gives each an address.
// Tiles with equal problems are solved once. Parallel over distinct problems. Never throws for lack of memory: what
// does not fit runs over the end of tile memory.
#pragma once
#include "base/Parallel.hpp"
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "liveness/data/LiveRanges.hpp"
#include "target-models/model/TileMachine.hpp"

namespace popscope {

struct LayoutOptions {
  bool codeIncluded = true; // false: no code categories (IPU Model without compileIPUCode)
  // Effort: every distinct tile problem is packed by first fit; then the fullest, and those that might fit and do not,
  // are searched.
  std::uint32_t searchedProblems = 4; // how many of the fullest at most; all their tiles profit
  std::uint64_t searchNodes = 5000;   // for each (eight times as many far above the lower bound); counted, so that
                                      // results never depend on time: some 5 microseconds a node at 1000 items
  Threads threads{};
};

/// Throws poplar::invalid_tile_mapping, which names the tile and its largest variable, when a tile needs addresses of
/// more than 32 bits.
LayoutResult placeAllocations(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                              const LayoutOptions &options);

} // namespace popscope
