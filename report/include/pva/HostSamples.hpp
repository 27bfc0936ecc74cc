// Extension: the host resources that the program's process used while the program ran (engine option
// popscope.sampleHost). <pva/pva.hpp> does not include this header.
#ifndef PVA_HOST_SAMPLES_HPP
#define PVA_HOST_SAMPLES_HPP

#include <pva/pva.hpp>

namespace pva {

/// One sample. A group of figures is unknown if the group was not sampled, or if the system does not report the group.
/// The ...Known member of an unknown group is false, and the figures of the group are 0.
struct HostSample {
  HostSample()
      : microseconds(0), cpuKnown(false), userMicroseconds(0), systemMicroseconds(0), threads(0), memoryKnown(false),
        residentBytes(0), peakBytes(0), diskKnown(false), readBytes(0), writtenBytes(0) {}
  std::uint64_t microseconds; // time of the sample, in microseconds since 1970
  bool cpuKnown;
  std::uint64_t userMicroseconds, systemMicroseconds; // processor time of all threads since the process began
  std::uint64_t threads;
  bool memoryKnown;
  std::uint64_t residentBytes, peakBytes; // resident memory now, and its maximum so far
  bool diskKnown;
  std::uint64_t readBytes, writtenBytes; // bytes read from and written to disks so far
};

/// Returns the samples in the report's file, in the order of time, or an empty list for a report without a file. If the
/// file is damaged, throws std::runtime_error as openReport does.
List<HostSample> hostSamples(const Report &report);

} // namespace pva
#endif
