// What costing the steps of the profile again needs beside their cycles: barriers, reading of counters, sizes of
// messages, what goes between IPUs, and the machine with its costs.
#include "engine/collect/Collect.hpp"
#include "instrument/machine/Barriers.hpp"
#include "instrument/machine/CounterTimes.hpp"
#include "target-models/costs/CostModel.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace popscope {
namespace {

const char *syncName(SyncKind kind) {
  switch (kind) {
  case SyncKind::Internal: return "internal";
  case SyncKind::External: return "external";
  case SyncKind::Global: return "global";
  }
  return "";
}

bool isSync(StepKind kind) {
  return kind == StepKind::Sync || kind == StepKind::StreamCopyBegin || kind == StepKind::StreamCopyEnd;
}

void collectDelays(const CostModel &costs, std::uint32_t tiles, CompilationRecord &record) {
  for (const SyncKind kind : {SyncKind::Internal, SyncKind::External, SyncKind::Global}) {
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
  add("exchange.busSharing", exchange.busSharing ? 1 : 0, "");
  const HostModel &host = machine.host;
  add("host.setupCycles", host.setupCycles, "cycles");
  add("host.singlePacketBytesPerCycle", host.singlePacketBytesPerCycle, "bytes per cycle");
  add("host.bytesPerCycle", host.bytesPerCycle, "bytes per cycle");
  add("host.maxPacketBytes", host.maxPacketBytes, "bytes");
  add("link.bytesPerCycle", machine.link.bytesPerCycle, "bytes per cycle");
  add("link.latencyCycles", machine.link.latencyCycles, "cycles");
  add("sync.minDelayCycles", machine.sync.minDelayCycles, "cycles");
  add("sync.maxDelayCycles", machine.sync.maxDelayCycles, "cycles");
  add("sync.globalCycles", machine.sync.globalCycles, "cycles");
  add("tile.floatFlopsPerCycle", static_cast<double>(costs.peakFlops(ElementType::Float)), "operations per cycle");
  add("tile.halfFlopsPerCycle", static_cast<double>(costs.peakFlops(ElementType::Half)), "operations per cycle");
}

/// Sizes of messages, each combination once.
class SizeSets {
public:
  /// Its number, from 1; 0 where a size takes more than 32 bits.
  std::uint64_t numberOf(const std::map<std::uint64_t, std::uint32_t> &sizes, std::uint32_t buses) {
    MessageSizesRecord row;
    row.buses = buses;
    for (const auto &[bytes, messages] : sizes) {
      if (bytes > std::numeric_limits<std::uint32_t>::max())
        return 0;
      row.bytes.push_back(static_cast<std::uint32_t>(bytes));
      row.messages.push_back(messages);
    }
    return numbers_.try_emplace(std::move(row), numbers_.size() + 1).first->second;
  }
  [[nodiscard]] std::vector<MessageSizesRecord> rows() const {
    std::vector<MessageSizesRecord> all(numbers_.size());
    for (const auto &[row, number] : numbers_)
      all[number - 1] = row;
    return all;
  }

private:
  std::map<MessageSizesRecord, std::uint64_t> numbers_;
};

struct MessageCollector {
  const StepProgram &program;
  std::uint32_t tilesPerIpu;
  std::uint32_t ipusPerReplica;
  SizeSets sets;

  [[nodiscard]] std::uint32_t tileOf(HomeId home) const { return program.homes[home].tile.index(); }

  void collectReceived(const ExchangeStep &exchange, ProgramRecord &record) {
    std::map<std::uint32_t, std::map<std::uint64_t, std::uint32_t>> sizes; // by tile
    std::map<std::uint32_t, std::uint32_t> distance;
    for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
      const Message &message = program.messages[m];
      const std::uint32_t to = tileOf(message.dst), from = tileOf(message.src);
      ++sizes[to][message.bytes];
      const std::uint32_t a = from % tilesPerIpu, b = to % tilesPerIpu;
      distance[to] = std::max(distance[to], a > b ? a - b : b - a);
    }
    for (std::uint32_t t = exchange.firstTile; t < exchange.firstTile + exchange.numTiles; ++t) {
      const ExchangeTile &row = program.exchangeTiles[t];
      const auto at = sizes.find(row.tile.index());
      if (at == sizes.end())
        continue;
      if (row.buses != 0) // else some messages come by more buses than others: what-if keeps the transfer as recorded
        if (const std::uint64_t number = sets.numberOf(at->second, row.buses); number != 0)
          record.messageSizes.emplace_back(row.tile.index(), number);
      if (distance[row.tile.index()] != 0)
        record.receiveDistance.emplace_back(row.tile.index(), distance[row.tile.index()]);
    }
  }

  void collectLinks(const ExchangeStep &exchange, ProgramRecord &record) const {
    struct Flow {
      std::uint64_t bytes = 0;
      std::set<std::uint32_t> tiles;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Flow> flows;
    for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
      const Message &message = program.messages[m];
      const std::uint32_t to = tileOf(message.dst), from = tileOf(message.src);
      Flow &flow = flows[{from / tilesPerIpu, to / tilesPerIpu}];
      flow.bytes += message.bytes;
      flow.tiles.insert({from, to});
    }
    std::vector<ReplicaPair> pairs{{0, 0}};
    if (exchange.replicaMap >= 0)
      pairs = program.replicaMaps[static_cast<std::size_t>(exchange.replicaMap)];
    for (const auto &[ends, flow] : flows)
      for (const ReplicaPair &pair : pairs) {
        LinkTransferRecord row{
            pair.from * ipusPerReplica + ends.first, pair.to * ipusPerReplica + ends.second, flow.bytes, {}};
        for (const std::uint32_t tile : flow.tiles)
          row.tiles.emplace_back(tile, 1);
        record.links.push_back(std::move(row));
      }
  }
};

} // namespace

void collectRecosting(const CollectInput &input, CompilationRecord &record) {
  const StepProgram &program = input.program;
  const CostModel costs(input.machine);
  const CounterTimes counters(program, costs);
  MessageCollector messages{program, input.machine.tilesPerIpu, input.machine.numIpus, {}};
  for (std::size_t s = 0; s < program.steps.size(); ++s) {
    const StepIndex step = program.steps.idAt(s);
    ProgramRecord &p = record.programs[s];
    if (isSync(program.steps[step].kind))
      for (const SyncKind kind : barriersOf(program, step))
        p.barriers.emplace_back(syncName(kind));
    std::map<std::uint32_t, std::uint64_t> byTile, stores;
    for (const CounterTimes::TileTime &time : counters.timesOf(step)) {
      byTile[time.tile.index()] += time.cycles;
      stores[time.tile.index()] += time.stores;
    }
    p.counterCycles.assign(byTile.begin(), byTile.end());
    p.counterStores.assign(stores.begin(), stores.end());
    if (program.steps[step].kind == StepKind::DoExchange)
      messages.collectReceived(program.exchanges[program.steps[step].payload], p);
    else if (program.steps[step].kind == StepKind::GlobalExchange)
      messages.collectLinks(program.exchanges[program.steps[step].payload], p);
  }
  collectDelays(costs, program.numTiles, record);
  collectCosts(costs, record);
  record.messageSizes = messages.sets.rows();
  record.target.machine = tileMachineToJson(input.machine);
}

} // namespace popscope
