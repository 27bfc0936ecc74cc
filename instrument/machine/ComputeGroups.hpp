// ComputeGroups: the vertices and copy vertices of each OnTileExecute, grouped by tile, because tiles run in parallel
// and have different times. The groups are built once.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace popscope {

/// One tile's part of an OnTileExecute: a range of StepProgram::vertices, and a range of positions for copy().
struct TileGroup {
  TileId tile;
  std::uint32_t firstVertex = 0, endVertex = 0;
  std::uint32_t firstCopy = 0, endCopy = 0;
};

class ComputeGroups {
public:
  /// Builds the groups of all OnTileExecutes. Reads `program` only during construction. Throws InternalError if
  /// vertices are not sorted by tile (rule S5), or if a tile does not exist.
  explicit ComputeGroups(const StepProgram &program);

  /// Returns the groups of StepProgram::executes[execute], sorted by tile.
  [[nodiscard]] std::span<const TileGroup> groups(std::uint32_t execute) const {
    return std::span(groups_).subspan(first_[execute], first_[execute + 1] - first_[execute]);
  }
  /// Returns the index in StepProgram::copies of the copy at `position`. The position must be in a group's range of
  /// copies.
  [[nodiscard]] std::uint32_t copy(std::uint32_t position) const { return copies_[position]; }
  /// Returns the `grain` of parallelRanges() for a loop over the groups. A tiny compute set forms one task, which runs
  /// in the calling thread.
  [[nodiscard]] std::size_t grain(std::uint32_t execute) const { return grain_[execute]; }

private:
  void addExecute(const StepProgram &program, const ExecuteStep &execute);
  [[nodiscard]] std::size_t grainOf(const StepProgram &program, std::span<const TileGroup> groups) const;

  std::vector<TileGroup> groups_;
  std::vector<std::size_t> first_; // per execute: first index in groups_; one more element for the end
  std::vector<std::uint32_t> copies_;
  std::vector<std::size_t> grain_;
};

} // namespace popscope
