// LowerStreamCopy: lowers copies between the host (or a remote buffer) and tiles. Begin is the external sync, Mid is
// the transfer, and End is the two internal syncs after it. Packets carry whole words. A tile whose part does not
// consist of whole words uses a host message buffer, packed in stream order.
#include "graph/ir/ProgramKinds.hpp"
#include "graph/lowering/ProgramLowering.hpp"
#include "graph/steps/HostCopies.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace popscope {
namespace {

std::uint64_t pieces(Bytes bytes, std::uint64_t of) { return (bytes.count() + of - 1) / of; }

} // namespace

// Adds a row for each tile that takes part in a host copy: its bytes, its packets, and its code. The code has a pointer
// for each run of memory. Consecutive pieces of a stream that are adjacent in memory count as one run. If the host
// rearranges the data, pieces that are adjacent in memory count as one run.
void ProgramLowering::addHostTiles(StreamCopyStep &copy, const std::vector<StreamData> &data) {
  const HostModel &host = c_.graph.machine.host;
  const CodeModel &code = c_.graph.machine.code;
  struct Row {
    Bytes bytes;
    std::uint64_t runs = 0, packets = 0;
  };
  std::map<TileId, Row> rows;
  for (const StreamData &stream : data) {
    std::map<TileId, Bytes> bytes;
    const HomeBytes *last = nullptr;
    const auto addRun = [&](const HomeBytes &piece, std::uint64_t runs) {
      const bool goesOn = last != nullptr && piece.home == last->home && piece.offset == last->offset + last->bytes;
      rows[c_.tileOf(piece.home)].runs += runs - (goesOn ? 1 : 0);
    };
    HomeBytes end;
    for (const HomePieces &place : stream.places) {
      bytes[c_.tileOf(place.first.home)] += place.bytes();
      if (stream.hostRearranges)
        continue;
      addRun(place.first, place.count);
      end = place.at(place.count - 1);
      last = &end;
    }
    if (stream.hostRearranges) // data that is adjacent in memory is sent together
      for (const HomeBytes &range : stream.cover)
        addRun(range, 1);
    for (const auto &[tile, count] : bytes) { // each stream has its own buffer on the host
      const Bytes received = bytesFromHost(c_.out, copy, HostTile{tile, count, {}, {}});
      rows[tile].bytes += count;
      rows[tile].packets += pieces(received, std::max<std::uint32_t>(1, host.readRequestBytes)) +
                            pieces(count - received, std::max<std::uint32_t>(1, host.maxPacketBytes));
    }
  }
  copy.firstTile = static_cast<std::uint32_t>(c_.out.hostTiles.size());
  copy.numTiles = static_cast<std::uint32_t>(rows.size());
  for (const auto &[id, row] : rows) {
    HostTile tile;
    tile.tile = id;
    tile.bytes = row.bytes;
    tile.headerBytes = narrow(Bytes(row.packets * host.packetHeaderBytes));
    tile.codeBytes =
        narrow(Bytes((row.packets * code.hostSendInstr + row.runs * code.hostPointerInstr + code.hostFrameInstr) *
                     code.instructionBytes));
    c_.out.hostTiles.push_back(tile);
  }
}

// Adds the steps of a host copy from the places of its streams. The transfers of one stream are consecutive rows. Each
// stream is a part, so that a merged copy keeps its members separate.
void ProgramLowering::addStreamSteps(LoweredSteps &steps, StreamCopyStep copy, const std::vector<StreamData> &data,
                                     const std::string &copyName) {
  copy.firstTransfer = static_cast<std::uint32_t>(c_.out.transfers.size());
  copy.firstPart = static_cast<std::uint32_t>(c_.out.streamParts.size());
  for (const StreamData &stream : data)
    copy.numTransfers += static_cast<std::uint32_t>(stream.places.size());
  std::vector<Touch> touches;
  for (std::size_t member = 0; member < data.size(); ++member) {
    const StreamPart part{data[member].stream, static_cast<std::uint32_t>(c_.out.transfers.size()),
                          static_cast<std::uint32_t>(data[member].places.size())};
    Bytes streamOffset;
    for (const HomePieces &place : data[member].places) {
      const auto transfer = static_cast<std::uint32_t>(c_.out.transfers.size());
      c_.out.transfers.push_back({place, streamOffset});
      streamOffset += place.bytes();
      if (copy.engine != StreamCopyStep::Engine::None) // each transfer has its own direction
        c_.touch(place.first, isToDevice(copy, transfer) ? AccessKind::Write : AccessKind::Read, touches);
    }
    for (const HomeBytes &range : data[member].cover)
      c_.touch(range, copy.toDevice ? AccessKind::Write : AccessKind::Read, touches,
               static_cast<std::uint16_t>(member));
    copy.bytes += streamOffset;
    if (part.stream.valid()) {
      c_.out.streamParts.push_back(part);
      ++copy.numParts;
    }
  }
  if (copy.offset.home.valid())
    c_.touch(copy.offset, AccessKind::Read, touches);
  addHostTiles(copy, data);
  copy.cycles = c_.costs.hostCopy(copy.bytes);
  const HostModel &host = c_.graph.machine.host;
  copy.waitsForHost =
      copy.engine == StreamCopyStep::Engine::None && !copy.remote && (host.beginCycles != 0 || host.endCycles != 0);
  c_.out.streamCopies.push_back(copy);
  const auto payload = static_cast<std::uint32_t>(c_.out.streamCopies.size() - 1);
  const NameId stepName = c_.name(copyName);
  steps.push_back(c_.finishStep(StepKind::StreamCopyBegin, stepName, payload));
  steps.push_back(c_.finishStep(StepKind::StreamCopyMid, stepName, payload, std::move(touches)));
  steps.push_back(c_.finishStep(StepKind::StreamCopyEnd, stepName, payload));
}

HomeBytes ProgramLowering::gatherOperand(LoweredSteps &steps, const View &view, const std::string &base) {
  std::vector<Fragment> parts;
  c_.fragments(view, parts);
  if (parts.size() == 1)
    return c_.bytesOf(parts.front());
  const TileId tile = c_.tileOf(parts.front().home);
  const VarId var = c_.addVariable(c_.bufferName(StorageCategory::Rearrangement, view), StorageCategory::Rearrangement,
                                   c_.varOf(parts.front().home).type, {{tile, viewCount(view)}});
  const Fragment whole{0, c_.onlyHome(var), viewCount(view)};
  Moves remote, local;
  c_.pairFragments(parts, {&whole, 1}, remote, local);
  c_.addExchanges(steps, base, "OffsetExchange", std::move(remote));
  c_.addCopies(steps, joinName(base, "OffsetOnTileCopy"), std::move(local));
  return c_.bytesOf(whole);
}

/// Returns the tiles (with 0 elements each) whose part does not arrive in whole words. If the host rearranges, the host
/// sends data that is adjacent in memory together, independently of the place in the stream.
std::map<TileId, std::uint64_t> ProgramLowering::unevenTiles(const StreamData &data) const {
  std::map<TileId, std::uint64_t> uneven;
  const auto isEven = [&](const HomeBytes &b) {
    return isMultiple(b.offset, kWordBytes) &&
           (isMultiple(b.bytes, kWordBytes) || b.offset + b.bytes == c_.out.homeBytes(b.home));
  };
  if (data.hostRearranges) {
    for (const HomeBytes &range : data.cover)
      if (!isEven(range))
        uneven[c_.tileOf(range.home)] = 0;
    return uneven;
  }
  for (const HomePieces &place : data.places)
    for (std::uint32_t i = 0; i != place.count; ++i)
      if (!isEven(place.at(i))) {
        uneven[c_.tileOf(place.first.home)] = 0;
        break;
      }
  return uneven;
}

ProgramLowering::StreamData ProgramLowering::streamData(StreamId stream, const View &view, bool hostRearranges) const {
  const bool rearranges =
      hostRearranges || (c_.options.hostRearranges && c_.out.streams[stream].kind == StreamInfo::Kind::Fifo);
  return {stream, &view, rearranges, {}, {}};
}

// Finds the places of a stream's data. Tiles whose pieces do not form whole words get a host message buffer, and
// `moves` receives the on-tile copies between buffer and pieces. All other pieces are transferred in place. Cost:
// linear in the pieces.
void ProgramLowering::placeStream(StreamData &data, bool toDevice, std::uint16_t member, Moves &moves) {
  c_.pieces(*data.view, data.places);
  data.cover = coverOf(c_.out, data.places);
  std::map<TileId, std::uint64_t> packed = unevenTiles(data); // number of elements per tile
  if (packed.empty())
    return;
  const std::vector<HomePieces> parts = std::exchange(data.places, {});
  const auto sizeOf = [&](const HomePieces &part) { return c_.elementSize(part.first.home); };
  for (const HomePieces &part : parts)
    if (const auto it = packed.find(c_.tileOf(part.first.home)); it != packed.end())
      it->second += part.bytes() / sizeOf(part);
  const VarId var =
      c_.addVariable(c_.bufferName(StorageCategory::HostMessage, *data.view), StorageCategory::HostMessage,
                     c_.varOf(parts.front().first.home).type, {packed.begin(), packed.end()});
  std::map<TileId, Fragment> next;
  for (std::uint32_t h = 0; h < c_.out.vars[var].numHomes; ++h)
    next[c_.tileOf(HomeId(c_.out.vars[var].firstHome + h))].home = HomeId(c_.out.vars[var].firstHome + h);
  Moves remote;
  const std::size_t first = moves.size();
  PieceJoiner places(data.places);
  for (const HomePieces &part : parts) {
    const auto it = next.find(c_.tileOf(part.first.home));
    for (std::uint32_t i = 0; i != part.count; ++i) {
      const HomeBytes piece = part.at(i);
      if (it == next.end()) {
        places.add(piece);
        continue;
      }
      const Fragment f{piece.offset / sizeOf(part), piece.home, piece.bytes / sizeOf(part)};
      const Fragment place{it->second.element, it->second.home, f.count};
      it->second.element += f.count;
      c_.pairFragments({toDevice ? &place : &f, 1}, {toDevice ? &f : &place, 1}, remote, moves);
      places.add(c_.bytesOf(place));
    }
  }
  places.finish();
  POPSCOPE_CHECK(remote.empty(), "a host message buffer on another tile");
  for (std::size_t i = first; i < moves.size(); ++i)
    moves[i].member = member;
  data.cover = coverOf(c_.out, data.places);
}

LoweredSteps ProgramLowering::buildStreamCopy(std::vector<StreamData> data, bool toDevice, const View &offset,
                                              const std::string &copyName, std::uint32_t blocks) {
  LoweredSteps steps;
  StreamCopyStep copy;
  copy.toDevice = toDevice;
  copy.remote = c_.out.streams[data.front().stream].kind == StreamInfo::Kind::Remote;
  if (viewCount(offset) > 0)
    copy.offset = gatherOperand(steps, offset, copyName);
  copy.blocks = blocks;
  Moves moves;
  for (std::size_t i = 0; i < data.size(); ++i)
    placeStream(data[i], toDevice, static_cast<std::uint16_t>(i), moves);
  if (toDevice) {
    addStreamSteps(steps, copy, data, copyName);
    c_.addCopies(steps, joinName(copyName, "OnTileCopyPost"), std::move(moves));
  } else {
    c_.addCopies(steps, joinName(copyName, "OnTileCopyPre"), std::move(moves));
    addStreamSteps(steps, copy, data, copyName);
  }
  return steps;
}

void ProgramLowering::lowerStreamCopies(std::span<const NaiveProgram> copies) {
  std::vector<const ProgramNode *> nodes;
  std::vector<std::string> names;
  std::vector<std::uint64_t> contexts;
  for (const NaiveProgram &copy : copies) {
    nodes.push_back(copy.node);
    names.push_back(copy.node->name);
    contexts.push_back(copy.context);
  }
  c_.hostCopiesBeforeMerge += copies.size();
  ++c_.hostCopiesAfterMerge;
  LoweredSteps &steps = built_[nodes].steps.before;
  if (steps.empty()) {
    const ProgramNode &first = *nodes.front();
    if (copies.size() > 1)
      c_.log.debug("MergeStreams: {} host copies are one, \"{}\"", copies.size(), joinedNames(names));
    const bool toDevice = programKindRow(first.kind).b != ViewRole::None;
    std::vector<StreamData> data;
    for (const ProgramNode *const p : nodes) {
      const StreamId stream = p->as<HostCopyArguments>().stream;
      data.push_back(streamData(stream, toDevice ? p->b : p->a, c_.graph.streams[stream].rearrangeOnHost));
    }
    const std::uint32_t blocks = first.as<HostCopyArguments>().blocks;
    steps = buildStreamCopy(std::move(data), toDevice, first.offset, joinedNames(names), blocks);
  }
  const SourceId source(static_cast<std::uint32_t>(c_.out.sources.size()));
  for (const std::string &name : names)
    c_.out.sources.push({c_.name(name), ComputeSetId()});
  emitMembers(steps, source, contexts);
}

} // namespace popscope
