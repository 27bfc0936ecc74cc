// The kinds of device for which a program can be compiled.
#pragma once
#include <poplar/StringRef.hpp>

namespace poplar {

enum class TargetType {
  IPU,       ///< a simulated IPU: records what the counters of a device record
  IPU_MODEL, ///< the IPU Model: runs on the host and estimates cycles
  CPU        ///< runs on the host and records no profile
};

/// Returns "IPU", "IPU_MODEL" or "CPU".
StringRef toString(TargetType t);
std::ostream &operator<<(std::ostream &os, TargetType t);

} // namespace poplar
