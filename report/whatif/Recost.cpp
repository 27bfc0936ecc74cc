#include "report/whatif/Recost.hpp"

#include "base/Extent.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "target-models/model/TileMachine.hpp"
#include "target-models/timing/TileClocks.hpp"

#include <algorithm>
#include <stdexcept>

namespace popscope {
namespace {

constexpr std::uint64_t kMaxVertices = std::uint64_t(1) << 26; // maximum of one tile, because each vertex takes memory
constexpr std::uint64_t kFewBytes = 4096;               // bytes of one tile in one exchange: a table contains the
                                                        // cycles of smaller numbers
constexpr std::size_t kTaskSegments = 16;               // minimum number of segments per task
constexpr std::size_t kMaxTiles = std::size_t(1) << 24; // maximum number of tiles of a machine, see docs/MACHINES.md

std::vector<std::uint64_t> firstTiles(const pva::Values &values, std::size_t count) {
  std::vector<std::uint64_t> result(values.begin(), values.begin() + std::min(count, values.size()));
  result.resize(count);
  return result;
}

} // namespace

TileMachine recordedMachine(const pva::Report &report) {
  const std::string json = report.compilation().target().machine();
  if (json.empty())
    throw AnswerError("the profile does not contain its machine; record it again with this version");
  try {
    TileMachine machine = parseTileMachine(json, "the machine in the profile");
    const pva::Target target = report.compilation().target();
    if (target.type() == pva::Target::Type::Ipu) // the recorded values already are those of the device
      machine.kind = DeviceKind::Ipu;
    if (machine.tilesPerIpu != target.tilesPerIpu() || machine.numTiles() > kMaxTiles ||
        machine.workerContexts != target.workerContexts())
      throw AnswerError("the profile is corrupt: its machine is not that of its target");
    return machine;
  } catch (const AnswerError &) {
    throw;
  } catch (const std::exception &e) {
    throw AnswerError(std::string("the profile is corrupt: ") + e.what());
  }
}

std::vector<std::size_t> runsToRecost(const pva::Report &report, const Selection &selection, Rows &rows) {
  const auto all = report.execution().runs();
  const std::vector<std::size_t> selected = selectedRuns(report, selection), runs = summedRuns(report, selection);
  if (runs.empty())
    refuseWithoutRun(report);
  if (!all[runs.front()].complete()) {
    std::string ended; // for example "0,2"
    for (std::size_t run = 0; run < all.size(); ++run)
      if (all[run].complete())
        ended += (ended.empty() ? "" : ",") + std::to_string(run);
    throw AnswerError((runs.size() == 1 ? "run " + std::to_string(runs.front()) + " was cut short, so its length is"
                                        : "all selected runs were cut short, so their lengths are") +
                      " unknown" +
                      (ended.empty()      ? "; no recorded run ended"
                       : runs.size() == 1 ? "; leave it out with --runs " + ended
                                          : "; leave them out with --runs " + ended));
  }
  if (const std::size_t cut = selected.size() - runs.size(); cut != 0)
    rows.notes.push_back(noteOfCutRuns(cut));
  return runs;
}

namespace {

/// Returns the position of the object in `seen` that equals `what`. If there is no such object, adds `what` to `seen`.
template <class T> std::size_t numberOf(T what, std::vector<T> &seen) {
  const auto number = static_cast<std::size_t>(std::find(seen.begin(), seen.end(), what) - seen.begin());
  if (number == seen.size())
    seen.push_back(std::move(what));
  return number;
}

/// Makes machines that equal the recorded machine except in the fields on which exchanges, links or host copies depend;
/// these fields come from another machine. So machines that agree in one of these respects compare equal.
struct InRespectOf {
  const TileMachine &recorded;
  [[nodiscard]] TileMachine links(TileMachine machine) const {
    machine.name = recorded.name;
    machine.workerContexts = recorded.workerContexts;
    machine.sync = recorded.sync;
    machine.host = recorded.host;
    return machine;
  }
  [[nodiscard]] TileMachine exchange(TileMachine machine) const {
    machine = links(std::move(machine));
    machine.link = recorded.link;
    return machine;
  }
  [[nodiscard]] TileMachine host(TileMachine machine) const {
    const HostModel host = machine.host;
    machine = exchange(std::move(machine));
    machine.exchange = recorded.exchange;
    machine.host = host;
    return machine;
  }
};

// Returns the delays of the program's tiles. On a machine with more tiles per IPU, each tile of the program keeps its
// IPU and its number on this IPU. The other tiles of the IPU have no work, but take part in the syncs. The furthest of
// these tiles is released last, and its signal takes longest, so this tile stands for all tiles without work.
std::map<std::string, BarrierDelay> delaysOf(const CostModel &costs, std::size_t tiles, std::uint32_t tilesPerIpu) {
  std::map<std::string, BarrierDelay> delays;
  for (const auto &[name, kind] :
       {std::pair("internal", SyncKind::Internal), std::pair("external", SyncKind::External),
        std::pair("global", SyncKind::Global), std::pair("host request", SyncKind::HostRequest),
        std::pair("host answer", SyncKind::HostAnswer)}) {
    BarrierDelay &delay = delays[name];
    delay.kind = name;
    delay.acrossIpus = kind != SyncKind::Internal;
    for (std::uint32_t t = 0; t < tiles; ++t) {
      const TileId tile(t / tilesPerIpu * costs.machine().tilesPerIpu + t % tilesPerIpu);
      delay.toController.push_back(costs.syncArrival(tile).count());
      delay.fromController.push_back(costs.syncRelease(kind, tile).count());
    }
    if (const std::uint32_t all = costs.machine().tilesPerIpu; all > tilesPerIpu)
      delay.idle = BarrierDelay::Idle{costs.syncArrival(TileId(all - 1)).count(),
                                      costs.syncRelease(kind, TileId(all - 1)).count()};
  }
  return delays;
}

} // namespace

// Numbers the machines by each respect on which costs depend (exchange, links, host, workers, sync), so that machines
// that agree in a respect share the costs of this respect. Also builds the tables of exchange costs.
MachineCosts::MachineCosts(const pva::Report &report, std::vector<TileMachine> machines)
    : tiles_(report.compilation().target().tilesPerReplica()), tilesPerIpu_(machines.front().tilesPerIpu),
      replicas_(report.compilation().target().numReplicas()), oneIpu_(tiles_ == tilesPerIpu_),
      sizes_(report.compilation().messageSizes()) {
  const TileMachine &recorded = machines.front();
  const InRespectOf respect{recorded};
  std::vector<TileMachine> exchange, link, host;
  for (const TileMachine &machine : machines) {
    Kinds kinds;
    kinds.exchange = numberOf(respect.exchange(machine), exchange);
    kinds.link = numberOf(respect.links(machine), link);
    kinds.host = numberOf(respect.host(machine), host);
    kinds.workers = numberOf(machine.workerContexts, workers_);
    kinds.sync = numberOf(delaysOf(CostModel(machine), tiles_, recorded.tilesPerIpu), delays_);
    kinds_.push_back(kinds);
  }
  for (const auto &[seen, costs] : {std::pair(&exchange, &exchangeCosts_), {&link, &linkCosts_}, {&host, &hostCosts_}})
    for (const TileMachine &machine : *seen)
      costs->emplace_back(machine);
  for (const CostModel &costs : exchangeCosts_) {
    ExchangeTable table;
    table.transfer.push_back(0);
    for (const pva::MessageSizes &messages : sizes_) {
      std::uint64_t cycles = 0;
      for (std::size_t i = 0; i < messages.bytes.size(); ++i)
        cycles += messages.messages[i] *
                  costs.exchangeTransfer(Bytes(messages.bytes[i]), std::max(1u, messages.buses)).count();
      table.transfer.push_back(cycles);
    }
    for (std::uint32_t distance = 0; distance < tiles_; ++distance)
      table.latency.push_back(costs.exchangeLatency(TileId(0), TileId(distance)).count());
    for (std::uint64_t bytes = 0; bytes < kFewBytes; ++bytes)
      table.sent.push_back(costs.exchangeTransfer(Bytes(bytes), 1).count());
    exchangeTables_.push_back(std::move(table));
  }
}

MachineCosts::Busy::Busy(Cycles64 cycles) : byTile(std::move(cycles)) {
  const auto [low, high] = extentOf(byTile);
  least = low;
  most = high;
}

std::size_t MachineCosts::Kinds::*MachineCosts::respectOf(const ReplayProgram &program) const {
  switch (program.kind) {
  case ReplayProgram::Kind::Barriers: return &Kinds::sync;
  case ReplayProgram::Kind::Work: return &Kinds::workers;
  case ReplayProgram::Kind::Exchange:
  case ReplayProgram::Kind::ExchangeAcross: break;
  }
  switch (program.info->kind) {
  case StepCause::Exchange: return &Kinds::exchange;
  case StepCause::GlobalExchange: return &Kinds::link;
  case StepCause::Compute:
  case StepCause::HostExchange:
  case StepCause::HostWait:
  case StepCause::Barrier:
  case StepCause::Control: break;
  }
  return &Kinds::host;
}

bool MachineCosts::hasIdleTiles() const {
  return std::any_of(delays_.begin(), delays_.end(), [](const auto &kinds) { return kinds.begin()->second.idle; });
}

void MachineCosts::keepAsRecorded(const std::string &what) {
  const std::lock_guard guard(mutex_);
  kept_.insert(what);
}

const BarrierDelay &MachineCosts::delayOf(const BarrierDelay &recorded, const Kinds &kinds) const {
  return delays_[kinds.sync].at(recorded.kind);
}

const ReplayProgram &MachineCosts::programOf(const ReplayProgram &recorded, const pva::ExecutionStep &step,
                                             const Kinds &kinds) {
  const std::size_t workers = recorded.counters.empty() ? 0 : kinds.workers;
  const std::lock_guard guard(mutex_);
  const auto [at, isNew] = programs_.try_emplace({recorded.info->id, kinds.sync, workers}, recorded);
  ReplayProgram &program = at->second;
  if (!isNew)
    return program;
  const auto source = step.program();
  program.barriers.clear();
  for (const std::string &kind : source->barriers())
    program.barriers.push_back(&delays_[kinds.sync].at(kind));
  if (workers == 0)
    return program;
  const auto stores = firstTiles(source->counterStoresByTile(), tiles_);
  const std::uint64_t before = workers_.front(), now = workers_[workers];
  for (std::size_t t = 0; t < program.counters.size(); ++t)
    if (program.counters[t] >= stores[t] * before)
      program.counters[t] = program.counters[t] - stores[t] * before + stores[t] * now;
  return program;
}

struct MachineCosts::Moves {
  const pva::ExchangeProgram &program;
  Cycles64 sent, received, recorded; // recorded: cycles
};

bool MachineCosts::areSizesKnown(std::span<const std::uint64_t> sizes, std::span<const std::uint64_t> distance) const {
  const std::uint64_t most = sizes_.size();
  std::uint64_t unknown = 0;
  for (std::size_t t = 0; t < tiles_; ++t) // a tile without messages has no sender
    unknown |= sizes[t] == 0 ? distance[t] : static_cast<std::uint64_t>(sizes[t] > most);
  return unknown == 0;
}

std::uint64_t MachineCosts::exchangeCycles(std::size_t kind, const TileMessages &m) const {
  const CostModel &costs = exchangeCosts_[kind];
  const ExchangeTable &table = exchangeTables_[kind];
  const std::uint64_t send = m.sent < kFewBytes ? table.sent[m.sent] : costs.exchangeTransfer(Bytes(m.sent), 1).count();
  const bool known = m.sizes != 0 && m.sizes <= sizes_.size();
  if (!known && m.transfer == 0)
    return send;
  const std::uint64_t transfer = known ? table.transfer[m.sizes] : m.transfer;
  const std::uint64_t away = std::min<std::uint64_t>(m.distance, tiles_ - 1);
  const std::uint64_t control = costs.exchangeControls(1).count();
  return std::max(send, table.latency[away] + std::max(transfer, control * m.controls));
}

MessageCosts MachineCosts::messageCosts() const {
  return {exchangeCosts_.size(),
          [this](std::size_t kind, const TileMessages &messages) { return exchangeCycles(kind, messages); }};
}

MachineCosts::Cycles64 MachineCosts::linkCycles(std::size_t kind, const Moves &moves) const {
  const CostModel &costs = linkCosts_[kind];
  Cycles64 cycles = moves.sent;
  for (std::uint64_t &c : cycles)
    c = costs.exchangeTransfer(Bytes(c), 1).count();
  const std::vector<pva::LinkTransfer> links = moves.program.linkTransfers();
  // If the profile has transfers of replica 0 only, each replica moves the same data between its own IPUs. The times
  // are then computed for the transfers of replica 0, but the transfers of all replicas share the links.
  const std::uint64_t ipus = tiles_ / tilesPerIpu_; // number of IPUs of a replica
  const bool within = std::all_of(links.begin(), links.end(), [&](const pva::LinkTransfer &link) {
    return link.fromIpu < ipus && link.toIpu < ipus;
  });
  std::vector<IpuTransfer> transfers;
  for (std::uint64_t replica = 0; replica < (within ? replicas_ : 1); ++replica)
    for (const pva::LinkTransfer &link : links)
      transfers.push_back({IpuId(static_cast<std::uint32_t>(link.fromIpu + replica * ipus)),
                           IpuId(static_cast<std::uint32_t>(link.toIpu + replica * ipus)), Bytes(link.bytes)});
  const std::vector<IpuTransferCycles> takes = costs.globalExchange(transfers);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const pva::LinkTransfer &link = links[i];
    for (std::size_t t = 0; t < std::min(tiles_, link.tiles.size()); ++t)
      if (link.tiles[t] != 0) {
        const std::uint64_t ipu = t / tilesPerIpu_;
        const Bytes passed(
            std::max(ipu == link.fromIpu % ipus ? moves.sent[t] : 0, ipu == link.toIpu % ipus ? moves.received[t] : 0));
        cycles[t] = std::max(cycles[t], costs.globalExchangeTile(takes[i], passed).count());
      }
  }
  return cycles;
}

MachineCosts::Cycles64 MachineCosts::hostCycles(std::size_t kind, const Moves &moves) const {
  std::uint64_t bytes = 0;
  for (std::size_t t = 0; t < tiles_; ++t)
    bytes += moves.sent[t] + moves.received[t];
  const std::uint64_t takes = hostCosts_[kind].hostCopy(Bytes(bytes)).count();
  Cycles64 cycles = moves.recorded;
  for (std::uint64_t &c : cycles)
    c = c == 0 ? 0 : takes;
  return cycles;
}

// Estimates a DoExchange for each kind of machine, from the sizes of the received messages or else from the recorded
// transfer. Uses an input only if the input gives the recorded cycles for the recorded machine. If neither input does,
// the exchange keeps its recorded cycles, and kept() reports the exchange.
MachineCosts::ByKind MachineCosts::tileExchangeByKind(const pva::ExchangeProgram &exchange,
                                                      const ReplayProgram &program, std::span<const std::uint64_t> only,
                                                      MessageCosts &costs) {
  ByKind byKind(exchangeCosts_.size());
  const TileNumbers sent(exchange.bytesSentByTile(), tiles_), sizes(exchange.messageSizesByTile(), tiles_),
      distance(exchange.receiveDistanceByTile(), tiles_), controls(exchange.receiveControlsByTile(), tiles_);
  // Returns whether the model gives the cycles of the program's only execution, or the cycles that the file states for
  // all executions.
  const auto areRecorded = [&](const TileNumbers &transfer) {
    costs.begin({sent.byTile(), sizes.byTile(), distance.byTile(), controls.byTile(), transfer.byTile()});
    return (!only.empty() && costs.firstAre(only)) ||
           costs.firstAre(TileNumbers(exchange.estimatedCyclesByTile(), tiles_).byTile());
  };
  // First tries the sizes of received messages, if these sizes are known. Then tries the recorded transfer.
  if (!(areSizesKnown(sizes.byTile(), distance.byTile()) && areRecorded({})) &&
      !areRecorded({exchange.receiveTransferByTile(), tiles_})) {
    keepAsRecorded(program.info->title + " (step " + std::to_string(program.info->id) + ")");
    return byKind;
  }
  const std::vector<std::uint32_t> &messages = costs.numbers();
  const bool together = oneIpu_ || program.kind == ReplayProgram::Kind::ExchangeAcross;
  for (std::size_t kind = 1; kind < byKind.size(); ++kind) {
    std::uint64_t least = ~std::uint64_t(0), most = 0;
    for (const std::uint32_t number : costs.ofExchange()) {
      least = std::min(least, costs.cycles(number)[kind]);
      most = std::max(most, costs.cycles(number)[kind]);
    }
    Cycles64 byTile;
    if (!together || least == 0) {
      byTile.resize(tiles_);
      for (std::size_t t = 0; t < tiles_; ++t)
        byTile[t] = costs.cycles(messages[t])[kind];
    }
    byKind[kind] = std::make_shared<const Busy>(least, most, std::move(byTile));
  }
  return byKind;
}

MachineCosts::ByKind MachineCosts::exchangeByKind(const pva::ExecutionStep &step, const ReplayProgram &program,
                                                  std::span<const std::uint64_t> only, MessageCosts &costs) {
  const bool onTiles = program.info->kind == StepCause::Exchange;
  const bool links = program.info->kind == StepCause::GlobalExchange;
  ByKind byKind(onTiles ? exchangeCosts_.size() : links ? linkCosts_.size() : hostCosts_.size());
  if (byKind.size() == 1)
    return byKind;
  const auto source = step.program();
  const auto *exchange = dynamic_cast<const pva::ExchangeProgram *>(source.get());
  if (exchange == nullptr)
    return byKind;
  if (onTiles)
    return tileExchangeByKind(*exchange, program, only, costs);
  const Moves moves{*exchange, firstTiles(exchange->bytesSentByTile(), tiles_),
                    firstTiles(exchange->bytesReceivedByTile(), tiles_),
                    firstTiles(exchange->estimatedCyclesByTile(), tiles_)};
  const auto costed = [&](std::size_t kind) { return links ? linkCycles(kind, moves) : hostCycles(kind, moves); };
  if (costed(0) != moves.recorded) {
    keepAsRecorded(program.info->title + " (step " + std::to_string(program.info->id) + ")");
    return byKind;
  }
  for (std::size_t kind = 1; kind < byKind.size(); ++kind)
    byKind[kind] = std::make_shared<const Busy>(costed(kind));
  return byKind;
}

// Returns the cycles per tile of a compute set with another number of worker slots. Assigns the recorded vertices to
// the slots again, once for all tiles with the same pattern of vertices. Tiles without a pattern have at most one
// vertex per slot.
MachineCosts::Cycles64 MachineCosts::computeCycles(const pva::WorkerSlots &slots, std::uint32_t workers) const {
  Cycles64 cycles = firstTiles(slots.supervisorCyclesByTile(), tiles_);
  std::vector<Cycles64> loads;
  for (std::size_t s = 0; s < slots.count(); ++s)
    loads.push_back(firstTiles(slots.threadCyclesByTile(s), tiles_));
  const pva::DealtVertices dealt = slots.dealtVertices();
  const Cycles64 pattern = firstTiles(dealt.patternByTile, tiles_);
  SlotLoads dealer(workers);
  std::map<std::uint64_t, std::uint64_t> ofPattern;
  for (std::size_t t = 0; t < tiles_; ++t) {
    if (pattern[t] != 0) {
      const auto [at, isNew] = ofPattern.try_emplace(pattern[t], 0);
      if (isNew) {
        dealer.clear();
        std::uint64_t vertices = 0;
        for (const pva::DealtRun &run : dealt.patterns.at(pattern[t] - 1))
          if ((vertices += run.vertices) > kMaxVertices)
            throw AnswerError("the profile is corrupt: it has more vertices on a tile than fit");
        for (const pva::DealtRun &run : dealt.patterns.at(pattern[t] - 1))
          for (std::uint64_t v = 0; v < run.vertices; ++v)
            dealer.deal(run.threadCycles);
        at->second = dealer.tileCycles();
      }
      cycles[t] += at->second;
      continue;
    }
    dealer.clear();
    for (const Cycles64 &load : loads)
      if (load[t] != 0)
        dealer.deal(load[t]);
    cycles[t] += dealer.tileCycles();
  }
  return cycles;
}

MachineCosts::ByKind MachineCosts::computeByKind(const pva::WorkerSlots &slots) const {
  ByKind byKind(workers_.size());
  for (std::size_t kind = 1; kind < workers_.size(); ++kind)
    byKind[kind] = std::make_shared<const Busy>(computeCycles(slots, workers_[kind]));
  return byKind;
}

// Returns the costs of a step by kind of machine, from a cache. The key of the cache is the program or the worker
// slots. Runs are replayed in parallel, so two threads may compute the same entry; the cache keeps the first entry. If
// `only` contains cycles (of the program's only execution), the entry is not stored.
std::shared_ptr<const MachineCosts::ByKind> MachineCosts::cyclesOf(const RunReplay &replay, std::size_t step,
                                                                   std::span<const std::uint64_t> only,
                                                                   MessageCosts &costs) {
  const ReplayProgram &program = replay.program(step);
  static const auto kAsRecorded = std::make_shared<const ByKind>();
  if (program.kind == ReplayProgram::Kind::Barriers)
    return kAsRecorded;
  const auto find = [&](auto &known, auto id) -> std::shared_ptr<const ByKind> {
    const std::lock_guard guard(mutex_);
    const auto at = known.find(id);
    return at == known.end() ? nullptr : at->second;
  };
  const auto store = [&](auto &known, auto id, ByKind byKind) {
    auto made = std::make_shared<const ByKind>(std::move(byKind));
    if (only.empty()) { // the entry may be requested again
      const std::lock_guard guard(mutex_);
      known.emplace(id, made);
    }
    return made;
  };
  if (program.kind != ReplayProgram::Kind::Work) {
    const auto known = find(exchanges_, program.info->id);
    return known ? known
                 : store(exchanges_, program.info->id, exchangeByKind(replay.stepAt(step), program, only, costs));
  }
  if (workers_.size() == 1)
    return kAsRecorded;
  const pva::WorkerSlots slots = replay.stepAt(step).workerSlots();
  if (program.info->kind == StepCause::Compute)
    (slots.known() ? setsDealt_ : setsKept_) = true;
  if (!slots.known())
    return kAsRecorded;
  const auto known = find(computes_, slots._id());
  return known ? known : store(computes_, slots._id(), computeByKind(slots));
}

namespace {

/// Machines with equal clocks. The clocks count from the last point at which all tiles of each machine had equal
/// clocks.
struct ClockGroup {
  std::shared_ptr<TileClocks> clocks; // shared by groups; a group copies it before a change
  std::vector<std::size_t> machines;
  std::uint64_t latest = 0; // maximum of the clocks

  TileClocks &ownClocks() {
    if (clocks.use_count() > 1)
      clocks = std::make_shared<TileClocks>(*clocks);
    return *clocks;
  }
};

/// Passes the segments of a run with all machines, one segment after another. Machines are in groups with equal clocks;
/// a group is split when a step has different costs on its machines. Groups are joined again if, within each of these
/// groups, all tiles have equal clocks.
class SegmentPasser {
public:
  SegmentPasser(const RunReplay &replay, MachineCosts &costs, const std::map<std::size_t, std::size_t> &executions,
                std::vector<std::vector<std::uint64_t>> &parts)
      : replay_(replay), costs_(costs), executions_(executions), parts_(parts), messages_(costs.messageCosts()),
        zero_(std::make_shared<TileClocks>(replay.clocks())), idle_(costs.hasIdleTiles()) {}

  void passSegment(const RunSegment &segment) {
    groups_.assign(1, {zero_, {}, 0});
    for (std::size_t m = 0; m < costs_.machines(); ++m)
      groups_.front().machines.push_back(m);
    if (const ReplayProgram *before = segment.before; before != nullptr) {
      splitAtBarrier(*before);
      for (ClockGroup &group : groups_) {
        const Start &start = before->counters.empty()
                                 ? startBehind(costs_.delayOf(*before->barriers.back(), kindsOf(group)))
                                 : startBehind(programOf(*before, segment.first - 1, group));
        group.clocks = start.clocks;
        group.latest = start.latest;
      }
    }
    for (std::size_t s = segment.first; s < segment.end; ++s) {
      if (s + 1 == segment.end && !segment.last && endsWithOneBarrier(replay_.program(s)))
        close(s);
      else
        pass(s);
    }
  }

private:
  using Respect = std::size_t MachineCosts::Kinds::*;
  struct Start {
    std::shared_ptr<TileClocks> clocks;
    std::uint64_t latest = 0;
  };

  /// Returns the clocks after the last barrier of a program.
  const Start &startBehind(const ReplayProgram &before) {
    return startOf(&before, [&](TileClocks &clocks) { startAfter(before, clocks); });
  }
  const Start &startBehind(const BarrierDelay &barrier) {
    return startOf(&barrier, [&](TileClocks &clocks) { clocks.startAfter(barrier); });
  }
  template <class Set> const Start &startOf(const void *what, const Set &set) {
    if (starts_.size() > kMaxStarts)
      starts_.clear();
    Start &start = starts_[what];
    if (!start.clocks) {
      start.clocks = std::make_shared<TileClocks>(*zero_);
      set(*start.clocks);
      start.latest = start.clocks->latest();
    }
    return start;
  }

  [[nodiscard]] const MachineCosts::Kinds &kindsOf(const ClockGroup &group) const {
    return costs_.kindsOf(group.machines.front());
  }
  [[nodiscard]] const ReplayProgram &programOf(const ReplayProgram &recorded, std::size_t step,
                                               const ClockGroup &group) {
    const bool changes = recorded.kind == ReplayProgram::Kind::Barriers || !recorded.counters.empty();
    return changes ? costs_.programOf(recorded, replay_.stepAt(step), kindsOf(group)) : recorded;
  }

  /// Splits groups, so that all machines of a group are alike: alike(kinds, kinds) is true, and the counters of the
  /// program take the same cycles.
  template <class Alike> void split(const ReplayProgram &program, const Alike &alike) {
    const auto together = [&](std::size_t a, std::size_t b) {
      const MachineCosts::Kinds &x = costs_.kindsOf(a), &y = costs_.kindsOf(b);
      return alike(x, y) && (program.counters.empty() || x.workers == y.workers);
    };
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      std::vector<std::size_t> &all = groups_[g].machines;
      const auto others = std::stable_partition(all.begin(), all.end(),
                                                [&, first = all.front()](std::size_t m) { return together(first, m); });
      if (others == all.end())
        continue;
      std::vector<std::size_t> rest(others, all.end());
      all.erase(others, all.end());
      groups_.push_back(
          {groups_[g].clocks, std::move(rest), groups_[g].latest}); // the loop reaches and splits the new group later
    }
  }
  void splitAtBarrier(const ReplayProgram &program) {
    split(program, [](const MachineCosts::Kinds &x, const MachineCosts::Kinds &y) { return x.sync == y.sync; });
  }

  // Passes one step with every group. If an exchange of all tiles keeps every tile busy, all clocks are equal after the
  // exchange, so the maximum of its cycles suffices. Otherwise, the cost is linear in the tiles of each group. Joins
  // the groups in which all tiles have equal clocks. With idle tiles, whose clocks differ from those of busy tiles, the
  // cost of every step is linear.
  void pass(std::size_t step) {
    const ReplayProgram &recorded = replay_.program(step);
    const TileNumbers asRecorded = replay_.recordedCycles(step);
    const bool again = executions_.at(recorded.info->id) > 1;
    const auto byKind =
        costs_.cyclesOf(replay_, step, again ? std::span<const std::uint64_t>() : asRecorded.byTile(), messages_);
    const Respect respect = costs_.respectOf(recorded);
    const auto cyclesOn = [&](const MachineCosts::Kinds &kinds) { // null = the recorded cycles
      const std::size_t kind = kinds.*respect;
      return kind < byKind->size() ? (*byKind)[kind].get() : nullptr;
    };
    if (recorded.kind == ReplayProgram::Kind::Barriers)
      splitAtBarrier(recorded);
    else
      split(recorded, [&](const MachineCosts::Kinds &x, const MachineCosts::Kinds &y) {
        return x.*respect == y.*respect || cyclesOn(x) == cyclesOn(y);
      });
    ClockGroup *level = nullptr; // a group whose tiles have equal clocks: only differences between tiles matter, so
                                 // such groups are joined
    const bool together = recorded.kind == ReplayProgram::Kind::ExchangeAcross ||
                          (recorded.kind == ReplayProgram::Kind::Exchange && replay_.oneIpu());
    const auto [least, most] = together ? extentOf(asRecorded.byTile()) : std::pair<std::uint64_t, std::uint64_t>();
    for (ClockGroup &group : groups_) {
      const MachineCosts::Busy *other = cyclesOn(kindsOf(group));
      const std::uint64_t before = group.latest;
      const ReplayProgram &program = programOf(recorded, step, group);
      const std::uint64_t longest = other != nullptr ? other->most : most;
      if (together &&
          (other != nullptr ? other->least : least) != 0) { // all tiles start with the last one and end with the
                                                            // longest one
        if (idle_) {
          group.ownClocks().exchangeOfAll(longest);
          group.latest = program.counters.empty() ? group.clocks->latest() : group.ownClocks().work(program.counters);
          notePart(group, step, group.latest - before);
        } else {
          group.clocks = zero_;
          group.latest = program.counters.empty() ? 0 : group.ownClocks().work(program.counters);
          notePart(group, step, group.latest + longest);
        }
      } else {
        const auto busy = other != nullptr ? std::span(other->byTile) : asRecorded.byTile();
        if (program.kind == ReplayProgram::Kind::Work && program.counters.empty()) {
          group.latest = group.ownClocks().work(busy);
        } else {
          passStep(program, busy, group.ownClocks());
          group.latest = group.clocks->latest();
        }
        notePart(group, step, group.latest - before);
      }
      if (idle_ || (group.clocks != zero_ && !group.clocks->level()))
        continue;
      group.clocks = zero_;
      group.latest = 0;
      if (level == nullptr) {
        level = &group;
        continue;
      }
      level->machines.insert(level->machines.end(), group.machines.begin(), group.machines.end());
      group.machines.clear();
    }
    std::erase_if(groups_, [](const ClockGroup &group) { return group.machines.empty(); });
  }

  [[nodiscard]] static bool endsWithOneBarrier(const ReplayProgram &program) {
    return program.barriers.size() == 1 && program.counters.empty();
  }
  /// Passes the step with the barrier of all tiles at the segment's end. The next segment begins with the clocks after
  /// this barrier.
  void close(std::size_t step) {
    splitAtBarrier(replay_.program(step));
    for (ClockGroup &group : groups_) {
      const BarrierDelay &delay = costs_.delayOf(*replay_.program(step).barriers.front(), kindsOf(group));
      notePart(group, step, group.clocks->lastSignal(delay) + startBehind(delay).latest - group.latest);
    }
  }

  void notePart(const ClockGroup &group, std::size_t step, std::uint64_t part) {
    for (const std::size_t m : group.machines)
      parts_[m][step] = part;
  }

  static constexpr std::size_t kMaxStarts = 64;
  const RunReplay &replay_;
  MachineCosts &costs_;
  const std::map<std::size_t, std::size_t> &executions_; // by program id
  std::vector<std::vector<std::uint64_t>> &parts_;
  MessageCosts messages_;
  std::shared_ptr<TileClocks> zero_;     // all clocks at 0
  bool idle_;                            // a machine has tiles that the program leaves idle
  std::map<const void *, Start> starts_; // by program or barrier
  std::vector<ClockGroup> groups_;
};

/// Returns the cycles of the run from the recorded data. Used only if the parts for the recorded machine do not add up
/// to the recorded length.
std::uint64_t passRecorded(const RunReplay &replay) {
  TileClocks clocks = replay.clocks();
  for (std::size_t s = 0; s < replay.steps(); ++s)
    passStep(replay.program(s), replay.recordedCycles(s).byTile(), clocks);
  return clocks.latest();
}

} // namespace

std::vector<std::vector<std::uint64_t>> recostRun(const RunReplay &replay, std::size_t run, MachineCosts &costs) {
  const auto fail = [run](const std::string &why) {
    throw AnswerError("run " + std::to_string(run) + " cannot be estimated again: " + why);
  };
  if (!replay.lacks().empty())
    fail(replay.lacks());
  std::vector<std::vector<std::uint64_t>> parts(costs.machines(), std::vector<std::uint64_t>(replay.steps()));
  std::map<std::size_t, std::size_t> executions;
  for (std::size_t s = 0; s < replay.steps(); ++s)
    ++executions[replay.program(s).info->id];
  const std::vector<RunSegment> segments = replay.segments();
  parallelRanges({}, segments.size(), kTaskSegments, [&](std::size_t first, std::size_t end) {
    SegmentPasser passer(replay, costs, executions, parts);
    for (std::size_t i = first; i < end; ++i)
      passer.passSegment(segments[i]);
  });
  std::uint64_t cycles = 0;
  for (const std::uint64_t part : parts.front())
    cycles += part;
  if (cycles != replay.length())
    if (const std::string why = replay.whyNot(passRecorded(replay)); !why.empty())
      fail(why);
  return parts;
}

} // namespace popscope
