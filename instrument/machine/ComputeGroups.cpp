#include "instrument/machine/ComputeGroups.hpp"

#include "base/Check.hpp"

#include <algorithm>
#include <numeric>

namespace popscope {
namespace {

// Work below which a task costs more than it saves, in bytes of operands. A vertex counts as kVertexWork bytes.
constexpr std::uint64_t kTaskWork = 32 * 1024;
constexpr std::uint64_t kVertexWork = 256;

} // namespace

ComputeGroups::ComputeGroups(const StepProgram &program) {
  first_.push_back(0);
  for (const ExecuteStep &execute : program.executes) {
    addExecute(program, execute);
    grain_.push_back(grainOf(program, std::span<const TileGroup>(groups_).subspan(first_.back())));
    first_.push_back(groups_.size());
  }
}

void ComputeGroups::addExecute(const StepProgram &program, const ExecuteStep &execute) {
  const auto firstCopy = static_cast<std::uint32_t>(copies_.size());
  copies_.resize(copies_.size() + execute.numCopies);
  std::iota(copies_.begin() + firstCopy, copies_.end(), execute.firstCopy);
  std::stable_sort(copies_.begin() + firstCopy, copies_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return program.copies[a].tile < program.copies[b].tile; });

  std::uint32_t vertex = execute.firstVertex;
  std::uint32_t copyAt = firstCopy;
  const std::uint32_t endVertex = execute.firstVertex + execute.numVertices;
  const auto endCopy = static_cast<std::uint32_t>(copies_.size());
  while (vertex < endVertex || copyAt < endCopy) {
    TileId tile; // the invalid id is the greatest
    if (vertex < endVertex)
      tile = std::min(tile, program.vertices[vertex].tile);
    if (copyAt < endCopy)
      tile = std::min(tile, program.copies[copies_[copyAt]].tile);
    TileGroup group{tile, vertex, vertex, copyAt, copyAt};
    while (group.endVertex < endVertex && program.vertices[group.endVertex].tile == tile)
      ++group.endVertex;
    while (group.endCopy < endCopy && program.copies[copies_[group.endCopy]].tile == tile)
      ++group.endCopy;
    POPSCOPE_CHECK(groups_.size() == first_.back() || groups_.back().tile < tile,
                   "vertices of an OnTileExecute are not sorted by tile: tile {} comes again", tile.index());
    POPSCOPE_CHECK(tile.index() < program.numTiles, "a vertex is on tile {} of {}", tile.index(), program.numTiles);
    groups_.push_back(group);
    vertex = group.endVertex;
    copyAt = group.endCopy;
  }
}

std::size_t ComputeGroups::grainOf(const StepProgram &program, std::span<const TileGroup> groups) const {
  std::uint64_t work = 0;
  for (const TileGroup &group : groups) {
    for (std::uint32_t v = group.firstVertex; v < group.endVertex; ++v) {
      const StepVertex &vertex = program.vertices[v];
      work += kVertexWork;
      for (const VertexEdge edge : program.edgesOf(vertex))
        work += std::uint64_t(4) * edge.elements;
    }
    for (std::uint32_t c = group.firstCopy; c < group.endCopy; ++c)
      work += program.copies[copies_[c]].bytes.count();
  }
  if (work <= kTaskWork)
    return std::max<std::size_t>(groups.size(), 1);
  return std::max<std::size_t>(1, groups.size() * kTaskWork / work);
}

} // namespace popscope
