// CycleEstimateFunc: a function on the host that estimates the cycles of one vertex on a tile from the vertex's fields.
#pragma once
#include <cstdint>
#include <functional>

namespace poplar {

class Target;
class VertexIntrospector;

/// Popscope may call the function from several threads at once, so the function must not change shared state.
using CycleEstimateFunc = std::function<std::uint64_t(const VertexIntrospector &v, const Target &target)>;

} // namespace poplar
