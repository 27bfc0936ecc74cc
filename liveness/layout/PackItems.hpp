// The packer: places items by first fit, and then searches for a lower packing. The caller limits the nodes of the
// search.
//
// Problem: dynamic storage allocation (PackProblem). First fit by decreasing weight gives a packing that is close to
// the lower bound. Then SearchPacking looks for a lower packing in several attempts: some below a fixed height, others
// below a height that grows. Invariant: the best known packing never gets worse. Work is counted in nodes of the
// search, never in time, so that the result is the same on any machine and for any number of threads.
#pragma once
#include "liveness/layout/PackProblem.hpp"

namespace popscope {

struct PackOptions {
  std::uint64_t maxNodes = 0;    // maximum number of nodes of all attempts together; 0 = first fit only
  std::uint64_t maxNodesFar = 0; // if larger than maxNodes: this limit replaces maxNodes while the peak is above 33/32
                                 // of the lower bound
  std::uint64_t goodEnough = 0;  // stops at a peak of at most this many bytes, or at the lower bound
};
struct PackResult {
  std::vector<std::uint64_t> addresses; // per item
  std::uint64_t peak = 0, lowerBound = 0, nodes = 0;
};

/// Packs the items. Two items that exist at the same time never overlap; an item that never exists gets address 0.
/// `peak` is at most the peak of first fit by decreasing weight (see PackOrder). Does not search a problem of more than
/// kMaxSearchedItems items.
PackResult packItems(const PackProblem &problem, const PackOptions &options);
inline constexpr std::size_t kMaxSearchedItems = 2048; // the search is recursive: one level per item

} // namespace popscope
