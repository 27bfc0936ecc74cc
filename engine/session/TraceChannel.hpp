// The channel of the engine's tracepoints (PVTI_OPTIONS).
#pragma once
#include <pvti/pvti.hpp>

namespace popscope {

inline pvti::TraceChannel &traceChannel() {
  static pvti::TraceChannel channel("poplar");
  return channel;
}

} // namespace popscope
