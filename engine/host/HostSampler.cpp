#include "engine/host/HostSampler.hpp"

#include "base/QuietThread.hpp"
#include "report/pvti/HostTrace.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace popscope {
namespace {

std::uint64_t microsecondsOf(const timeval &time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000 + static_cast<std::uint64_t>(time.tv_usec);
}

/// Returns the number after `key` in a file of lines such as "read_bytes: 4096".
std::optional<std::uint64_t> numberIn(const char *file, const std::string &key) {
  std::ifstream in(file);
  std::string word;
  for (std::uint64_t number = 0; in >> word;)
    if (word == key)
      return in >> number ? std::optional(number) : std::nullopt;
  return std::nullopt;
}

std::optional<std::uint64_t> residentBytes() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  if (!(in >> all >> resident))
    return std::nullopt;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace

HostSampleRecord sampleHost(HostMetrics metrics) {
  HostSampleRecord sample;
  sample.microseconds = hostMicroseconds();
  rusage usage{};
  const bool known = ::getrusage(RUSAGE_SELF, &usage) == 0;
  if (metrics.cpu && known) {
    sample.userMicroseconds = microsecondsOf(usage.ru_utime);
    sample.systemMicroseconds = microsecondsOf(usage.ru_stime);
    sample.threads = numberIn("/proc/self/status", "Threads:");
  }
  if (metrics.memory) {
    sample.residentBytes = residentBytes();
    if (known) // the system updates ru_maxrss with a delay
      sample.peakBytes = std::max(static_cast<std::uint64_t>(usage.ru_maxrss) * 1024, sample.residentBytes.value_or(0));
  }
  if (metrics.disk) {
    sample.readBytes = numberIn("/proc/self/io", "read_bytes:");
    sample.writtenBytes = numberIn("/proc/self/io", "write_bytes:");
  }
  return sample;
}

HostSampler::HostSampler(std::chrono::milliseconds interval, HostMetrics metrics)
    : interval_(interval), metrics_(metrics), process_(::getpid()), samples_{sampleHost(metrics)} {
  thread_ = startQuietThread([this] { run(); });
}

HostSampler::~HostSampler() {
  {
    const std::lock_guard guard(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void HostSampler::run() {
  std::unique_lock lock(mutex_);
  for (auto next = std::chrono::steady_clock::now() + interval_; !ends_; next += interval_)
    if (!changed_.wait_until(lock, next, [this] { return ends_; }))
      samples_.push_back(sampleHost(metrics_));
}

std::vector<HostSampleRecord> HostSampler::take() {
  if (::getpid() != process_)
    return {};
  const std::lock_guard guard(mutex_);
  samples_.push_back(sampleHost(metrics_));
  return std::exchange(samples_, {});
}

} // namespace popscope
