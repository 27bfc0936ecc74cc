// The packer: gives each item of one tile an address. A better one can replace it behind this interface.
#pragma once
#include "liveness/data/LiveRanges.hpp"
#include "liveness/layout/MemoryZones.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

struct HeapItem {
  std::uint64_t bytes = 0; // > 0
  std::uint64_t alignment = 1;
  Placement placement = Placement::Data;
  LiveClassId occupied{1}; // class 1 = never shares its place
};
/// `zones` and `ranges` must outlive it.
struct HeapProblem {
  const MemoryZones *zones = nullptr;
  const LiveRanges *ranges = nullptr;
  std::vector<HeapItem> items;
};

/// Addresses in the order of the items. Two items overlap only when their occupied classes do not meet; an item of
/// class 1 overlaps none (not even one that is never occupied). Stack, then code, then interleaved, then other data;
/// in each first those that never share. First fit, best of three orders; quadratic in items that may share.
std::vector<std::uint64_t> packHeap(const HeapProblem &problem);

} // namespace popscope
