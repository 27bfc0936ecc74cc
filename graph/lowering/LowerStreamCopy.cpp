// LowerStreamCopy: copies between the host (or a remote buffer) and tiles. Begin stands for the external sync, Mid for
// the transfer, End for the two internal syncs after it. Packets carry whole words: a tile whose part is cut otherwise
// goes through a host message buffer, packed in stream order.
#include "graph/lowering/ProgramLowering.hpp"
#include "graph/steps/HostCopies.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace popscope {
namespace {

constexpr std::uint64_t kPacketWord = 4;          // bytes; host packets address words
constexpr std::uint64_t kReadRequestBytes = 1024; // payload that one read request to the host asks for

std::uint64_t pieces(std::uint64_t bytes, std::uint64_t of) { return (bytes + of - 1) / of; }

} // namespace

void ProgramLowering::addHostTiles(StreamCopyStep &copy, std::vector<HomeBytes> parts, bool hostRearranges) {
  struct Row {
    std::uint64_t bytes = 0, runs = 0;
  };
  std::map<TileId, Row> rows;
  if (hostRearranges)
    std::sort(parts.begin(), parts.end(), [](const HomeBytes &a, const HomeBytes &b) {
      return std::tie(a.home, a.offset) < std::tie(b.home, b.offset);
    });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Row &row = rows[c_.tileOf(parts[i].home)];
    row.bytes += parts[i].bytes;
    const bool goesOn =
        i > 0 && parts[i].home == parts[i - 1].home && parts[i].offset == parts[i - 1].offset + parts[i - 1].bytes;
    row.runs += goesOn ? 0 : 1;
  }
  const HostModel &host = c_.graph.machine.host;
  copy.firstTile = static_cast<std::uint32_t>(c_.out.hostTiles.size());
  copy.numTiles = static_cast<std::uint32_t>(rows.size());
  for (const auto &entry : rows) {
    HostTile tile;
    tile.tile = entry.first;
    tile.bytes = entry.second.bytes;
    const std::uint64_t received = bytesFromHost(c_.out, copy, tile);
    const std::uint64_t packets = pieces(received, kReadRequestBytes) +
                                  pieces(tile.bytes - received, std::max<std::uint32_t>(1, host.maxPacketBytes));
    tile.headerBytes = static_cast<std::uint32_t>(packets * host.packetHeaderBytes);
    // One send for each packet or request, one pointer for each run of memory, wait and return.
    tile.codeBytes =
        static_cast<std::uint32_t>((packets + entry.second.runs + 2) * c_.graph.machine.code.instructionBytes);
    c_.out.hostTiles.push_back(tile);
  }
}

void ProgramLowering::addStreamSteps(LoweredSteps &steps, StreamCopyStep copy, const std::vector<HomeBytes> &parts,
                                     const std::string &copyName, bool hostRearranges) {
  copy.firstTransfer = static_cast<std::uint32_t>(c_.out.transfers.size());
  copy.numTransfers = static_cast<std::uint32_t>(parts.size());
  std::vector<Touch> touches;
  for (const HomeBytes &part : parts) {
    const auto transfer = static_cast<std::uint32_t>(c_.out.transfers.size());
    c_.out.transfers.push_back({part, copy.bytes});
    copy.bytes += part.bytes;
    c_.touch(part, isToDevice(copy, transfer) ? AccessKind::Write : AccessKind::Read, touches);
  }
  if (copy.offset.home.valid())
    c_.touch(copy.offset, AccessKind::Read, touches);
  addHostTiles(copy, parts, hostRearranges);
  copy.cycles = c_.costs.hostCopy(Bytes(copy.bytes)).count();
  c_.out.streamCopies.push_back(copy);
  const auto payload = static_cast<std::uint32_t>(c_.out.streamCopies.size() - 1);
  const NameId stepName = c_.name(copyName);
  std::vector<Touch> none;
  steps.push_back(c_.finishStep(StepKind::StreamCopyBegin, stepName, payload, none));
  steps.push_back(c_.finishStep(StepKind::StreamCopyMid, stepName, payload, touches));
  steps.push_back(c_.finishStep(StepKind::StreamCopyEnd, stepName, payload, none));
}

HomeBytes ProgramLowering::gatherOperand(LoweredSteps &steps, const View &view, const std::string &base) {
  std::vector<Fragment> parts;
  c_.fragments(view, parts);
  if (parts.size() == 1)
    return c_.bytesOf(parts.front());
  const TileId tile = c_.tileOf(parts.front().home);
  const VarId var = c_.addVariable(c_.bufferName(StorageCategory::Rearrangement, view), StorageCategory::Rearrangement,
                                   c_.varOf(parts.front().home).type, {{tile, viewCount(view)}});
  const Fragment whole{c_.onlyHome(var), 0, viewCount(view)};
  Moves remote, local;
  c_.pairFragments(parts, {whole}, remote, local);
  c_.addExchanges(steps, base, "OffsetExchange", std::move(remote));
  c_.addCopies(steps, joinName(base, "OffsetOnTileCopy"), std::move(local));
  return c_.bytesOf(whole);
}

/// Tiles (with 0 elements each) whose part is not made of whole words, as it arrives. A host that rearranges sends what
/// is adjacent in memory together, whatever its place in the stream.
std::map<TileId, std::uint64_t> ProgramLowering::unevenTiles(const std::vector<Fragment> &parts,
                                                             bool hostRearranges) const {
  std::vector<Fragment> runs = parts;
  if (hostRearranges) {
    std::sort(runs.begin(), runs.end(), [](const Fragment &a, const Fragment &b) {
      return std::tie(a.home, a.element) < std::tie(b.home, b.element);
    });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < runs.size(); ++i)
      if (runs[i].home == runs[kept].home && runs[i].element <= runs[kept].element + runs[kept].count)
        runs[kept].count = std::max(runs[kept].count, runs[i].element + runs[i].count - runs[kept].element);
      else
        runs[++kept] = runs[i];
    runs.resize(runs.empty() ? 0 : kept + 1);
  }
  std::map<TileId, std::uint64_t> uneven;
  for (const Fragment &f : runs) {
    const HomeBytes b = c_.bytesOf(f);
    if (b.offset % kPacketWord != 0 || (b.bytes % kPacketWord != 0 && b.offset + b.bytes != c_.out.homeBytes(b.home)))
      uneven[c_.tileOf(f.home)] = 0;
  }
  return uneven;
}

LoweredSteps ProgramLowering::buildStreamCopy(StreamId stream, const View &view, bool toDevice, bool hostRearranges,
                                              const View &offset, const std::string &copyName, std::uint32_t blocks) {
  LoweredSteps steps;
  StreamCopyStep copy;
  hostRearranges =
      hostRearranges || (c_.options.hostRearranges && c_.out.streams[stream].kind == StreamInfo::Kind::Fifo);
  copy.stream = stream;
  copy.toDevice = toDevice;
  copy.remote = c_.out.streams[stream].kind == StreamInfo::Kind::Remote;
  if (viewCount(offset) > 0)
    copy.offset = gatherOperand(steps, offset, copyName);
  copy.blocks = blocks;
  std::vector<Fragment> parts;
  c_.fragments(view, parts);
  std::map<TileId, std::uint64_t> packed = unevenTiles(parts, hostRearranges); // elements
  std::vector<HomeBytes> places;
  Moves remoteMoves, moves;
  if (!packed.empty()) {
    for (const Fragment &f : parts)
      if (const auto it = packed.find(c_.tileOf(f.home)); it != packed.end())
        it->second += f.count;
    const VarId var = c_.addVariable(c_.bufferName(StorageCategory::HostMessage, view), StorageCategory::HostMessage,
                                     c_.varOf(parts.front().home).type, {packed.begin(), packed.end()});
    std::map<TileId, Fragment> next;
    for (std::uint32_t h = 0; h < c_.out.vars[var].numHomes; ++h)
      next[c_.tileOf(HomeId(c_.out.vars[var].firstHome + h))] = {HomeId(c_.out.vars[var].firstHome + h), 0, 0};
    for (Fragment &f : parts)
      if (const auto it = next.find(c_.tileOf(f.home)); it != next.end()) {
        const Fragment place{it->second.home, it->second.element, f.count};
        it->second.element += f.count;
        c_.pairFragments({toDevice ? place : f}, {toDevice ? f : place}, remoteMoves, moves);
        f = place;
      }
  }
  for (const Fragment &f : parts)
    places.push_back(c_.bytesOf(f));
  if (!toDevice)
    c_.addCopies(steps, joinName(copyName, "OnTileCopyPre"), std::move(moves));
  addStreamSteps(steps, copy, places, copyName, hostRearranges);
  if (toDevice)
    c_.addCopies(steps, joinName(copyName, "OnTileCopyPost"), std::move(moves));
  return steps;
}

void ProgramLowering::lowerStreamCopy(const ProgramNode &p) {
  LoweredSteps &steps = nodeCache_[&p];
  const bool toDevice = p.kind == ProgramKind::StreamToTensor || p.kind == ProgramKind::RemoteToTensor;
  if (steps.empty())
    steps = buildStreamCopy(p.stream, toDevice ? p.b : p.a, toDevice, c_.graph.streams[p.stream].rearrangeOnHost,
                            p.offset, p.name, p.count);
  emit(steps, p.name);
}

} // namespace popscope
