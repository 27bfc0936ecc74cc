// ComputeGroups: the vertices and copy vertices of each OnTileExecute, grouped by tile. Made once: tiles are what runs
// in parallel, and what has a duration.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace popscope {

/// What one tile does in one OnTileExecute: a range of StepProgram::vertices and a range of copies().
struct TileGroup {
  TileId tile;
  std::uint32_t firstVertex = 0, endVertex = 0;
  std::uint32_t firstCopy = 0, endCopy = 0;
};

class ComputeGroups {
public:
  /// `program` is read during construction only. InternalError when vertices are not sorted by tile (S5).
  explicit ComputeGroups(const StepProgram &program);

  /// Groups of StepProgram::executes[execute], ascending tile.
  [[nodiscard]] std::span<const TileGroup> groups(std::uint32_t execute) const {
    return std::span(groups_).subspan(first_[execute], first_[execute + 1] - first_[execute]);
  }
  /// Index into StepProgram::copies of the copy at `position` of a group's range.
  [[nodiscard]] std::uint32_t copy(std::uint32_t position) const { return copies_[position]; }
  /// How many groups one task takes at least, so that tiny compute sets run in the calling thread.
  [[nodiscard]] std::size_t grain(std::uint32_t execute) const { return grain_[execute]; }

private:
  void addExecute(const StepProgram &program, const ExecuteStep &execute);
  [[nodiscard]] std::size_t grainOf(const StepProgram &program, std::span<const TileGroup> groups) const;

  std::vector<TileGroup> groups_;
  std::vector<std::size_t> first_; // per execute, and one past the last
  std::vector<std::uint32_t> copies_;
  std::vector<std::size_t> grain_;
};

} // namespace popscope
