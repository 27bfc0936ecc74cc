// ComputeRunner: the values of OnTileExecute steps. Tiles run in parallel; on one tile, vertices run in the order in which
// they were added, then the copy vertices.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/ComputeGroups.hpp"
#include "instrument/machine/DeviceState.hpp"
#include "instrument/machine/VertexObjects.hpp"

namespace popscope {

class ComputeRunner {
public:
  /// All must outlive this. `workerContexts`: how many workers call the compute() of a MultiVertex.
  ComputeRunner(const StepProgram &program, const DeviceState &state, const VertexObjects &objects,
                const ComputeGroups &groups, std::uint32_t workerContexts);

  /// Runs all vertices of StepProgram::executes[execute] and stores the AND of what they return in its result operand.
  void run(std::uint32_t execute) const;

private:
  bool runTile(const TileGroup &group) const;
  bool runVertex(std::uint32_t vertex) const;

  const StepProgram &program_;
  const DeviceState &state_;
  const VertexObjects &objects_;
  const ComputeGroups &groups_;
  std::uint32_t workerContexts_;
};

} // namespace popscope
