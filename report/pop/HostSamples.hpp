// The host resources that the program's process used, sampled at an interval while the program ran
// (popscope.sampleHost).
#pragma once
#include "report/pop/PopFile.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace popscope {

/// One sample. Processor times and bytes of disks are sums since the process began. A figure is empty if it was not
/// requested or if the system does not report it.
struct HostSampleRecord {
  std::uint64_t microseconds = 0;                                    // time of the sample, in microseconds since 1970
  std::optional<std::uint64_t> userMicroseconds, systemMicroseconds; // processor time of all threads
  std::optional<std::uint64_t> residentBytes, peakBytes;             // resident memory now, and its maximum so far
  std::optional<std::uint64_t> readBytes, writtenBytes;              // bytes read from and written to disks
  std::optional<std::uint64_t> threads;
};

void writeHostSamples(PopFile &file, const std::vector<HostSampleRecord> &records);
/// Returns the samples in the order of time, or an empty list if nothing was sampled. Throws ProfileError for a damaged
/// file.
[[nodiscard]] std::vector<HostSampleRecord> readHostSamples(PopFile &file);

} // namespace popscope
