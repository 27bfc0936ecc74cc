#include "graph/lowering/PlanExchange.hpp"
#include "base/Bits.hpp"
#include "base/Parallel.hpp"
#include "base/TouchPages.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <tuple>
#include <utility>

namespace popscope {
namespace {

constexpr std::size_t kExchangesPerLane = 64;
constexpr Cycles kMaxCycles(std::uint64_t(1) << 32); // maximum cycles of an exchange

/// The data that all exchanges share.
struct ExchangeRules {
  const StepProgram &program;
  const TileMachine &machine;
  const CostModel &costs;
  const LoweringOptions &options;
};

/// Memory that the exchanges of one thread reuse.
struct ExchangeScratch {
  explicit ExchangeScratch(std::uint32_t numTiles) : rowOf(numTiles, 0), there((numTiles + 63) / 64, 0) {}
  struct Sent { // a message, identified by its place at the sender
    HomeId home;
    std::uint32_t message;
    Bytes begin, end; // begin and end of the message's words
  };
  struct Pair { // a pair of IPUs: the bytes of all its messages, and their cycles
    Bytes bytes;
    IpuTransferCycles cycles;
  };
  std::vector<std::uint32_t> rowOf;     // per tile that takes part
  std::vector<std::uint64_t> there;     // one bit per tile that takes part; all clear between exchanges
  std::vector<TileId> sources, targets; // per message, because its homes lie far apart in memory
  std::vector<Sent> sent;
  std::vector<Pair> pairs; // indexed by the sender's and the receiver's IPU
};

class ExchangePlan {
public:
  /// Plans an exchange and appends its rows to `rows`, which no other code may change while the plan exists.
  ExchangePlan(const ExchangeRules &rules, const ExchangeStep &exchange, bool global, ExchangeScratch &scratch,
               std::vector<ExchangeTile> &rows)
      : rules_(rules), code_(rules.machine.code), exchange_(exchange),
        messages_(rules.program.messages.data() + exchange.firstMessage), count_(exchange.numMessages), global_(global),
        scratch_(scratch), table_(rows), first_(rows.size()) {}

  void run() {
    makeRows();
    sends();
    receives();
    for (ExchangeTile &row : rows_) {
      row.instructions += code_.exchangeFrameInstr;
      row.codeBytes = Bytes32(row.instructions * code_.instructionBytes);
    }
    if (global_)
      globalCycles();
  }

private:
  [[nodiscard]] TileId source(const Message &m) const {
    return scratch_.sources[static_cast<std::size_t>(&m - messages_)];
  }
  [[nodiscard]] TileId target(const Message &m) const {
    return scratch_.targets[static_cast<std::size_t>(&m - messages_)];
  }

  void makeRows() {
    scratch_.sources.resize(count_);
    scratch_.targets.resize(count_);
    const auto enter = [&](TileId tile) {
      scratch_.there[tile.index() / kBitsOfWord] |= std::uint64_t(1) << (tile.index() % kBitsOfWord);
      return tile;
    };
    for (std::uint32_t m = 0; m < count_; ++m) {
      scratch_.sources[m] = enter(rules_.program.homes[messages_[m].src].tile);
      scratch_.targets[m] = enter(rules_.program.homes[messages_[m].dst].tile);
    }
    for (std::uint32_t word = 0; word < scratch_.there.size(); ++word)
      eachBit(std::exchange(scratch_.there[word], 0), word * kBitsOfWord, [&](std::uint32_t tile) {
        scratch_.rowOf[tile] = static_cast<std::uint32_t>(table_.size());
        table_.emplace_back();
        table_.back().tile = TileId(tile);
      });
    rows_ = std::span(table_).subspan(first_);
  }
  ExchangeTile &row(TileId tile) { return table_[scratch_.rowOf[tile.index()]]; }
  void sends() {
    std::vector<ExchangeScratch::Sent> &sorted = scratch_.sent;
    sorted.clear();
    for (std::uint32_t m = 0; m < count_; ++m)
      sorted.push_back({messages_[m].src, m, messages_[m].firstWord(), messages_[m].endOfWords()});
    std::sort(sorted.begin(), sorted.end(), [](const ExchangeScratch::Sent &a, const ExchangeScratch::Sent &b) {
      return std::tie(a.home, a.begin, a.end) < std::tie(b.home, b.begin, b.end);
    });
    const std::uint64_t sendWords = std::max<std::uint32_t>(1, rules_.machine.exchange.maxSendWords);
    for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
      Bytes reach = sorted[begin].end;
      for (end = begin + 1; end < sorted.size() && sorted[end].home == sorted[begin].home && sorted[end].begin <= reach;
           ++end)
        reach = std::max(reach, sorted[end].end);
      ExchangeTile &r = row(scratch_.sources[sorted[begin].message]);
      const Bytes bytes = reach - sorted[begin].begin;
      r.bytesSent = narrow(r.bytesSent + bytes);
      r.instructions +=
          static_cast<std::uint32_t>(code_.exchangeDelayInstr + (bytes.count() / kWordBytes + sendWords - 1) /
                                                                    sendWords * code_.exchangeSendInstr);
      if (global_)
        r.headerBytes = narrow(r.headerBytes + Bytes(packets(bytes) * rules_.machine.link.packetHeaderBytes));
    }
    for (ExchangeTile &r : rows_)
      r.cycles = narrow(rules_.costs.exchangeTransfer(r.bytesSent, 1));
  }
  /// Returns the number of packets of a run that leaves the IPU. Each packet has a header, which the sender stores.
  [[nodiscard]] std::uint32_t packets(Bytes bytes) const {
    const std::uint64_t payload = std::max<std::uint32_t>(1, rules_.machine.link.maxPacketBytes);
    return static_cast<std::uint32_t>((bytes.count() + payload - 1) / payload);
  }
  /// Calls receive(begin, end) for the messages of each receiving tile. Messages must be sorted by receiving tile.
  void receives() {
    std::vector<Inbox> neighbours; // the receivers so far of one group of tiles that may share their buses
    for (std::uint32_t begin = 0, end = 0; begin < count_; begin = end) {
      while (end < count_ && target(messages_[end]) == target(messages_[begin]))
        ++end;
      receive(begin, end);
      if (!neighbours.empty() &&
          busGroup(target(messages_[begin])) != busGroup(target(messages_[neighbours.front().begin])))
        receiveCycles(neighbours);
      neighbours.push_back({begin, end, 1});
    }
    receiveCycles(neighbours);
    for (const Received &r : received_)
      if (!global_) {
        ExchangeTile &tile = row(r.tile);
        tile.latency = r.latency;
        tile.transfer = r.transfer;
        tile.controls = r.controls;
        tile.buses = r.buses;
        tile.cycles = narrow(std::max<Cycles>(
            tile.cycles, r.latency + std::max<Cycles>(r.transfer, rules_.costs.exchangeControls(r.controls))));
      }
  }
  void receive(std::uint32_t begin, std::uint32_t end) {
    ExchangeTile &r = row(target(messages_[begin]));
    TileId sender;
    for (std::uint32_t m = begin; m < end; ++m) {
      r.bytesReceived = narrow(r.bytesReceived + messages_[m].wordBytes());
      r.instructions += code_.exchangePointerInstr + (source(messages_[m]) == sender ? 0 : code_.exchangeSenderInstr);
      sender = source(messages_[m]);
    }
    r.messagesReceived = end - begin;
    r.instructions += code_.exchangeEndInstr;
  }
  struct Inbox { // the messages [begin, end) that one tile receives, over `buses` buses at once
    std::uint32_t begin, end, buses;
  };
  /// Returns the group of tiles that may share buses with the tile.
  [[nodiscard]] std::uint32_t busGroup(TileId tile) const {
    const TileMachine &machine = rules_.machine;
    const std::uint32_t perBus = machine.exchange.tilesPerSharedBus;
    const std::uint32_t groups = (machine.tilesPerIpu + perBus - 1) / perBus;
    return rules_.machine.ipuOf(tile).index() * groups + tile.index() % machine.tilesPerIpu / perBus;
  }
  [[nodiscard]] bool receiveTheSame(const Inbox &a, const Inbox &b) const {
    return std::equal(messages_ + a.begin, messages_ + a.end, messages_ + b.begin, messages_ + b.end,
                      [](const Message &x, const Message &y) {
                        return x.src == y.src && x.srcOffset == y.srcOffset && x.bytes == y.bytes;
                      });
  }
  /// Computes receive cycles. Tiles of a group that receive the same data use the buses of all these tiles at once.
  void receiveCycles(std::vector<Inbox> &group) {
    if (rules_.options.sharedExchangeBus && rules_.machine.exchange.busSharing)
      for (std::size_t i = 0; i != group.size(); ++i)
        for (std::size_t k = 0; k != i; ++k)
          if (receiveTheSame(group[k], group[i])) {
            ++group[k].buses;
            ++group[i].buses;
          }
    const std::vector<Heard> heard = rules_.options.sharedMessages ? heardBy(group) : std::vector<Heard>();
    for (const Inbox &inbox : group)
      receiveCycles(inbox, heard);
    group.clear();
  }
  /// The key of a message that a tile of the group receives. heardBy() returns each key once, in ascending order.
  using Heard = std::tuple<HomeId, Bytes, Bytes, TileId>; // source, offset, bytes, receiver
  [[nodiscard]] Heard heardOf(const Message &m) const { return {m.src, m.srcOffset, m.bytes, target(m)}; }
  [[nodiscard]] std::vector<Heard> heardBy(const std::vector<Inbox> &group) const {
    std::vector<Heard> heard;
    if (group.size() < 2 || !rules_.machine.exchange.busSharing || !rules_.options.sharedExchangeBus)
      return heard;
    for (const Inbox &inbox : group)
      for (std::uint32_t m = inbox.begin; m != inbox.end; ++m)
        heard.push_back(heardOf(messages_[m]));
    std::sort(heard.begin(), heard.end());
    heard.erase(std::unique(heard.begin(), heard.end()), heard.end());
    return heard;
  }
  /// Returns the number of tiles of the group that receive the message.
  [[nodiscard]] std::uint32_t busesOf(const Message &m, const std::vector<Heard> &heard) const {
    const Heard own = heardOf(m);
    Heard first = own, last = own;
    std::get<3>(first) = TileId(0);
    std::get<3>(last) = TileId(~std::uint32_t(0));
    return static_cast<std::uint32_t>(std::upper_bound(heard.begin(), heard.end(), last) -
                                      std::lower_bound(heard.begin(), heard.end(), first));
  }
  [[nodiscard]] std::uint32_t controlsBetween(const Message &a, const Message &b) const {
    if (source(a) != source(b))
      return rules_.options.oneCycleMessages ? CostModel::kSenderControlsInOne : CostModel::kSenderControls;
    return a.dst != b.dst || a.dstOffset + a.bytes != b.dstOffset ? CostModel::kAddressControls : 0;
  }
  void receiveCycles(const Inbox &inbox, const std::vector<Heard> &heard) {
    const TileId tile = target(messages_[inbox.begin]);
    Cycles latency, transfer;
    std::uint32_t controls = 0, buses = heard.empty() ? inbox.buses : busesOf(messages_[inbox.begin], heard);
    for (std::uint32_t m = inbox.begin; m < inbox.end; ++m) {
      const std::uint32_t carriers = heard.empty() ? inbox.buses : busesOf(messages_[m], heard);
      buses = carriers == buses ? buses : 0;
      transfer += rules_.costs.exchangeTransfer(messages_[m].wordBytes(), carriers);
      if (m != inbox.begin)
        controls += controlsBetween(messages_[m - 1], messages_[m]);
      if (!global_)
        latency = std::max(latency, rules_.costs.exchangeLatency(source(messages_[m]), tile));
    }
    received_.push_back({tile, narrow(latency), narrow(transfer), controls, buses});
  }
  /// Computes cycles between IPUs (CostModel::globalExchange). All bytes of a pair of IPUs travel together.
  void globalCycles() {
    const std::uint32_t ipus = rules_.machine.numIpus;
    scratch_.pairs.assign(std::size_t(ipus) * ipus, {});
    const auto pairOf = [&](const Message &m) -> ExchangeScratch::Pair & {
      return scratch_
          .pairs[std::size_t(rules_.machine.ipuOf(source(m)).index()) * ipus + rules_.machine.ipuOf(target(m)).index()];
    };
    for (std::uint32_t m = 0; m < count_; ++m)
      pairOf(messages_[m]).bytes += messages_[m].wordBytes();
    timePairs();
    for (std::uint32_t m = 0; m < count_; ++m) {
      const IpuTransferCycles &transfer = pairOf(messages_[m]).cycles;
      ExchangeTile &sender = row(source(messages_[m])), &receiver = row(target(messages_[m]));
      sender.cycles = std::max(sender.cycles, narrow(rules_.costs.globalExchangeTile(transfer, sender.bytesSent)));
      receiver.cycles =
          std::max(receiver.cycles, narrow(rules_.costs.globalExchangeTile(transfer, receiver.bytesReceived)));
    }
  }
  /// Returns the pairs of replicas between which all messages go. Without a map, each replica sends to itself.
  [[nodiscard]] std::vector<ReplicaPair> replicaPairs() const {
    if (exchange_.replicaMap >= 0)
      return rules_.program.replicaMaps[static_cast<std::size_t>(exchange_.replicaMap)];
    std::vector<ReplicaPair> pairs;
    for (std::uint32_t replica = 0; replica < rules_.program.replicationFactor; ++replica)
      pairs.push_back({replica, replica});
    return pairs;
  }
  /// Computes the cycles of each pair of IPUs. If replicas send to each other, these are the cycles of the slowest pair
  /// of replicas, and otherwise the cycles in replica 0. In both cases the transfers of all replicas share links.
  void timePairs() {
    const std::uint32_t ipus = rules_.machine.numIpus;
    std::vector<IpuTransfer> transfers;
    std::vector<std::size_t> pairOf; // per transfer
    for (const ReplicaPair &replicas : replicaPairs())
      for (std::uint32_t from = 0; from < ipus; ++from)
        for (std::uint32_t to = 0; to < ipus; ++to)
          if (const std::size_t pair = std::size_t(from) * ipus + to; scratch_.pairs[pair].bytes != Bytes()) {
            transfers.push_back(
                {IpuId(replicas.from * ipus + from), IpuId(replicas.to * ipus + to), scratch_.pairs[pair].bytes});
            pairOf.push_back(pair);
          }
    const std::vector<IpuTransferCycles> cycles = rules_.costs.globalExchange(transfers);
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      if (exchange_.replicaMap < 0 && transfers[i].from.index() >= ipus)
        break;
      if (cycles[i].total >= kMaxCycles)
        throw poplar::poplar_error(
            fmt::format("{} bytes take {} cycles from IPU {} to IPU {}; an exchange has fewer than {} (2^32): give the "
                        "machine faster links (/link/bytesPerCycle, /link/latencyCycles, /link/constraints), or move "
                        "the data in parts",
                        transfers[i].bytes.count(), cycles[i].total.count(), transfers[i].from.index(),
                        transfers[i].to.index(), kMaxCycles.count()));
      IpuTransferCycles &slowest = scratch_.pairs[pairOf[i]].cycles;
      slowest = {std::max(slowest.latency, cycles[i].latency), std::max(slowest.total, cycles[i].total)};
    }
  }

  struct Received {
    TileId tile;
    Cycles32 latency, transfer;
    std::uint32_t controls, buses;
  };
  const ExchangeRules &rules_;
  const CodeModel &code_;
  const ExchangeStep &exchange_;
  const Message *messages_;
  std::uint32_t count_;
  bool global_;
  ExchangeScratch &scratch_;
  std::vector<ExchangeTile> &table_;
  std::size_t first_;
  std::span<ExchangeTile> rows_; // rows of this exchange, in table_
  std::vector<Received> received_;
};

} // namespace

// Plans a window of exchanges at a time: each thread plans its share into a separate list, and the lists are appended
// in order. So the result does not depend on the number of threads, and each row is stored only once.
void planExchange(StepProgram &p, const TileMachine &machine, const CostModel &costs, const LoweringOptions &options) {
  const ExchangeRules rules{p, machine, costs, options};
  std::vector<std::uint8_t> global(p.exchanges.size(), 0);
  for (const Step &s : p.steps)
    if (s.kind == StepKind::GlobalExchange)
      global[s.payload] = 1;
  std::size_t most = 0;
  for (const ExchangeStep &exchange : p.exchanges)
    most += std::min(2 * std::size_t(exchange.numMessages), std::size_t(p.numTiles));
  p.exchangeTiles.reserve(most);
  Bytes received, sent;
  const std::size_t lanes = options.threads.count(), window = kExchangesPerLane * lanes;
  std::vector<std::vector<ExchangeTile>> ofLane(lanes);
  std::vector<ExchangeScratch> scratch(lanes, ExchangeScratch(p.numTiles));
  for (std::size_t begin = 0; begin < p.exchanges.size(); begin += window) {
    const std::size_t count = std::min(window, p.exchanges.size() - begin);
    parallelFor(options.threads, lanes, [&](std::size_t lane) {
      ofLane[lane].clear();
      for (std::size_t i = begin + count * lane / lanes; i < begin + count * (lane + 1) / lanes; ++i) {
        const std::size_t before = ofLane[lane].size();
        ExchangePlan(rules, p.exchanges[i], global[i] != 0, scratch[lane], ofLane[lane]).run();
        p.exchanges[i].numTiles = static_cast<std::uint32_t>(ofLane[lane].size() - before);
      }
    });
    std::size_t more = 0;
    for (const std::vector<ExchangeTile> &rows : ofLane)
      more += rows.size();
    TouchPages().behind(p.exchangeTiles, more).run(options.threads);
    for (const std::vector<ExchangeTile> &rows : ofLane) {
      p.exchangeTiles.insert(p.exchangeTiles.end(), rows.begin(), rows.end());
      for (const ExchangeTile &r : rows) {
        received += r.bytesReceived;
        sent += r.bytesSent;
      }
    }
  }
  std::uint32_t firstTile = 0;
  for (ExchangeStep &exchange : p.exchanges) {
    exchange.firstTile = firstTile;
    firstTile += exchange.numTiles;
  }
  p.passes.push_back({"PlanExchange", "bytes sent (multicast)", received.count(), sent.count()});
}

} // namespace popscope
