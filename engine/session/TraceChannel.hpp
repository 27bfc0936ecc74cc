// The PVTI_OPTIONS channel of the engine.
#pragma once
#include <pvti/pvti.hpp>

namespace popscope {

inline pvti::TraceChannel &traceChannel() {
  static pvti::TraceChannel channel("poplar");
  return channel;
}

} // namespace popscope
