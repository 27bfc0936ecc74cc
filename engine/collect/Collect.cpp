#include "engine/collect/Collect.hpp"

namespace popscope {

TargetRecord collectTarget(const TileMachine &machine, unsigned replicas) {
  TargetRecord t;
  switch (machine.kind) {
  case DeviceKind::Ipu: t.type = "IPU"; break;
  case DeviceKind::IpuModel: t.type = "IPU_MODEL"; break;
  case DeviceKind::Cpu: t.type = "CPU"; break;
  }
  t.architecture = machine.architecture;
  t.numIpus = std::uint64_t(machine.numIpus) * replicas;
  t.tilesPerIpu = machine.tilesPerIpu;
  t.numReplicas = replicas;
  t.bytesPerTile = machine.bytesPerTile;
  t.clockHz = machine.clockHz;
  t.workerContexts = machine.workerContexts;
  for (const MemoryRegion &region : machine.regions)
    if (region.kind == RegionKind::Interleaved && t.interleavedOffset == 0)
      t.interleavedOffset = region.offset;
  return t;
}

CompilationRecord collectCompilation(const CollectInput &input) {
  CompilationRecord record;
  record.target = collectTarget(input.machine, input.program.replicationFactor);
  record.graph = {input.program.numVertices, input.program.numEdges, input.program.numVariables,
                  input.program.numComputeSets};
  record.codeIncluded = input.codeIncluded;
  collectPrograms(input, record);
  collectRecosting(input, record);
  collectTraffic(input, record);
  collectOperands(input, record);
  collectVertices(input, record);
  collectMemory(input, record);
  const std::vector<std::int64_t> ids = collectLiveness(input, record);
  if (input.advice != nullptr) {
    collectAdvice(*input.advice, input.ranges, ids, record);
    record.advice.accesses = collectVariableAccesses(input.program, ids);
  }
  for (const PassRecord &pass : input.program.passes)
    record.optimisations.push_back({pass.name, pass.unit, pass.before, pass.after});
  return record;
}

} // namespace popscope
