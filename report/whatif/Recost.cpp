#include "report/whatif/Recost.hpp"

#include "target-models/model/TileMachine.hpp"

#include <algorithm>
#include <stdexcept>

namespace popscope {
namespace {

constexpr std::uint64_t kMostVertices = std::uint64_t(1) << 26; // of one tile; each takes some memory
constexpr std::size_t kMostTiles = std::size_t(1) << 24;        // of a machine, see docs/MACHINES.md

std::vector<std::uint64_t> firstTiles(const pva::Values &values, std::size_t count) {
  std::vector<std::uint64_t> result(values.begin(), values.begin() + std::min(count, values.size()));
  result.resize(count);
  return result;
}

std::uint64_t latest(const TileClocks &clocks) { return *std::max_element(clocks.now().begin(), clocks.now().end()); }

/// Thread cycles of the fullest slot when the vertices are dealt again.
class SlotDealer {
public:
  explicit SlotDealer(std::uint64_t slots) : load_(slots) {}
  void clear() { std::fill(load_.begin(), load_.end(), 0); }
  void deal(std::uint64_t cycles) { *std::min_element(load_.begin(), load_.end()) += cycles; } // the lowest of equals
  [[nodiscard]] std::uint64_t tileCycles() const {
    return load_.size() * *std::max_element(load_.begin(), load_.end());
  }

private:
  std::vector<std::uint64_t> load_;
};

} // namespace

TileMachine recordedMachine(const pva::Report &report) {
  const std::string json = report.compilation().target().machine();
  if (json.empty())
    throw AnswerError("the profile does not hold its machine (it is of format 5 or older); run the program again");
  try {
    TileMachine machine = parseTileMachine(json, "the machine in the profile");
    const pva::Target target = report.compilation().target();
    if (machine.tilesPerIpu != target.tilesPerIpu() || machine.numTiles() > kMostTiles ||
        machine.workerContexts != target.workerContexts())
      throw AnswerError("the profile is corrupt: its machine is not that of its target");
    return machine;
  } catch (const AnswerError &) {
    throw;
  } catch (const std::exception &e) {
    throw AnswerError(std::string("the profile is corrupt: ") + e.what());
  }
}

MachineCosts::MachineCosts(const pva::Report &report, const TileMachine &recorded, const TileMachine &machine)
    : tiles_(report.compilation().target().tilesPerReplica()), recorded_(recorded), costs_(machine),
      sameExchanges_(machine.exchange == recorded.exchange && machine.link == recorded.link &&
                     machine.host == recorded.host && machine.clockHz == recorded.clockHz),
      sizes_(report.compilation().messageSizes()) {
  for (const auto &[name, kind] : {std::pair("internal", SyncKind::Internal), std::pair("external", SyncKind::External),
                                   std::pair("global", SyncKind::Global)}) {
    BarrierDelay &delay = delays_[name];
    delay.acrossIpus = kind != SyncKind::Internal;
    for (std::uint32_t t = 0; t < tiles_; ++t) {
      delay.toController.push_back(costs_.syncArrival(TileId(t)).count());
      delay.fromController.push_back(costs_.syncRelease(kind, TileId(t)).count());
    }
  }
}

const ReplayProgram &MachineCosts::programOf(const ReplayProgram &recorded, const pva::ExecutionStep &step) {
  const auto [at, isNew] = programs_.try_emplace(recorded.info->id, recorded);
  ReplayProgram &program = at->second;
  if (!isNew)
    return program;
  const auto source = step.program();
  program.barriers.clear();
  for (const std::string &kind : source->barriers())
    program.barriers.push_back(&delays_.at(kind));
  if (program.counters.empty())
    return program;
  const auto stores = firstTiles(source->counterStoresByTile(), tiles_);
  const std::uint64_t before = recorded_.machine().workerContexts, now = costs_.machine().workerContexts;
  for (std::size_t t = 0; t < program.counters.size(); ++t)
    if (program.counters[t] >= stores[t] * before)
      program.counters[t] = program.counters[t] - stores[t] * before + stores[t] * now;
  return program;
}

MachineCosts::Cycles64 MachineCosts::exchangeCycles(const CostModel &costs, const pva::ExchangeProgram &program) const {
  Cycles64 cycles = firstTiles(program.bytesSentByTile(), tiles_);
  const Cycles64 sizes = firstTiles(program.messageSizesByTile(), tiles_);
  const Cycles64 distance = firstTiles(program.receiveDistanceByTile(), tiles_);
  const Cycles64 controls = firstTiles(program.receiveControlsByTile(), tiles_);
  const Cycles64 recorded = firstTiles(program.receiveTransferByTile(), tiles_);
  std::map<std::uint64_t, std::uint64_t> transfers; // by number of the sizes
  for (std::size_t t = 0; t < tiles_; ++t) {
    cycles[t] = costs.exchangeTransfer(Bytes(cycles[t]), 1).count();
    const bool known = sizes[t] != 0 && sizes[t] <= sizes_.size();
    if (!known && recorded[t] == 0)
      continue;
    const auto [at, isNew] = transfers.try_emplace(known ? sizes[t] : 0, 0);
    if (known) {
      const pva::MessageSizes &messages = sizes_[sizes[t] - 1];
      for (std::size_t i = 0; isNew && i < messages.bytes.size(); ++i)
        at->second += messages.messages[i] *
                      costs.exchangeTransfer(Bytes(messages.bytes[i]), std::max(1u, messages.buses)).count();
    } else {
      at->second = recorded[t];
    }
    const auto away = static_cast<std::uint32_t>(std::min<std::uint64_t>(distance[t], tiles_ - 1));
    cycles[t] = std::max(cycles[t], costs.exchangeLatency(TileId(0), TileId(away)).count() +
                                        std::max(at->second, costs.exchangeControls(controls[t]).count()));
  }
  return cycles;
}

MachineCosts::Cycles64 MachineCosts::linkCycles(const CostModel &costs, const pva::ExchangeProgram &program) const {
  Cycles64 cycles = firstTiles(program.bytesSentByTile(), tiles_);
  for (std::uint64_t &c : cycles)
    c = costs.exchangeTransfer(Bytes(c), 1).count();
  for (const pva::LinkTransfer &link : program.linkTransfers()) {
    const std::uint64_t takes = costs
                                    .globalTransfer(IpuId(static_cast<std::uint32_t>(link.fromIpu)),
                                                    IpuId(static_cast<std::uint32_t>(link.toIpu)), Bytes(link.bytes))
                                    .count();
    for (std::size_t t = 0; t < std::min(tiles_, link.tiles.size()); ++t)
      if (link.tiles[t] != 0)
        cycles[t] = std::max(cycles[t], takes);
  }
  return cycles;
}

MachineCosts::Cycles64 MachineCosts::hostCycles(const CostModel &costs, const pva::ExchangeProgram &program) const {
  Cycles64 cycles = firstTiles(program.estimatedCyclesByTile(), tiles_);
  const Cycles64 sent = firstTiles(program.bytesSentByTile(), tiles_);
  const Cycles64 received = firstTiles(program.bytesReceivedByTile(), tiles_);
  std::uint64_t bytes = 0;
  for (std::size_t t = 0; t < tiles_; ++t)
    bytes += sent[t] + received[t];
  for (std::uint64_t &c : cycles)
    c = c == 0 ? 0 : costs.hostCopy(Bytes(bytes)).count();
  return cycles;
}

MachineCosts::Cycles64 MachineCosts::computeCycles(const pva::ExecutionStep &step) const {
  const pva::WorkerSlots slots = step.workerSlots();
  Cycles64 cycles = firstTiles(slots.supervisorCyclesByTile(), tiles_);
  std::vector<Cycles64> loads;
  for (std::size_t s = 0; s < slots.count(); ++s)
    loads.push_back(firstTiles(slots.threadCyclesByTile(s), tiles_));
  const pva::DealtVertices dealt = slots.dealtVertices();
  const Cycles64 pattern = firstTiles(dealt.patternByTile, tiles_);
  SlotDealer dealer(costs_.machine().workerContexts);
  std::map<std::uint64_t, std::uint64_t> ofPattern;
  for (std::size_t t = 0; t < tiles_; ++t) {
    if (pattern[t] != 0) {
      const auto [at, isNew] = ofPattern.try_emplace(pattern[t], 0);
      if (isNew) {
        dealer.clear();
        std::uint64_t vertices = 0;
        for (const pva::DealtRun &run : dealt.patterns.at(pattern[t] - 1))
          if ((vertices += run.vertices) > kMostVertices)
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

const std::vector<std::uint64_t> *MachineCosts::cyclesOf(const pva::ExecutionStep &step, const ReplayProgram &program) {
  if (program.kind == ReplayProgram::Kind::Barriers)
    return nullptr;
  if (program.kind == ReplayProgram::Kind::Work) {
    if (recorded_.machine().workerContexts == costs_.machine().workerContexts)
      return nullptr;
    const pva::WorkerSlots slots = step.workerSlots();
    if (!slots.known()) {
      kept_.insert("compute sets whose worker slots were not recorded");
      return nullptr;
    }
    const auto [at, isNew] = computes_.try_emplace(slots._id());
    if (isNew)
      at->second = std::make_unique<Cycles64>(computeCycles(step));
    return at->second.get();
  }
  if (sameExchanges_)
    return nullptr;
  const auto [at, isNew] = exchanges_.try_emplace(program.info->id);
  if (!isNew)
    return at->second.get();
  const auto source = step.program();
  const auto *exchange = dynamic_cast<const pva::ExchangeProgram *>(source.get());
  if (exchange == nullptr)
    return nullptr;
  const auto costed = [&](const CostModel &costs) {
    switch (program.info->kind) {
    case StepCause::Exchange: return exchangeCycles(costs, *exchange);
    case StepCause::GlobalExchange: return linkCycles(costs, *exchange);
    default: return hostCycles(costs, *exchange);
    }
  };
  if (costed(recorded_) == firstTiles(exchange->estimatedCyclesByTile(), tiles_))
    at->second = std::make_unique<Cycles64>(costed(costs_));
  else
    kept_.insert(program.info->title + " (step " + std::to_string(program.info->id) + ")");
  return at->second.get();
}

std::vector<RecostedRun> recostRun(const RunReplay &replay, std::size_t run,
                                   const std::vector<MachineCosts *> &machines) {
  const auto fail = [run](const std::string &why) {
    throw AnswerError("run " + std::to_string(run) + " cannot be costed again: " + why);
  };
  if (!replay.lacks().empty())
    fail(replay.lacks());
  TileClocks recorded = replay.clocks();
  std::vector<TileClocks> clocks(machines.size(), replay.clocks());
  std::vector<RecostedRun> runs(machines.size());
  for (std::size_t s = 0; s < replay.steps(); ++s) {
    const std::vector<std::uint64_t> busy = replay.recordedCycles(s);
    const ReplayProgram &program = replay.program(s);
    passStep(program, busy, recorded);
    const pva::ExecutionStep step = replay.stepAt(s);
    for (std::size_t m = 0; m < machines.size(); ++m) {
      const std::vector<std::uint64_t> *other = machines[m]->cyclesOf(step, program);
      passStep(machines[m]->programOf(program, step), other == nullptr ? busy : *other, clocks[m]);
      const std::uint64_t end = std::max(runs[m].cycles, latest(clocks[m]));
      runs[m].partOf[program.info->id] += end - runs[m].cycles;
      runs[m].cycles = end;
    }
  }
  if (const std::string why = replay.whyNot(latest(recorded)); !why.empty())
    fail(why);
  return runs;
}

} // namespace popscope
