#include "graph/lowering/ReceiveWords.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace popscope {
namespace {

bool comesBefore(const Move &a, const Move &b) {
  return std::tie(a.dst, a.member, a.src, a.srcOffset, a.bytes, a.dstOffset) <
         std::tie(b.dst, b.member, b.src, b.srcOffset, b.bytes, b.dstOffset);
}

/// The moves [begin, end) that one home receives. If `joins` is true, the moves are in the order of comesBefore, and
/// moves that overlap or are adjacent at their source arrive as one message. Otherwise each move is a message, and the
/// messages arrive in the order of the moves.
class Arrival {
public:
  Arrival(const LoweringContext &context, const Move *begin, const Move *end, bool joins)
      : c_(context), begin_(begin), end_(end), joins_(joins) {
    for (const Move *m = begin; m != end; ++m) {
      Move *const last = messages_.empty() || !joins ? nullptr : &messages_.back();
      if (last != nullptr && m->member == last->member && m->src == last->src &&
          m->srcOffset <= last->srcOffset + last->bytes) {
        const Bytes reach = std::max(last->srcOffset + last->bytes, m->srcOffset + m->bytes);
        bytes_ += reach - (last->srcOffset + last->bytes);
        last->bytes = narrow(reach - last->srcOffset);
        continue;
      }
      Move message = *m;
      bytes_ = roundUp(bytes_, kWordBytes) + m->srcOffset % Bytes(kWordBytes);
      message.dstOffset = narrow(bytes_);
      bytes_ += m->bytes;
      messages_.push_back(message);
    }
  }

  [[nodiscard]] LoweringContext::Buffer buffer() const {
    LoweringContext::Buffer row;
    row.tile = c_.tileOf(begin_->dst);
    row.type = c_.varOf(begin_->dst).type;
    row.elements = (bytes_.count() + elementBytes(row.type) - 1) / elementBytes(row.type);
    row.alignment = kWordBytes;
    const bool otherIpu =
        std::any_of(begin_, end_, [&](const Move &m) { return c_.ipuOf(c_.tileOf(m.src)) != c_.ipuOf(row.tile); });
    row.category = otherIpu ? StorageCategory::GlobalMessage : StorageCategory::Message;
    return row;
  }

  void addTo(HomeId arrived, Moves &remote, Moves &local) {
    for (Move &m : messages_)
      m.dst = arrived;
    std::size_t at = 0;
    for (const Move *m = begin_; m != end_; ++m) {
      if (!joins_)
        at = static_cast<std::size_t>(m - begin_);
      while (messages_[at].member != m->member || messages_[at].src != m->src ||
             messages_[at].srcOffset + messages_[at].bytes < m->srcOffset + m->bytes)
        ++at;
      Move onTile = *m;
      onTile.src = arrived;
      onTile.srcOffset = messages_[at].dstOffset + (m->srcOffset - messages_[at].srcOffset);
      local.push_back(onTile);
    }
    remote.insert(remote.end(), messages_.begin(), messages_.end());
  }

private:
  const LoweringContext &c_;
  const Move *begin_, *end_;
  bool joins_;
  Moves messages_; // messages with the places at which they arrive
  Bytes bytes_;    // size of the buffer
};

/// Returns whether moves [begin, end), sorted by source, leave their source as one message but arrive scattered: with
/// gaps or in another order.
bool arrivesApart(const Move *begin, const Move *end) {
  return std::any_of(begin, end, [&](const Move &m) { // modulo 2^64
    return m.dstOffset - begin->dstOffset != m.srcOffset - begin->srcOffset;
  });
}

/// Removes small pieces of a copy from `remote`, and returns these pieces in the order of their destinations. These
/// pieces have gaps both at their sender and at their destination, and one tile sends at least two of them to one home.
/// Such pieces arrive densely, and the receiver scatters them.
Moves takeScattered(const LoweringContext &c, Moves &remote) {
  const Bytes most(c.graph.machine.copyChoice.scatterMaxBytes);
  if (std::none_of(remote.begin(), remote.end(), [&](const Move &m) { return m.bytes <= most; }))
    return {};
  const auto byPlace = [](const Move &a, const Move &b) {
    return std::tie(a.dst, a.member, a.dstOffset) < std::tie(b.dst, b.member, b.dstOffset);
  };
  if (!std::is_sorted(remote.begin(), remote.end(), byPlace))
    std::sort(remote.begin(), remote.end(), byPlace);
  const auto meets = [](const Move &a, const Move &b) {
    return a.dst == b.dst &&
           (a.dstOffset + a.bytes == b.dstOffset || (a.src == b.src && a.srcOffset + a.bytes == b.srcOffset));
  };
  std::vector<std::uint8_t> apart(remote.size(), 0);
  std::map<std::pair<HomeId, TileId>, std::uint32_t> counts; // by destination and sender
  const auto keyOf = [&](const Move &m) { return std::pair(m.dst, c.tileOf(m.src)); };
  for (std::size_t i = 0; i < remote.size(); ++i) {
    const Move &m = remote[i];
    apart[i] = m.bytes <= most && c.tileOf(m.src) != c.tileOf(m.dst) && (i == 0 || !meets(remote[i - 1], m)) &&
               (i + 1 == remote.size() || !meets(m, remote[i + 1]));
    if (apart[i] != 0)
      ++counts[keyOf(m)];
  }
  Moves pieces;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < remote.size(); ++i)
    if (apart[i] != 0 && counts[keyOf(remote[i])] > 1)
      pieces.push_back(remote[i]);
    else
      remote[kept++] = remote[i];
  remote.resize(kept);
  return pieces;
}

/// Removes the moves that need a buffer from `remote`, and returns these moves. Such moves do not move whole words. If
/// the release sorts received data (sortsAsSent), the result also contains all messages that arrive with gaps or in
/// another order.
Moves takePieces(const LoweringContext &c, Moves &remote, bool ends) {
  if (c.options.sortsAsSent)
    std::sort(remote.begin(), remote.end(), comesBefore);
  else if (std::all_of(remote.begin(), remote.end(), [&](const Move &m) { return movesWords(c, m, ends); }))
    return {};
  Moves pieces;
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < remote.size(); begin = end) {
    const Move &first = remote[begin];
    for (Bytes reach = first.srcOffset + first.bytes;
         ++end < remote.size() && c.options.sortsAsSent && remote[end].dst == first.dst &&
         remote[end].member == first.member && remote[end].src == first.src && remote[end].srcOffset <= reach;)
      reach = std::max(reach, remote[end].srcOffset + remote[end].bytes);
    const bool apart = arrivesApart(&first, remote.data() + end) && c.tileOf(first.src) != c.tileOf(first.dst);
    for (std::size_t m = begin; m < end; ++m)
      if (apart || !movesWords(c, remote[m], ends))
        pieces.push_back(remote[m]);
      else
        remote[kept++] = remote[m];
  }
  remote.resize(kept);
  return pieces;
}

} // namespace

bool movesWords(const LoweringContext &context, const Move &move, bool ends) {
  return betweenWords(move.srcOffset, move.dstOffset) &&
         (!ends || isMultiple(move.bytes, kWordBytes) ||
          move.dstOffset + move.bytes == context.out.homeBytes(move.dst));
}

void receiveWords(LoweringContext &c, Moves &remote, Moves &local, bool ends,
                  const std::function<NameId(HomeId, StorageCategory)> &name) {
  const Moves scattered = ends && !c.options.sortsAsSent ? takeScattered(c, remote) : Moves();
  Moves pieces = takePieces(c, remote, ends);
  const auto own = std::stable_partition(pieces.begin(), pieces.end(),
                                         [&](const Move &m) { return c.tileOf(m.src) != c.tileOf(m.dst); });
  local.insert(local.end(), own, pieces.end());
  pieces.erase(own, pieces.end());
  if (pieces.empty() && scattered.empty())
    return;
  std::sort(pieces.begin(), pieces.end(), comesBefore);
  std::vector<Arrival> arrivals;
  std::vector<LoweringContext::Buffer> rows;
  for (const Moves *list : {&scattered, &std::as_const(pieces)})
    for (std::size_t begin = 0, end = 0; begin < list->size(); begin = end) {
      while (end < list->size() && (*list)[end].dst == (*list)[begin].dst)
        ++end;
      arrivals.emplace_back(c, list->data() + begin, list->data() + end, list == &pieces);
      rows.push_back(arrivals.back().buffer());
      rows.back().name = name((*list)[begin].dst, rows.back().category);
    }
  const auto firstHome = static_cast<std::uint32_t>(c.out.homes.size());
  c.addBuffers(rows);
  c.buffers += rows.size();
  for (std::size_t i = 0; i < arrivals.size(); ++i)
    arrivals[i].addTo(HomeId(firstHome + static_cast<std::uint32_t>(i)), remote, local);
}

} // namespace popscope
