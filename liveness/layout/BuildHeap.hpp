// From a tile's list of allocations to the heap that the packer solves, with what codelets ask of addresses.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "liveness/layout/PackHeap.hpp"

#include <span>
#include <utility>
#include <vector>

namespace popscope {

/// Its arguments must outlive it, and the heaps that it makes.
class HeapBuilder {
public:
  HeapBuilder(const StepProgram &program, const LiveRanges &ranges, const MemoryZones &zones);

  /// `problem` as ProblemBuilder makes it; items in its order.
  [[nodiscard]] HeapProblem heapOf(std::span<const Allocation> problem) const;
  /// Reach of the pointers to it; 0 = all of memory.
  [[nodiscard]] std::uint64_t limitOf(const Allocation &allocation) const;
  /// Pairs of positions in the problem that must lie apart, first < second, ascending.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> apartIn(std::span<const Allocation> problem) const;

private:
  const StepProgram &program_;
  const LiveRanges &ranges_;
  const MemoryZones &zones_;
  std::vector<std::pair<HomeId, HomeId>> apart_; // both ways, ascending
};

} // namespace popscope
