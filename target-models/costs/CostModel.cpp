#include "target-models/costs/CostModel.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace popscope {
namespace {

std::uint64_t ceilDiv(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }

/// Returns low + (high - low) * part / whole, rounded to nearest, or `low` if whole is 0.
std::uint64_t interpolate(std::uint64_t low, std::uint64_t high, std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? low : low + ((high - low) * part + whole / 2) / whole;
}

/// Interpolates as the function above, but with (part / whole)^power in place of part / whole.
std::uint64_t interpolate(std::uint64_t low, std::uint64_t high, std::uint64_t part, std::uint64_t whole,
                          double power) {
  if (power == 1 || whole == 0)
    return interpolate(low, high, part, whole);
  const double share = std::pow(static_cast<double>(part) / static_cast<double>(whole), power);
  return low + static_cast<std::uint64_t>(static_cast<double>(high - low) * share + 0.5);
}

/// Returns the whole cycles that `bytes` take at a rate that need not be whole. The quotient of an exact count and a
/// double can exceed a whole number by a rounding error. Such an error must not cost a cycle.
std::uint64_t cyclesAtRate(std::uint64_t bytes, double bytesPerCycle) {
  const double cycles = static_cast<double>(bytes) / bytesPerCycle;
  return static_cast<std::uint64_t>(std::ceil(cycles - 1e-9 * cycles));
}

/// Returns the hops between two IPUs of a ladder. The pairs (0,1), (2,3) ... are its rungs; a route first crosses its
/// rung, then goes up or down.
std::uint64_t ladderHops(IpuId a, IpuId b) {
  const std::uint32_t rungA = a.index() / 2, rungB = b.index() / 2;
  const std::uint32_t along = rungA > rungB ? rungA - rungB : rungB - rungA;
  return along + (a.index() % 2 != b.index() % 2 ? 1 : 0);
}

const LibraryFunction *findFunction(const TileMachine &machine, const char *name) {
  const auto it =
      std::lower_bound(machine.library.begin(), machine.library.end(), name,
                       [](const LibraryFunction &f, const char *wanted) { return f.name.compare(wanted) < 0; });
  return it != machine.library.end() && it->name == name ? &*it : nullptr;
}

} // namespace

CostModel::CostModel(TileMachine machine) : machine_(std::move(machine)) { validateTileMachine(machine_); }

Cycles CostModel::syncArrival(TileId tile) const {
  // A signal passes all tiles of an IPU on its way: tile 0 is next to the sync controller, and the last tile is
  // furthest. The way there takes as long as the way back. In the sample report, three syncs take 354 cycles after a
  // copy to one near tile, but 334 cycles after a copy to tiles 0 to 391. After the second copy, the last tile that
  // arrives at the first of these syncs is nearer to the controller (docs/inside/cost-model.md, "Sync").
  const SyncModel &sync = machine_.sync;
  if (!sync.relativeDelay)
    return Cycles(0);
  const std::uint32_t position = tile.index() % machine_.tilesPerIpu;
  return Cycles(interpolate(0, (sync.maxDelayCycles - sync.minDelayCycles) / 2, position, machine_.tilesPerIpu - 1));
}

Cycles CostModel::syncRelease(SyncKind kind, TileId tile) const {
  const SyncModel &sync = machine_.sync;
  const std::uint64_t skew = sync.relativeDelay ? (sync.maxDelayCycles - sync.minDelayCycles + 1) / 2 : 0;
  const std::uint64_t back =
      sync.relativeDelay ? interpolate(0, skew, tile.index() % machine_.tilesPerIpu, machine_.tilesPerIpu - 1) : 0;
  const std::uint64_t more = kind == SyncKind::Global        ? sync.globalCycles
                             : kind == SyncKind::HostRequest ? machine_.host.beginCycles
                             : kind == SyncKind::HostAnswer  ? machine_.host.endCycles
                                                             : 0;
  return Cycles(sync.minDelayCycles + back + more);
}

Cycles CostModel::exchangeLatency(TileId src, TileId dst) const {
  // The latency grows with a power of the distance. From tile 0 of an ipu1, the latency is 80 to 119 cycles with the
  // power 0.7. So a one-word broadcast (one cycle more) takes at most 120 cycles and on average 103.9 cycles, as in the
  // sample report. A message between neighbours takes some 80 cycles, as in published halo programs
  // (docs/inside/cost-model.md, "Calibrated").
  const std::uint32_t a = src.index() % machine_.tilesPerIpu, b = dst.index() % machine_.tilesPerIpu;
  const std::uint32_t distance = a > b ? a - b : b - a;
  return Cycles(interpolate(machine_.exchange.minLatencyCycles, machine_.exchange.maxLatencyCycles, distance,
                            machine_.tilesPerIpu - 1, machine_.exchange.latencyExponent));
}

Cycles CostModel::exchangeTransfer(Bytes bytes, std::uint32_t buses) const {
  const std::uint64_t width = machine_.exchange.bytesPerCycle * (machine_.exchange.busSharing ? buses : 1);
  return Cycles(ceilDiv(bytes.count(), width));
}

Cycles CostModel::exchangeControls(std::uint64_t controls) const {
  return Cycles(machine_.exchange.perMessageCycles * controls);
}

Cycles CostModel::counterRead(std::uint64_t counters, std::uint64_t instructions) const {
  return Cycles(std::max(instructions, counters) - counters + counters * machine_.workerContexts);
}

Cycles CostModel::hostCopy(Bytes bytes) const {
  // A transfer consists of setup, then the first packet at the rate of one tile, then the rest at the rate of the host
  // link. On this link, packets of many tiles follow each other. With 5 cycles, 2 B/cycle, 256 B per packet and 4.731
  // B/cycle, the three known points of the sample report match: 4 B = 5 + 2 = 7; 8 B = 5 + 4 = 9; 50,244 B (the input,
  // the labels and one more word) = 5 + 128 + 49,988 / 4.731 = 10,700.
  const HostModel &host = machine_.host;
  const std::uint64_t first = std::min<std::uint64_t>(bytes.count(), host.maxPacketBytes);
  return Cycles(host.setupCycles + cyclesAtRate(first, host.singlePacketBytesPerCycle) +
                cyclesAtRate(bytes.count() - first, host.bytesPerCycle));
}

std::vector<IpuTransferCycles> CostModel::globalExchange(std::span<const IpuTransfer> transfers) const {
  using Flow = std::pair<std::uint32_t, std::uint32_t>; // source and destination
  const auto flowOf = [](const IpuTransfer &t) { return Flow(t.from.index(), t.to.index()); };
  const LinkModel &link = machine_.link;
  std::map<Flow, std::uint64_t> bytesOf, cyclesOf; // cyclesOf: for the slowest constraint that names the flow
  if (!link.constraints.empty())
    for (const IpuTransfer &t : transfers)
      bytesOf[flowOf(t)] += t.bytes.count();
  for (const LinkConstraint &constraint : link.constraints) {
    std::uint64_t bytes = 0;
    for (const LinkFlow &flow : constraint.flows)
      if (const auto at = bytesOf.find({flow.source, flow.destination}); at != bytesOf.end())
        bytes += at->second;
    const std::uint64_t cycles = cyclesAtRate(bytes, constraint.bitsPerSecond / 8 / machine_.clockHz);
    for (const LinkFlow &flow : constraint.flows) {
      std::uint64_t &slowest = cyclesOf[{flow.source, flow.destination}];
      slowest = std::max(slowest, cycles);
    }
  }
  std::vector<IpuTransferCycles> result;
  result.reserve(transfers.size());
  for (const IpuTransfer &t : transfers) {
    const Cycles latency(link.setupCycles + ladderHops(t.from, t.to) * link.latencyCycles);
    const auto at = cyclesOf.find(flowOf(t));
    result.push_back(
        {latency,
         latency + Cycles(at != cyclesOf.end() ? at->second : cyclesAtRate(t.bytes.count(), link.bytesPerCycle))});
  }
  return result;
}

Cycles CostModel::globalExchangeTile(const IpuTransferCycles &transfer, Bytes bytes) const {
  return std::max(transfer.total, transfer.latency + exchangeTransfer(bytes, 1));
}

std::uint64_t CostModel::peakFlops(ElementType type) const {
  // The peaks are derived from the convolution units. Each unit multiplies and adds four halves, the data that it loads
  // in a cycle. A unit multiplies and adds only one float per cycle, although it could load two floats: the published
  // peaks for floats (31.1 and 62.5 TFLOP/s of all tiles) equal the peaks of 8 and 16 such units.
  constexpr std::uint64_t kMultiplyAndAdd = 2;
  if (type == ElementType::Half)
    return kMultiplyAndAdd * machine_.fp16InFp16OutConvUnitsPerTile * machine_.fp16ConvUnitInputLoadElemsPerCycle;
  return type == ElementType::Float ? kMultiplyAndAdd * machine_.fp32InFp32OutConvUnitsPerTile : 0;
}

Cycles CostModel::libraryCall(const char *function) const {
  const LibraryFunction *found = findFunction(machine_, function);
  return Cycles(found == nullptr ? 0 : found->issueSlots);
}

Bytes CostModel::libraryCode(const char *function) const {
  const LibraryFunction *found = findFunction(machine_, function);
  return Bytes(found == nullptr ? 0 : found->codeBytes);
}

std::optional<Bytes> CostModel::vertexCode(const std::string &vertexClass) const {
  const auto at = std::lower_bound(machine_.vertexCode.begin(), machine_.vertexCode.end(), vertexClass,
                                   [](const VertexClassCode &c, const std::string &name) { return c.name < name; });
  if (at == machine_.vertexCode.end() || at->name != vertexClass)
    return std::nullopt;
  return Bytes(at->codeBytes);
}

} // namespace popscope
