// Builds a tile's list of allocations, without addresses.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "liveness/layout/MemoryZones.hpp"
#include "liveness/layout/PlaceAllocations.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace popscope {

/// A builder that builds the list of a tile on each request. The builder stores no lists, because all lists together
/// would take up to 80 bytes per vertex. In addition, building a list is faster than reading the list from memory. The
/// constructor's arguments must outlive the builder. Several threads may call build() at the same time.
class ProblemBuilder {
public:
  ProblemBuilder(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                 const LayoutOptions &options);
  ~ProblemBuilder();

  /// Replaces `out` by the tile's list in order of creation: stack, vertex code, control code, rows of exchanges and
  /// counters (CodeRows), vertices, copy vertices, shared data, homes. Leaves out objects without bytes, and homes of
  /// variables that are never occupied. In each allocation, `region` is Interleaved if the object requires this region,
  /// and NonInterleaved otherwise. `address` is 0. Throws poplar::invalid_tile_mapping if a home has 2^32 bytes or
  /// more, or an alignment above Allocation::kMaxAlignment.
  void build(std::uint32_t tile, std::vector<Allocation> &out) const;

private:
  class Tables;
  std::unique_ptr<const Tables> tables_;
};

/// Returns whether the variable occupies memory at some step. A variable whose only accesses are WriteUndefs occupies
/// no memory.
[[nodiscard]] inline bool takesMemory(const LiveRanges &ranges, VarId var) {
  return !ranges.intervalsOf(ranges.occupied[var]).empty();
}

/// Returns the placement that an allocation of a problem requires.
Placement placementOf(const Allocation &allocation);

} // namespace popscope
