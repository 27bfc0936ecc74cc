#include "engine/collect/CollectProgramTiles.hpp"

#include "base/Bits.hpp"
#include "base/Parallel.hpp"
#include "engine/collect/TileSums.hpp"
#include "graph/steps/HostCopies.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>

namespace popscope {
namespace {

// Limits of the step records that are in memory at the same time.
constexpr std::size_t kMaxTiles = std::size_t(1) << 20, kMaxPrograms = 256;

bool hasExchangeCode(const StepProgram &program, const Step &step) {
  const auto any = [](const auto &rows, std::uint32_t first, std::uint32_t count) {
    return std::any_of(rows.begin() + first, rows.begin() + first + count,
                       [](const auto &row) { return row.codeBytes != Bytes32(); });
  };
  if (step.kind == StepKind::DoExchange || step.kind == StepKind::GlobalExchange) {
    const ExchangeStep &exchange = program.exchanges[step.payload];
    return any(program.exchangeTiles, exchange.firstTile, exchange.numTiles);
  }
  if (step.kind != StepKind::StreamCopyMid)
    return false;
  const StreamCopyStep &copy = program.streamCopies[step.payload];
  return any(program.hostTiles, copy.firstTile, copy.numTiles);
}

class TileSet {
public:
  explicit TileSet(std::uint32_t tiles) : words_((tiles + kBitsOfWord - 1) / kBitsOfWord) {}
  void add(std::uint32_t tile) { words_[tile / kBitsOfWord] |= std::uint64_t(1) << (tile % kBitsOfWord); }
  /// Calls take(tile), ascending.
  template <class Take> void each(const Take &take) const {
    for (std::uint32_t w = 0; w < words_.size(); ++w)
      eachBit(words_[w], w * kBitsOfWord, take);
  }

private:
  std::vector<std::uint64_t> words_;
};

std::vector<std::int64_t> exchangeCodeOwners(const StepProgram &program) {
  std::vector<std::int64_t> owners(program.steps.size(), -1);
  std::map<std::pair<StepKind, std::uint32_t>, std::size_t> first;
  for (std::size_t s = 0; s < program.steps.size(); ++s) {
    const Step &step = program.steps[program.steps.idAt(s)];
    if (!hasExchangeCode(program, step))
      continue;
    const auto [at, isFirst] = first.emplace(std::pair(step.kind, step.payload), s);
    if (!isFirst)
      owners[s] = static_cast<std::int64_t>(at->second);
  }
  return owners;
}

} // namespace

ProgramTiles::ProgramTiles(const CollectInput &input)
    : program_(input.program), tilesPerIpu_(input.machine.tilesPerIpu), ipusPerReplica_(input.machine.numIpus),
      threads_(input.threads), counters_(program_, CostModel(input.machine)),
      received_(program_, tilesPerIpu_, threads_), traffic_(program_), codeOwners_(exchangeCodeOwners(program_)) {}

void ProgramTiles::each(const CompilationRows::Prepare &prepare) const {
  const std::size_t ahead = std::clamp<std::size_t>(kMaxTiles / std::max(program_.numTiles, 1U), 1, kMaxPrograms);
  std::vector<std::function<void()>> finish;
  for (std::size_t begin = 0; begin < program_.steps.size(); begin += ahead) {
    finish.resize(std::min(ahead, program_.steps.size() - begin));
    parallelFor(threads_, finish.size(), [&](std::size_t i) {
      ProgramTilesRecord record;
      collect(program_.steps.idAt(begin + i), record);
      finish[i] = prepare(begin + i, record);
    });
    for (const std::function<void()> &program : finish)
      program();
  }
}

void ProgramTiles::collect(StepIndex s, ProgramTilesRecord &record) const {
  const StepKind kind = program_.steps[s].kind;
  collectControlCode(s, record);
  collectCounters(s, record);
  if (kind == StepKind::DoExchange || kind == StepKind::GlobalExchange)
    collectExchange(s, record);
  else if (kind == StepKind::StreamCopyMid)
    collectStreamCopy(s, record);
  if (codeOwners_[s.index()] >= 0)
    record.exchangeCode.clear();
}

void ProgramTiles::collectControlCode(StepIndex s, ProgramTilesRecord &record) const {
  std::size_t rows = 0;
  for (std::uint32_t inside = s.index(); inside < program_.steps[s].end; ++inside)
    rows += program_.steps[StepIndex(inside)].controlCode.numRows;
  if (program_.steps[s].end == s.index() + 1) { // a leaf
    const CodeBytes &own = program_.steps[s].controlCode;
    record.controlCode.reserve(rows);
    for (std::uint32_t r = own.firstRow; r < own.firstRow + own.numRows; ++r)
      addRow(record.controlCode, program_.tileCode[r].tile, program_.tileCode[r].bytes);
    return joinTiles(record.controlCode);
  }
  if (rows == 0)
    return;
  std::vector<Bytes> sums(program_.numTiles);
  for (std::uint32_t inside = s.index(); inside < program_.steps[s].end; ++inside) {
    const CodeBytes &code = program_.steps[StepIndex(inside)].controlCode;
    for (std::uint32_t r = code.firstRow; r < code.firstRow + code.numRows; ++r)
      sums[program_.tileCode[r].tile.index()] += program_.tileCode[r].bytes;
  }
  for (std::uint32_t tile = 0; tile < program_.numTiles; ++tile)
    addRow(record.controlCode, TileId(tile), sums[tile]);
}

void ProgramTiles::collectExchange(StepIndex s, ProgramTilesRecord &record) const {
  const ExchangeStep &exchange = program_.exchanges[program_.steps[s].payload];
  const std::span rows(program_.exchangeTiles.data() + exchange.firstTile, exchange.numTiles);
  const auto collect = [&](TileValues &values, auto amount) {
    values.resize(rows.size());
    std::size_t kept = 0;
    for (const ExchangeTile &row : rows) { // has no branch, because a branch would often be mispredicted
      const std::uint64_t value = numberOf(row.*amount);
      values[kept] = {row.tile.index(), value};
      kept += value != 0 ? 1 : 0;
    }
    values.resize(kept);
  };
  collect(record.exchangeCode, &ExchangeTile::codeBytes);
  collect(record.bytesSent, &ExchangeTile::bytesSent);
  collect(record.bytesReceived, &ExchangeTile::bytesReceived);
  collect(record.estimatedCycles, &ExchangeTile::cycles);
  collect(record.messagesReceived, &ExchangeTile::messagesReceived);
  collect(record.receiveLatency, &ExchangeTile::latency);
  collect(record.receiveTransfer, &ExchangeTile::transfer);
  collect(record.receiveControls, &ExchangeTile::controls);
  const std::vector<TileMessage> messages = tileMessages(program_, exchange);
  if (program_.steps[s].kind == StepKind::DoExchange)
    received_.collect(exchange, messages, record);
  else
    collectLinks(exchange, messages, record);
  record.traffic = traffic_.of(exchange, messages);
}

void ProgramTiles::collectStreamCopy(StepIndex s, ProgramTilesRecord &record) const {
  const StreamCopyStep &copy = program_.streamCopies[program_.steps[s].payload];
  for (std::uint32_t i = 0; i < copy.numTiles; ++i) {
    const HostTile &row = program_.hostTiles[copy.firstTile + i];
    addRow(record.exchangeCode, row.tile, row.codeBytes);
    const Bytes received = bytesFromHost(program_, copy, row);
    addRow(record.bytesReceived, row.tile, received);
    addRow(record.bytesSent, row.tile, row.bytes - received);
    addRow(record.estimatedCycles, row.tile, copy.cycles);
  }
}

void ProgramTiles::collectCounters(StepIndex s, ProgramTilesRecord &record) const {
  for (const CounterTimes::TileTime &time : counters_.timesOf(s)) {
    record.counterCycles.emplace_back(time.tile.index(), time.cycles.count());
    record.counterStores.emplace_back(time.tile.index(), time.stores);
  }
  joinTiles(record.counterCycles);
  joinTiles(record.counterStores);
}

// Sums the messages between IPUs by pair of IPUs, and collects the sending and receiving tiles of each pair.
void ProgramTiles::collectLinks(const ExchangeStep &exchange, const std::vector<TileMessage> &messages,
                                ProgramTilesRecord &record) const {
  struct Flow {
    std::uint32_t fromIpu, toIpu;
    Bytes bytes;
    TileSet senders, receivers; // per tile of their IPU
  };
  const std::uint32_t ipus = (program_.numTiles + tilesPerIpu_ - 1) / tilesPerIpu_;
  std::vector<std::int32_t> flowOf(std::size_t(ipus) * ipus, -1); // per pair of IPUs
  std::vector<Flow> flows;
  for (const TileMessage &message : messages) {
    const std::uint32_t from = message.from / tilesPerIpu_, to = message.to / tilesPerIpu_;
    std::int32_t &at = flowOf[std::size_t(from) * ipus + to];
    if (at < 0) {
      at = static_cast<std::int32_t>(flows.size());
      flows.push_back({from, to, Bytes(), TileSet(tilesPerIpu_), TileSet(tilesPerIpu_)});
    }
    Flow &flow = flows[static_cast<std::size_t>(at)];
    flow.bytes += message.bytes;
    (from == to ? flow.receivers : flow.senders).add(message.from % tilesPerIpu_);
    flow.receivers.add(message.to % tilesPerIpu_);
  }
  std::vector<ReplicaPair> pairs{{0, 0}};
  if (exchange.replicaMap >= 0)
    pairs = program_.replicaMaps[static_cast<std::size_t>(exchange.replicaMap)];
  for (const std::int32_t at : flowOf) {
    if (at < 0)
      continue;
    const Flow &flow = flows[static_cast<std::size_t>(at)];
    LinkTransferRecord link{flow.fromIpu, flow.toIpu, flow.bytes, {}};
    const auto add = [&](const TileSet &set, std::uint32_t ipu) {
      set.each([&](std::uint32_t tile) { link.tiles.emplace_back(ipu * tilesPerIpu_ + tile, 1); });
    };
    if (flow.fromIpu < flow.toIpu)
      add(flow.senders, flow.fromIpu);
    add(flow.receivers, flow.toIpu);
    if (flow.fromIpu > flow.toIpu)
      add(flow.senders, flow.fromIpu);
    for (const ReplicaPair &pair : pairs) {
      record.links.push_back(link);
      record.links.back().fromIpu += pair.from * ipusPerReplica_;
      record.links.back().toIpu += pair.to * ipusPerReplica_;
    }
  }
}

} // namespace popscope
