#include "engine/collect/Collect.hpp"

#include "engine/collect/CollectRows.hpp"

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
  t.bytesPerTile = Bytes(machine.bytesPerTile);
  t.clockHz = machine.clockHz;
  t.workerContexts = machine.workerContexts;
  for (const MemoryRegion &region : machine.regions)
    if (region.kind == RegionKind::Interleaved && t.interleavedOffset == Bytes())
      t.interleavedOffset = Bytes(region.offset);
  return t;
}

std::unique_ptr<const CompilationRows> collectRows(const CollectInput &input, StringTable &names) {
  return std::make_unique<CollectedRows>(input, names);
}

CompilationRecord collectCompilation(const CollectInput &input, const LivenessAdvice *advice,
                                     std::unique_ptr<const CompilationRows> &rows) {
  CompilationRecord record;
  record.target = collectTarget(input.machine, input.program.replicationFactor);
  record.graph = {input.program.numVertices, input.program.numEdges, input.program.numVariables,
                  input.program.numComputeSets};
  record.codeIncluded = input.codeIncluded;
  collectPrograms(input, record);
  collectRecosting(input, record);
  collectOperands(input, record);
  collectVertices(input, record);
  collectMemory(input, record);
  auto collected = std::make_unique<CollectedRows>(input, record.variableNames);
  record.alwaysLiveBytes = collected->alwaysLiveBytes();
  record.messageSizes = collected->tilesOfPrograms().messageSizes();
  for (std::size_t p = 0; p < record.programs.size(); ++p)
    record.programs[p].exchangeCodeOf = collected->tilesOfPrograms().codeOwners()[p];
  collectLiveness(input, record);
  if (advice != nullptr)
    collectAdvice(*advice, input.ranges, collected->variableRows(), record);
  rows = std::move(collected);
  for (const PassRecord &pass : input.program.passes)
    record.optimisations.push_back({pass.name, pass.unit, pass.before, pass.after});
  return record;
}

} // namespace popscope
