// Prefetcher: decides when a stream's callback is called for data.
//
//   device needs data, a transfer is ready     take it, then complete()
//   device needs data, nothing is ready        prefetch; if that is NotAvailable, fetch; then complete()
//   after a transfer, if looking ahead         prefetch until `depth` transfers are ready or one is NotAvailable
//   end of the run, transfers are ready        invalidatePrefetched(), and drop them
#pragma once
#include <poplar/StreamCallback.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace popscope {

struct PrefetchPolicy {
  bool enabled = true;    // exchange.enablePrefetch; false: fetch only
  bool lookAhead = false; // exchange.streamBufferOverlap is not "any": host buffers may hold data that is not used yet
  std::uint64_t patienceSeconds = 300; // target.hostSyncTimeout: how long a callback may await its data
};

/// Calls fetch. If a ResumableStreamCallback awaits its data, waits for it and calls again. Throws
/// poplar::application_runtime_error after policy.patienceSeconds.
void fetchWhenReady(poplar::StreamCallback &callback, const PrefetchPolicy &policy, void *data);

class Prefetcher {
public:
  /// Fills `data` with the next transfer.
  void take(poplar::StreamCallback &callback, const PrefetchPolicy &policy, std::uint32_t depth, void *data,
            std::size_t bytes);
  /// Drops the transfers that are ready.
  void drop(poplar::StreamCallback &callback);

private:
  bool prefetch(poplar::StreamCallback &callback, std::size_t bytes);
  std::deque<std::vector<std::uint8_t>> ready_;
};

} // namespace popscope
