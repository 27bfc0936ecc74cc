// ReplicatedStreamMode: whether each replica of a graph has its own stream of data, or all replicas get the same data.
#pragma once
#include <ostream>

namespace poplar {

enum class ReplicatedStreamMode { REPLICATE, BROADCAST };

std::ostream &operator<<(std::ostream &os, const ReplicatedStreamMode &mode);

} // namespace poplar
