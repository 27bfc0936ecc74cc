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
  std::uint64_t patienceSeconds = 300; // target.hostSyncTimeout: for a callback that awaits its data
};

/// Calls fetch; where a ResumableStreamCallback awaits its data, waits for it and calls again. Throws
/// poplar::application_runtime_error when that takes too long.
void fetchWhenReady(poplar::StreamCallback &callback, const PrefetchPolicy &policy, void *data);

class Prefetcher {
public:
  /// Fills `data` with the next transfer.
  void take(poplar::StreamCallback &callback, const PrefetchPolicy &policy, std::uint32_t depth, void *data,
            std::size_t bytes);
  /// Throws away what is ready.
  void drop(poplar::StreamCallback &callback);

private:
  bool prefetch(poplar::StreamCallback &callback, std::size_t bytes);
  std::deque<std::vector<std::uint8_t>> ready_;
};

} // namespace popscope
