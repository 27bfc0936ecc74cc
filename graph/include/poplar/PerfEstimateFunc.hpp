// PerfEstimateFunc: a function on the host that estimates the cycles and floating-point operations of one vertex from
// the vertex's fields.
#pragma once
#include <poplar/CycleEstimateFunc.hpp>

#include <cstdint>
#include <functional>

namespace poplar {

struct VertexPerfEstimate {
  std::uint64_t cycles;
  std::uint64_t flops;
  VertexPerfEstimate() : cycles(0), flops(0) {}
  VertexPerfEstimate(std::uint64_t cycles_, std::uint64_t flops_ = 0) : cycles(cycles_), flops(flops_) {}
};
inline bool operator==(const VertexPerfEstimate &a, const VertexPerfEstimate &b) {
  return a.cycles == b.cycles && a.flops == b.flops;
}
inline bool operator!=(const VertexPerfEstimate &a, const VertexPerfEstimate &b) { return !(a == b); }

/// Popscope may call the function from several threads at once, so the function must not change shared state.
using PerfEstimateFunc = std::function<VertexPerfEstimate(const VertexIntrospector &v, const Target &target)>;

} // namespace poplar
