// A tile's list of allocations, without addresses.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "liveness/layout/MemoryZones.hpp"
#include "liveness/layout/PlaceAllocations.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace popscope {

/// Makes the lists of all tiles of a program, each as often as it is asked for: a list is made faster than it is read
/// again from memory, of which all lists together would take hundreds of bytes a vertex. Its arguments must outlive it.
/// Parallel while it is made; const members are safe to call in parallel.
class ProblemBuilder {
public:
  ProblemBuilder(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                 const LayoutOptions &options);
  ~ProblemBuilder();

  /// Replaces `out` by the tile's list in order of creation: stack, code, packet headers, vertices, homes. `region`
  /// says what is asked for (Interleaved where it must be); addresses are 0. Throws poplar::invalid_tile_mapping when a
  /// home has 2^32 bytes or more.
  void build(std::uint32_t tile, std::vector<Allocation> &out) const;

private:
  class Tables;
  std::unique_ptr<const Tables> tables_;
};

/// Where an allocation of a problem asks to be.
Placement placementOf(const Allocation &allocation);

} // namespace popscope
