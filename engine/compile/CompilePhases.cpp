#include "engine/compile/CompilePhases.hpp"

#include <pvti/pvti.hpp>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>

namespace popscope {
namespace {

/// Returns the CPU time of all threads of the process.
double cpuMicroseconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) / 1e3;
}

/// Memory of the process as the system reports it. The members have no values if there is no /proc.
struct ProcessMemory {
  std::optional<Bytes> now, peak;
};
ProcessMemory processMemory() {
  constexpr std::uint64_t kKilobyte = 1024;
  ProcessMemory memory;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    const auto read = [&](const char *key) {
      unsigned long long kilobytes = 0;
      return line.rfind(key, 0) == 0 && std::sscanf(line.c_str() + std::strlen(key), "%llu", &kilobytes) == 1
                 ? std::optional(Bytes(kilobytes * kKilobyte))
                 : std::nullopt;
    };
    if (const auto peak = read("VmHWM:"))
      memory.peak = peak;
    if (const auto now = read("VmRSS:"))
      memory.now = now;
  }
  return memory;
}

double microseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::micro>(d).count();
}

} // namespace

CompilePhases::CompilePhases(pvti::TraceChannel &channel, bool records)
    : channel_(channel), on_(records), first_(std::chrono::steady_clock::now()) {}

CompilePhases::CompilePhases(pvti::TraceChannel &channel, std::vector<CompilePhaseRecord> ended,
                             std::chrono::steady_clock::time_point began)
    : channel_(channel), on_(!ended.empty()), first_(began), records_(std::move(ended)) {}

void CompilePhases::begin(const char *name) {
  pvti::Tracepoint::begin(&channel_, name);
  Open open{name, records_.size(), {}, 0};
  if (on_) {
    CompilePhaseRecord record;
    record.name = name;
    record.parent = open_.empty() ? -1 : static_cast<std::int64_t>(open_.back().record);
    record.bytesBefore = processMemory().now;
    open.cpuFrom = cpuMicroseconds();
    open.from = std::chrono::steady_clock::now();
    record.startMicroseconds = microseconds(open.from - first_);
    records_.push_back(std::move(record));
  }
  open_.push_back(open);
}

void CompilePhases::end() {
  const Open open = open_.back();
  open_.pop_back();
  if (on_) {
    CompilePhaseRecord &record = records_[open.record];
    record.wallMicroseconds = microseconds(std::chrono::steady_clock::now() - open.from);
    record.cpuMicroseconds = cpuMicroseconds() - open.cpuFrom;
    const ProcessMemory memory = processMemory();
    record.bytesAfter = memory.now;
    record.peakBytes = memory.peak;
  }
  pvti::Tracepoint::end(&channel_, open.name);
}

} // namespace popscope
