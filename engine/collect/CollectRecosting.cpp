// Collects the input of a re-simulation that no other collector provides: barriers, and the machine with its costs.
#include "engine/collect/Collect.hpp"
#include "instrument/machine/Barriers.hpp"
#include "target-models/costs/CostModel.hpp"

namespace popscope {
namespace {

const char *syncName(SyncKind kind) {
  switch (kind) {
  case SyncKind::Internal: return "internal";
  case SyncKind::External: return "external";
  case SyncKind::Global: return "global";
  case SyncKind::HostRequest: return "host request";
  case SyncKind::HostAnswer: return "host answer";
  }
  return "";
}

bool isSync(StepKind kind) {
  return kind == StepKind::Sync || kind == StepKind::StreamCopyBegin || kind == StepKind::StreamCopyEnd;
}

void collectDelays(const CostModel &costs, std::uint32_t tiles, CompilationRecord &record) {
  for (const SyncKind kind : kSyncKinds) {
    const bool ofHost = kind == SyncKind::HostRequest || kind == SyncKind::HostAnswer;
    if (ofHost && costs.machine().host.beginCycles == 0 && costs.machine().host.endCycles == 0)
      continue; // no copy waits for the host
    SyncDelayRecord delay{syncName(kind), kind != SyncKind::Internal, {}, {}};
    for (std::uint32_t t = 0; t < tiles; ++t) {
      delay.toController.push_back(static_cast<std::uint32_t>(costs.syncArrival(TileId(t)).count()));
      delay.fromController.push_back(static_cast<std::uint32_t>(costs.syncRelease(kind, TileId(t)).count()));
    }
    record.syncDelays.push_back(std::move(delay));
  }
}

void collectCosts(const CostModel &costs, CompilationRecord &record) {
  const TileMachine &machine = costs.machine();
  const auto add = [&record](const char *key, double value, const char *unit) {
    record.machineCosts.push_back({key, value, unit});
  };
  const ExchangeModel &exchange = machine.exchange;
  add("exchange.bytesPerCycle", exchange.bytesPerCycle, "bytes per cycle");
  add("exchange.controlCycles", exchange.perMessageCycles, "cycles");
  add("exchange.minLatencyCycles", exchange.minLatencyCycles, "cycles");
  add("exchange.maxLatencyCycles", exchange.maxLatencyCycles, "cycles");
  add("exchange.latencyExponent", exchange.latencyExponent, "");
  add("exchange.busSharing", exchange.busSharing ? 1 : 0, "");
  const HostModel &host = machine.host;
  add("host.setupCycles", host.setupCycles, "cycles");
  add("host.beginCycles", host.beginCycles, "cycles");
  add("host.endCycles", host.endCycles, "cycles");
  add("host.singlePacketBytesPerCycle", host.singlePacketBytesPerCycle, "bytes per cycle");
  add("host.bytesPerCycle", host.bytesPerCycle, "bytes per cycle");
  add("host.maxPacketBytes", host.maxPacketBytes, "bytes");
  add("link.bytesPerCycle", machine.link.bytesPerCycle, "bytes per cycle");
  add("link.setupCycles", machine.link.setupCycles, "cycles");
  add("link.latencyCycles", machine.link.latencyCycles, "cycles");
  add("sync.minDelayCycles", machine.sync.minDelayCycles, "cycles");
  add("sync.maxDelayCycles", machine.sync.maxDelayCycles, "cycles");
  add("sync.globalCycles", machine.sync.globalCycles, "cycles");
  if (!machine.regions.empty())
    add("tile.memoryElementBytes", machine.regions.front().elementSize, "bytes");
  add("tile.floatFlopsPerCycle", static_cast<double>(costs.peakFlops(ElementType::Float)), "operations per cycle");
  add("tile.halfFlopsPerCycle", static_cast<double>(costs.peakFlops(ElementType::Half)), "operations per cycle");
}

} // namespace

void collectRecosting(const CollectInput &input, CompilationRecord &record) {
  const StepProgram &program = input.program;
  const CostModel costs(input.machine);
  for (std::size_t s = 0; s < program.steps.size(); ++s) {
    const StepIndex step = program.steps.idAt(s);
    if (isSync(program.steps[step].kind))
      for (const SyncKind kind : barriersOf(program, step))
        record.programs[s].barriers.emplace_back(syncName(kind));
  }
  collectDelays(costs, program.numTiles, record);
  collectCosts(costs, record);
  record.target.machine = tileMachineToJson(input.machine);
}

} // namespace popscope
