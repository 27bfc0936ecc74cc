#include "instrument/machine/ComputeRunner.hpp"

#include "base/Check.hpp"
#include "base/Parallel.hpp"

#include <algorithm>
#include <cstring>

namespace popscope {

ComputeRunner::ComputeRunner(const StepProgram &program, const DeviceState &state, const VertexObjects &objects,
                             const ComputeGroups &groups, std::uint32_t workerContexts)
    : program_(program), state_(state), objects_(objects), groups_(groups), workerContexts_(workerContexts) {}

void ComputeRunner::run(std::uint32_t execute) const {
  const auto groups = groups_.groups(execute);
  std::vector<std::uint8_t> good(groups.size(), 1);
  parallelFor(
      groups.size(), [&](std::size_t g) { good[g] = runTile(groups[g]) ? 1 : 0; }, groups_.grain(execute));
  const ExecuteStep &step = program_.executes[execute];
  if (step.result.valid())
    *state_.at(step.result, step.resultOffset) =
        std::all_of(good.begin(), good.end(), [](std::uint8_t g) { return g != 0; }) ? 1 : 0;
}

bool ComputeRunner::runTile(const TileGroup &group) const {
  bool good = true;
  for (std::uint32_t v = group.firstVertex; v < group.endVertex; ++v)
    good = runVertex(v) && good;
  for (std::uint32_t c = group.firstCopy; c < group.endCopy; ++c) {
    const CopyVertex &copy = program_.copies[groups_.copy(c)];
    for (std::uint32_t r = copy.firstRun; r < copy.firstRun + copy.numRuns; ++r) {
      const CopyRun &run = program_.copyRuns[r];
      if (run.bytes != 0)
        std::memcpy(state_.at(run.dst, run.dstOffset), state_.at(run.src, run.srcOffset), run.bytes);
    }
  }
  return good;
}

bool ComputeRunner::runVertex(std::uint32_t vertex) const {
  const VertexClass &vertexClass = objects_.classOf(vertex);
  POPSCOPE_CHECK(vertexClass.run != nullptr, "vertex class '{}' cannot be run", vertexClass.name);
  const unsigned calls = vertexClass.kind == VertexClassKind::Multi ? workerContexts_ : 1;
  bool good = true;
  for (unsigned worker = 0; worker < calls; ++worker)
    good = vertexClass.run(objects_.object(vertex), worker) && good;
  return good;
}

} // namespace popscope
