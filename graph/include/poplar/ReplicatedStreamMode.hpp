// ReplicatedStreamMode: whether every replica of a graph has its own stream of data or all see the same.
#pragma once
#include <ostream>

namespace poplar {

enum class ReplicatedStreamMode { REPLICATE, BROADCAST };

std::ostream &operator<<(std::ostream &os, const ReplicatedStreamMode &mode);

} // namespace poplar
