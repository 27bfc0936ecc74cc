// Device side: the classes that vertices derive from. No constructor of a vertex runs. Before compute() runs, the
// vertex's state is in tile memory, its edges are connected and its initial values are set.
#ifndef POPLAR_VERTEX_HPP
#define POPLAR_VERTEX_HPP
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "Alignment.hpp"
#include "FieldTypes.hpp"

// POPSCOPE_TILE_ONLY replaces the body of a function that only a tile can run. Popscope inserts this macro into sources
// of codelets (graph/codelets/TileOnly.hpp).
#if defined(__riscv) || !defined(__EXCEPTIONS)
#define POPSCOPE_TILE_ONLY(why) __builtin_trap();
#else
#define POPSCOPE_TILE_ONLY(why) throw popscope_device::TileOnly{why};
#endif
#ifndef POPSCOPE_TILE_ONLY_TYPE
#define POPSCOPE_TILE_ONLY_TYPE
namespace popscope_device {
struct TileOnly {
  const char *why;
};
} // namespace popscope_device
#endif

namespace poplar {

/// A vertex that runs on one worker thread. The class of the vertex defines bool compute() or void compute().
class Vertex {};
/// A vertex that runs on the supervisor thread of its tile.
class SupervisorVertex {};
/// A vertex whose compute(unsigned workerId) is called once for each worker.
class MultiVertex {
public:
  /// Returns 6 on every machine, also if compute() runs on the host. The function does not use the macro in
  /// TileConstants.hpp for the number of workers, because a source may define this macro with another value.
  static constexpr unsigned numWorkers() { return 6; }
};
class ExternalExchangeVertex {};

template <bool IsSupervisor>
using SupervisorVertexIf = typename std::conditional<IsSupervisor, SupervisorVertex, Vertex>::type;

} // namespace poplar
#endif
