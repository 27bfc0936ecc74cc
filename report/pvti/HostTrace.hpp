// The host's trace (pvti::Tracepoint) of a session. The session draws the trace together with the device.
#pragma once
#include <cstdint>
#include <string>

namespace popscope {

/// From now on, this process writes its tracepoints to `directory`/`name`, unless PVTI_OPTIONS names another place or
/// disables them. Thread-safe.
void traceHost(const std::string &directory, const std::string &name);
/// Returns the file of the tracepoints; "" if there is none yet.
[[nodiscard]] std::string hostTraceFile();
/// Returns the clock of tracepoints: microseconds since 1970 that never decrease.
[[nodiscard]] std::uint64_t hostMicroseconds();

} // namespace popscope
