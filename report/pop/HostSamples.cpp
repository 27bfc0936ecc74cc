#include "report/pop/HostSamples.hpp"

#include "report/pop/ReadSupport.hpp"
#include "report/pop/Schema.hpp"

namespace popscope {

void writeHostSamples(PopFile &file, const std::vector<HostSampleRecord> &records) {
  if (!hasTable(file, "host_samples"))
    file.execute(tableDdl("host_samples"));
  Query q(file,
          "INSERT INTO host_samples (time_us, cpu_user_us, cpu_system_us, resident_bytes, peak_bytes, read_bytes, "
          "written_bytes, threads) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (const HostSampleRecord &r : records)
    (q << r.microseconds << r.userMicroseconds << r.systemMicroseconds << r.residentBytes << r.peakBytes << r.readBytes
       << r.writtenBytes << r.threads)
        .run();
}

std::vector<HostSampleRecord> readHostSamples(PopFile &file) {
  std::vector<HostSampleRecord> rows;
  if (!hasTable(file, "host_samples"))
    return rows;
  Query q(file, selectStatement("host_samples", "ORDER BY id"));
  while (q.next()) {
    (void)q.u64();
    HostSampleRecord r;
    r.microseconds = q.u64();
    for (auto *number : {&r.userMicroseconds, &r.systemMicroseconds, &r.residentBytes, &r.peakBytes, &r.readBytes,
                         &r.writtenBytes, &r.threads})
      *number = q.u64OrNull();
    if (!rows.empty() && r.microseconds < rows.back().microseconds)
      file.fail("the profile is corrupt: samples of the host go back in time");
    rows.push_back(r);
  }
  return rows;
}

} // namespace popscope
