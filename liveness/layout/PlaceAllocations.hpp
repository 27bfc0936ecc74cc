// Placement: builds each tile's list of allocations from the steps and their live ranges, and gives each allocation an
// address. Solves equal problems of several tiles once, and distinct problems in parallel. A lack of memory is not an
// error: allocations that do not fit have addresses past the end of tile memory.
#pragma once
#include "base/Parallel.hpp"
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "liveness/data/LiveRanges.hpp"
#include "target-models/model/TileMachine.hpp"

namespace popscope {

struct LayoutOptions {
  bool codeIncluded = true; // false: no code categories (IPU Model without compileIPUCode)
  // First fit packs every distinct tile problem. A search then tries to improve the fullest problems, unless these
  // problems are at their lower bound. The search also tries to improve problems that do not fit although their lower
  // bound fits.
  std::uint32_t searchedProblems =
      4; // the number of fullest problems for which a search runs; every tile with one of these problems gets the
         // result
  std::uint64_t searchNodes = 5000; // maximum number of search nodes per problem. If 0, no search runs. The maximum is
                                    // eight times as high while the peak of the problem is far above the lower bound. A
                                    // node takes some 5 microseconds at 1000 items. The maximum is a number of nodes,
                                    // not a time, so that the result is the same on every machine
  Threads threads{};
};

/// Returns the layout. Throws poplar::invalid_tile_mapping if a tile needs addresses of more than 32 bits. Also throws
/// this exception if a home has 2^32 bytes or more, or an alignment above Allocation::kMaxAlignment. The message
/// contains the limit, and the address, size or alignment that exceeds the limit. The message also names the variable;
/// if a tile needs too many addresses, this is the tile's largest variable.
LayoutResult placeAllocations(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                              const LayoutOptions &options);

} // namespace popscope
