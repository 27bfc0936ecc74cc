// Prefetcher: decides when to request data from the callback of a stream.
//
//   device needs data, a transfer is ready     take it, then complete()
//   device needs data, nothing is ready        prefetch; if the result is NotAvailable, fetch; then complete()
//   after a transfer, if looking ahead         prefetch until `depth` transfers are ready or the result is NotAvailable
//   end of the run, transfers are ready        invalidatePrefetched(), and drop them
#pragma once
#include <poplar/StreamCallback.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace popscope {

struct PrefetchPolicy {
  bool enabled = true;    // exchange.enablePrefetch; false: never calls prefetch
  bool lookAhead = false; // true: the host can prefetch transfers before the device needs them; engines set this member
                          // unless exchange.streamBufferOverlap is "any"
  std::uint64_t patienceSeconds = 300; // target.hostSyncTimeout: the longest wait for a callback that has no data
};

/// Calls fetch. While a ResumableStreamCallback has no data, waits and calls fetch again. Throws
/// poplar::application_runtime_error if one wait takes longer than policy.patienceSeconds.
void fetchWhenReady(poplar::StreamCallback &callback, const PrefetchPolicy &policy, void *data);

class Prefetcher {
public:
  /// Copies the next transfer to `data`. Afterwards, if policy.enabled and policy.lookAhead are true, prefetches until
  /// `depth` transfers are ready or a prefetch returns NotAvailable.
  void take(poplar::StreamCallback &callback, const PrefetchPolicy &policy, std::uint32_t depth, void *data,
            std::size_t bytes);
  /// If there are prefetched transfers, drops these transfers and calls invalidatePrefetched().
  void drop(poplar::StreamCallback &callback);

private:
  bool prefetch(poplar::StreamCallback &callback, std::size_t bytes);
  std::deque<std::vector<std::uint8_t>> ready_;
};

} // namespace popscope
