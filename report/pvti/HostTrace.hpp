// The host's trace (pvti::Tracepoint) of a session, which draws it with the device.
#pragma once
#include <cstdint>
#include <string>

namespace popscope {

/// From now on this process's tracepoints go to `directory`/`name`, unless PVTI_OPTIONS says where they go, or that
/// there are none. Thread-safe.
void traceHost(const std::string &directory, const std::string &name);
/// The file that they go to, "" while there is none.
[[nodiscard]] std::string hostTraceFile();
/// Microseconds since 1970 that never run back: the clock of tracepoints.
[[nodiscard]] std::uint64_t hostMicroseconds();

} // namespace popscope
