// Prefetcher: when a stream's callback is asked for data.
//
//   device needs data, something is ready      that, then complete()
//   device needs data, nothing is ready        prefetch; when that is NotAvailable, fetch; then complete()
//   after a transfer, if looking ahead         prefetch until `depth` transfers are ready or one is NotAvailable
//   end of the run, something is ready         invalidatePrefetched(), and it is thrown away
#pragma once
#include <poplar/StreamCallback.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace popscope {

struct PrefetchPolicy {
  bool enabled = true;    // exchange.enablePrefetch; false: fetch only
  bool lookAhead = false; // exchange.streamBufferOverlap is not "any": host buffers may hold what is not used yet
};

class Prefetcher {
public:
  /// Fills `data` with the next transfer.
  void take(poplar::StreamCallback &callback, const PrefetchPolicy &policy, std::uint32_t depth, void *data, std::size_t bytes);
  /// Throws away what is ready.
  void drop(poplar::StreamCallback &callback);

private:
  bool prefetch(poplar::StreamCallback &callback, std::size_t bytes);
  std::deque<std::vector<std::uint8_t>> ready_;
};

} // namespace popscope
