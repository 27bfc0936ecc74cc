#include "report/export/CsvHost.hpp"

#include <fmt/format.h>
#include <ostream>
#include <pva/HostSamples.hpp>

namespace popscope {
namespace {

constexpr double kKilobyte = 1024;

/// Calls row(sample, previous sample, microseconds between them, microseconds since the first) for each sample except
/// the first.
template <class Row> void forEachSpan(const pva::Report &report, const Row &row) {
  const auto samples = pva::hostSamples(report);
  for (std::size_t i = 1; i < samples.size(); ++i)
    if (const std::uint64_t took = samples[i].microseconds - samples[i - 1].microseconds; took != 0)
      row(samples[i], samples[i - 1], static_cast<double>(took), samples[i].microseconds - samples[0].microseconds);
}

} // namespace

void writeHostCpu(std::ostream &out, const pva::Report &report, const CsvOptions &) {
  forEachSpan(report, [&](const pva::HostSample &now, const pva::HostSample &before, double took, std::uint64_t at) {
    if (!now.cpuKnown || !before.cpuKnown)
      return;
    const double user = static_cast<double>(now.userMicroseconds - before.userMicroseconds) / took,
                 system = static_cast<double>(now.systemMicroseconds - before.systemMicroseconds) / took;
    out << fmt::format(",,{:.2f},,{},{:.1f},{:.1f},{}\n", user + system, at, 100 * user, 100 * system,
                       now.threads == 0 ? std::string() : std::to_string(now.threads));
  });
}

void writeHostMemory(std::ostream &out, const pva::Report &report, const CsvOptions &) {
  const auto samples = pva::hostSamples(report);
  for (const pva::HostSample &sample : samples)
    if (sample.memoryKnown)
      out << fmt::format(",,{:.0f},,{},{:.0f}\n", static_cast<double>(sample.peakBytes) / kKilobyte,
                         sample.microseconds - samples[0].microseconds,
                         static_cast<double>(sample.residentBytes) / kKilobyte);
}

void writeHostDisk(std::ostream &out, const pva::Report &report, const CsvOptions &) {
  forEachSpan(report, [&](const pva::HostSample &now, const pva::HostSample &before, double took, std::uint64_t at) {
    if (!now.diskKnown || !before.diskKnown)
      return;
    const std::uint64_t read = now.readBytes - before.readBytes, written = now.writtenBytes - before.writtenBytes;
    const auto rate = [&](std::uint64_t bytes) { return static_cast<double>(bytes) / kKilobyte * 1e6 / took; };
    out << fmt::format(",{},{:.1f},{:.1f},{},{}\n", at, rate(read), rate(written), read, written);
  });
}

} // namespace popscope
