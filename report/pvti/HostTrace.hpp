// The trace of the host (pvti::Tracepoint) in a session. Popscope draws this trace together with the trace of the
// device.
#pragma once
#include <cstdint>
#include <string>

namespace popscope {

/// Makes this process write its tracepoints to `directory`/`name` or, if this file exists, to a new file with a number
/// after the name. Does nothing if PVTI_OPTIONS is set and not empty, or if tracing is already enabled. Thread-safe.
void traceHost(const std::string &directory, const std::string &name);
/// Returns the path of the file with the tracepoints, or "" if there is no such file yet.
[[nodiscard]] std::string hostTraceFile();
/// Returns the time on the clock of tracepoints, in microseconds since 1970. This time never decreases.
[[nodiscard]] std::uint64_t hostMicroseconds();

} // namespace popscope
