// ShareBuffers: puts operands of one tile into one buffer. If operands of several vertices of a compute set overlap,
// each common element usually arrives once. An operand can join a buffer only if the operand begins at an element of
// the buffer. From this element on, operand and buffer must list the same elements until the operand or the buffer
// ends. The operand's other elements extend the buffer. An operand that its vertex writes gets a separate buffer. An
// operand also gets a separate buffer if the place in the buffer does not have the operand's alignment, or if none of
// the few nearest buffers suits the operand. An operand with constants shares a buffer only with equal operands.
#pragma once
#include "graph/lowering/ClassifyEdges.hpp"

#include <span>

namespace popscope {

struct SharedBuffer {
  std::uint32_t firstEdge = 0; // the lowest number of an edge in this buffer
  TileId tile;
  bool reads = false, writes = false, interleaved = false;
  std::uint32_t alignment = 1;
  Fragment only; // the source of all elements, if the source is one run in one piece of a variable
  ViewRun first; // the elements, if all elements are one run; `several` is empty then
  std::vector<ViewRun> several;
  /// Returns all elements, in the order of the buffer.
  [[nodiscard]] RunList view() const {
    return several.empty() ? RunList(first) : RunList(several.data(), several.size());
  }
  [[nodiscard]] const ViewRun &run(std::size_t i) const { return several.empty() ? first : several[i]; }
  [[nodiscard]] std::size_t numRuns() const { return several.empty() ? 1 : several.size(); }
};
/// The place of an edge in a shared buffer.
struct BufferPlace {
  std::uint32_t buffer = 0;
  std::uint64_t element = 0;
};

/// Appends the buffers of the edges of one tile to `buffers`, sorted by firstEdge, and sets places[e] of each edge e.
/// BufferPlace::buffer is an index into `buffers`.
void shareBuffers(const LoweringContext &context, std::span<const PlacedEdge> edges, std::vector<SharedBuffer> &buffers,
                  BufferPlace *places);

} // namespace popscope
