// HostSampler: a thread that regularly samples how much of the host's resources the process uses (popscope.sampleHost).
#pragma once
#include "report/pop/HostSamples.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace popscope {

/// The groups of metrics that a sample contains (popscope.sampleHostMetrics).
struct HostMetrics {
  bool cpu = true, memory = true, disk = false;
};

class HostSampler {
public:
  /// Takes a sample at once, and starts a thread that takes one sample per interval. The thread receives no signals of
  /// the program.
  HostSampler(std::chrono::milliseconds interval, HostMetrics metrics);
  ~HostSampler();
  HostSampler(const HostSampler &) = delete;
  HostSampler &operator=(const HostSampler &) = delete;

  /// Takes a sample, and returns all samples that no earlier call of take() returned. In a child process that fork
  /// created, returns no samples.
  [[nodiscard]] std::vector<HostSampleRecord> take();

private:
  void run();

  const std::chrono::milliseconds interval_;
  const HostMetrics metrics_;
  const int process_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ends_ = false;
  std::vector<HostSampleRecord> samples_;
  std::thread thread_;
};

/// Returns one sample of the process at the present time, with the groups of metrics that `metrics` selects.
[[nodiscard]] HostSampleRecord sampleHost(HostMetrics metrics);

} // namespace popscope
