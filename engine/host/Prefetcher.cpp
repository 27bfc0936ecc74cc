#include "engine/host/Prefetcher.hpp"

#include <poplar/exceptions.hpp>

#include <chrono>
#include <cstring>
#include <fmt/format.h>

namespace popscope {

void fetchWhenReady(poplar::StreamCallback &callback, const PrefetchPolicy &policy, void *data) {
  callback.fetch(data);
  auto *const resumable = dynamic_cast<poplar::ResumableStreamCallback *>(&callback);
  while (resumable != nullptr && resumable->takeAwaited()) { // isAwaiting would miss data that have already arrived
    if (!resumable->waitFor(std::chrono::seconds(policy.patienceSeconds)))
      throw poplar::application_runtime_error(
          fmt::format("A stream callback awaits its data for more than {} s (target.hostSyncTimeout): "
                      "nobody called notify().",
                      policy.patienceSeconds));
    callback.fetch(data);
  }
}

bool Prefetcher::prefetch(poplar::StreamCallback &callback, std::size_t bytes) {
  std::vector<std::uint8_t> block(bytes);
  if (callback.prefetch(block.data()) != poplar::StreamCallback::Result::Success)
    return false;
  ready_.push_back(std::move(block));
  return true;
}

void Prefetcher::take(poplar::StreamCallback &callback, const PrefetchPolicy &policy, std::uint32_t depth, void *data,
                      std::size_t bytes) {
  if (!ready_.empty() || (policy.enabled && prefetch(callback, bytes))) {
    if (bytes != 0)
      std::memcpy(data, ready_.front().data(), bytes);
    ready_.pop_front();
  } else {
    fetchWhenReady(callback, policy, data);
  }
  callback.complete();
  while (policy.enabled && policy.lookAhead && ready_.size() < depth)
    if (!prefetch(callback, bytes))
      break;
}

void Prefetcher::drop(poplar::StreamCallback &callback) {
  if (ready_.empty())
    return;
  ready_.clear();
  callback.invalidatePrefetched();
}

} // namespace popscope
