// BuildExchange: turns lists of moves between tiles into exchange steps. Moves that continue one another become one
// message.
#include "graph/lowering/LoweringContext.hpp"

#include <algorithm>
#include <tuple>

namespace popscope {
namespace {

bool continues(const Message &a, const Move &b) {
  return a.src == b.src && a.dst == b.dst && a.srcOffset + a.bytes == b.srcOffset &&
         a.dstOffset + a.bytes == b.dstOffset;
}

} // namespace

void LoweringContext::addSync(LoweredSteps &steps, SyncKind kind) {
  out.syncs.push_back({static_cast<std::uint8_t>(kind)});
  steps.push_back({StepKind::Sync, name(""), static_cast<std::uint32_t>(out.syncs.size() - 1),
                   static_cast<std::uint32_t>(out.accesses.size()), 0});
}

// Appends a sync and an exchange of the moves. Sorts the moves by receiving tile and address, and joins adjacent moves
// into one message. The accesses of a plain exchange follow from its messages later (kTouchedLater). An exchange with
// merged members, or in which some replicas receive nothing, lists its accesses here.
void LoweringContext::addExchange(LoweredSteps &steps, StepKind kind, const std::string &stepName, Moves &moves,
                                  std::int32_t replicaMap) {
  if (moves.empty())
    return;
  // Compares moves in the order of receiving: by tile, then by place in the memory of this tile.
  const auto received = [&](const Move &a, const Move &b) {
    return std::make_tuple(tileOf(a.dst), a.dst, a.dstOffset) < std::make_tuple(tileOf(b.dst), b.dst, b.dstOffset);
  };
  if (!std::is_sorted(moves.begin(), moves.end(), received)) // moves to new buffers already have this order
    std::sort(moves.begin(), moves.end(), received);
  addSync(steps, kind == StepKind::GlobalExchange ? SyncKind::Global : SyncKind::Internal);
  // A replica that receives nothing keeps its contents, so the write does not end the old value's life.
  const bool keeps =
      replicaMap >= 0 && out.replicaMaps[static_cast<std::size_t>(replicaMap)].size() < out.replicationFactor;
  ExchangeStep exchange;
  exchange.replicaMap = replicaMap;
  exchange.firstMessage = static_cast<std::uint32_t>(out.messages.size());
  for (const Move &move : moves)
    if (out.messages.size() > exchange.firstMessage && continues(out.messages.back(), move))
      out.messages.back().bytes = narrow(out.messages.back().bytes + move.bytes);
    else
      out.messages.push_back({move.src, narrow(move.srcOffset), move.dst, move.dstOffset, move.bytes});
  exchange.numMessages = static_cast<std::uint32_t>(out.messages.size()) - exchange.firstMessage;
  messagesBeforeMerge += moves.size();
  out.exchanges.push_back(exchange);
  const auto payload = static_cast<std::uint32_t>(out.exchanges.size() - 1);
  if (!keeps && std::all_of(moves.begin(), moves.end(), [](const Move &m) { return m.member == 0; })) {
    steps.push_back({kind, name(stepName), payload, kTouchedLater, 0});
    return;
  }
  TouchBlocks blocks;
  blocks.touches.reserve(std::min(moves.size() * (keeps ? 3 : 2), TouchBlocks::kMany));
  for (const Move &move : moves) {
    touch({move.src, move.srcOffset, move.bytes}, AccessKind::Read, blocks.touches, move.member);
    touch(writtenByMessage({move.dst, move.dstOffset, move.bytes}), AccessKind::Write, blocks.touches, move.member);
    if (keeps)
      touch({move.dst, move.dstOffset, move.bytes}, AccessKind::Read, blocks.touches, move.member);
    blocks.shrink();
  }
  steps.push_back(finishStep(kind, name(stepName), payload, std::move(blocks.touches)));
}

HomeBytes LoweringContext::writtenByMessage(const HomeBytes &bytes) const {
  const StorageCategory category = varOf(bytes.home).category;
  if (category != StorageCategory::Message && category != StorageCategory::GlobalMessage)
    return bytes;
  const Bytes begin = bytes.offset - bytes.offset % Bytes(kWordBytes);
  const Bytes end = std::min(roundUp(bytes.offset + bytes.bytes, kWordBytes), out.homeBytes(bytes.home));
  return {bytes.home, begin, end - begin};
}

void LoweringContext::addExchanges(LoweredSteps &steps, const std::string &base, const char *suffix, Moves moves) {
  const auto middle = std::stable_partition(
      moves.begin(), moves.end(), [&](const Move &m) { return ipuOf(tileOf(m.src)) != ipuOf(tileOf(m.dst)); });
  Moves onChip(middle, moves.end());
  moves.erase(middle, moves.end());
  addExchange(steps, StepKind::GlobalExchange, joinName(base, (std::string("Global") + suffix).c_str()), moves);
  addExchange(steps, StepKind::DoExchange, joinName(base, suffix), onChip);
}

void LoweringContext::pairFragments(std::span<const Fragment> from, std::span<const Fragment> to, Moves &remote,
                                    Moves &local) const {
  std::size_t i = 0, j = 0;
  std::uint64_t usedFrom = 0, usedTo = 0;
  while (i < from.size() && j < to.size()) {
    const std::uint64_t count = std::min(from[i].count - usedFrom, to[j].count - usedTo);
    const Bytes size = elementSize(to[j].home);
    const bool fill = !from[i].home.valid();
    POPSCOPE_CHECK(fill || size == elementSize(from[i].home), "a move between elements of {} and {} bytes",
                   elementSize(from[i].home).count(), size.count());
    const Bytes source = fill ? Bytes(from[i].element) : (from[i].element + usedFrom) * size;
    const Move move{{source, from[i].home, to[j].home, narrow((to[j].element + usedTo) * size), narrow(count * size)},
                    0};
    (fill || tileOf(move.src) == tileOf(move.dst) ? local : remote).push_back(move);
    if ((usedFrom += count) == from[i].count)
      ++i, usedFrom = 0;
    if ((usedTo += count) == to[j].count)
      ++j, usedTo = 0;
  }
  POPSCOPE_CHECK(i == from.size() && j == to.size(), "a move between views of different sizes");
}

} // namespace popscope
