// BuildControlTables: builds the tables of the table scheduler. With this scheduler, a tile runs a compute set from a
// list of the tile's vertices (state, entry point) instead of from code that names each vertex.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "target-models/model/TileMachine.hpp"

namespace popscope {

/// Adds the tables to StepProgram::storage. A tile that runs vertices or copy vertices of an OnTileExecute payload gets
/// one table for this payload. If there are tables, also sets StepProgram::tableRunnerBytes.
void buildControlTables(StepProgram &program, const CodeModel &code);

/// Calls body(tile, count) for each tile that runs vertices or copy vertices, in ascending order of tiles. `count` is
/// the number of these vertices and copy vertices.
template <class Body> void forEachLaunchingTile(const StepProgram &p, const ExecuteStep &e, const Body &body) {
  std::uint32_t v = e.firstVertex, c = e.firstCopy;
  const std::uint32_t vEnd = v + e.numVertices, cEnd = c + e.numCopies;
  while (v < vEnd || c < cEnd) {
    const TileId tile =
        v < vEnd && (c >= cEnd || p.vertices[v].tile <= p.copies[c].tile) ? p.vertices[v].tile : p.copies[c].tile;
    std::uint32_t launches = 0;
    for (; v < vEnd && p.vertices[v].tile == tile; ++v)
      ++launches;
    for (; c < cEnd && p.copies[c].tile == tile; ++c)
      ++launches;
    body(tile, launches);
  }
}

} // namespace popscope
