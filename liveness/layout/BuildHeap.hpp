// Turns a tile's list of allocations into the packing problem of the tile's heap, including the address rules of
// codelets.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "liveness/layout/PackHeap.hpp"

#include <span>
#include <utility>
#include <vector>

namespace popscope {

/// A builder of heaps. The constructor's arguments must outlive the builder and its heaps.
class HeapBuilder {
public:
  HeapBuilder(const StepProgram &program, const LiveRanges &ranges, const MemoryZones &zones);

  /// Returns the heap of `problem`, a list that ProblemBuilder built. The items are in the order of the list.
  [[nodiscard]] HeapProblem heapOf(std::span<const Allocation> problem) const;
  /// Returns the address limit of the allocation. Every byte of the allocation must be below this address, so that the
  /// scaled pointers of vertices can reach the byte. Returns 0 if the allocation has no limit, or if the limit is not
  /// below the end of memory.
  [[nodiscard]] std::uint64_t limitOf(const Allocation &allocation) const;
  /// Returns pairs of positions in `problem`: the allocations at the two positions must lie in different memory
  /// elements. In each pair, the first position is lower. The pairs are in ascending order.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> apartIn(std::span<const Allocation> problem) const;

private:
  const StepProgram &program_;
  const LiveRanges &ranges_;
  const MemoryZones &zones_;
  std::vector<std::pair<HomeId, HomeId>> apart_; // pairs of homes that must lie in different memory elements; each pair
                                                 // in both directions, ascending
};

} // namespace popscope
