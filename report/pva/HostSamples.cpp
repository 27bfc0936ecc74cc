#include <pva/HostSamples.hpp>

#include "report/pop/HostSamples.hpp"
#include "report/pva/Model.hpp"

namespace pva {

List<HostSample> hostSamples(const Report &report) {
  std::vector<HostSample> result;
  for (const popscope::HostSampleRecord &row : popscope::readHostSamples(report.model_->file())) {
    HostSample s;
    s.microseconds = row.microseconds;
    s.cpuKnown = row.userMicroseconds && row.systemMicroseconds;
    s.userMicroseconds = row.userMicroseconds.value_or(0);
    s.systemMicroseconds = row.systemMicroseconds.value_or(0);
    s.threads = row.threads.value_or(0);
    s.memoryKnown = row.residentBytes.has_value();
    s.residentBytes = row.residentBytes.value_or(0);
    s.peakBytes = row.peakBytes.value_or(0);
    s.diskKnown = row.readBytes && row.writtenBytes;
    s.readBytes = row.readBytes.value_or(0);
    s.writtenBytes = row.writtenBytes.value_or(0);
    result.push_back(s);
  }
  return detail::listOf(std::move(result));
}

} // namespace pva
