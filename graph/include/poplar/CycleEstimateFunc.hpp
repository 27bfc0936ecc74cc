// CycleEstimateFunc: cycles of one vertex on a tile, computed by the host from its fields.
#pragma once
#include <cstdint>
#include <functional>

namespace poplar {

class Target;
class VertexIntrospector;

/// It is called from several threads at once, so it must not change shared state.
using CycleEstimateFunc = std::function<std::uint64_t(const VertexIntrospector &v, const Target &target)>;

} // namespace poplar
