#include "graph/lowering/PlaceOperands.hpp"
#include "graph/lowering/ReceiveWords.hpp"

#include <algorithm>
#include <tuple>

namespace popscope {
namespace {

class OperandPlacer {
public:
  OperandPlacer(LoweringContext &context, PreparedExecute &prepared, ExecuteParts &parts)
      : c_(context), prepared_(prepared), moves_(parts), firstBuffer_(context.out.homes.size()) {}

  void run() {
    for (const PreparedVertices &part : prepared_.parts)
      alignHomes(part);
    addBuffers();
    std::size_t buffers = firstBuffer_;
    bool anyPieces = false;
    for (PreparedVertices &part : prepared_.parts) {
      place(part, static_cast<std::uint32_t>(buffers));
      buffers += part.buffers.size();
      anyPieces = anyPieces || part.anyPieces;
      c_.bufferedEdges += part.numBuffered;
    }
    c_.buffers += buffers - firstBuffer_;
    if (anyPieces || c_.options.sortsAsSent)
      receiveWords(c_, moves_.receive, moves_.gather, false, [&](HomeId home, StorageCategory category) {
        return c_.bufferName(category, sources_[home.index() - firstBuffer_]);
      });
    listenToOwnSends();
  }

private:
  void alignHomes(const PreparedVertices &part) {
    for (const HomeDemand &demand : part.demands) {
      StepVar &var = c_.out.vars[c_.out.homes[demand.home].var];
      var.alignment = std::max(var.alignment, demand.alignment);
      var.interleaved = var.interleaved || demand.interleaved;
    }
  }
  void addBuffers() {
    std::vector<LoweringContext::Buffer> rows;
    for (const PreparedVertices &part : prepared_.parts)
      for (std::size_t b = 0; b < part.buffers.size(); ++b) {
        rows.push_back(part.buffers[b]);
        rows.back().name = c_.bufferName(rows.back().category, part.sources[b]);
        sources_.push_back(part.sources[b]);
      }
    POPSCOPE_CHECK(firstBuffer_ + rows.size() < kLocalHome, "{} homes", firstBuffer_ + rows.size());
    c_.addBuffers(rows);
  }
  void place(PreparedVertices &part, std::uint32_t firstBuffer) {
    const auto firstEdge = static_cast<std::uint32_t>(c_.out.edges.size());
    for (const EdgePlace &operand : part.operands)
      c_.out.edges.push_back({placedHome(operand.home, firstBuffer), operand.offset});
    for (StepVertex &vertex : part.vertices)
      vertex.firstEdge += firstEdge;
    for (const auto &[from, to] : {std::pair{&part.receive, &moves_.receive}, std::pair{&part.gather, &moves_.gather},
                                   std::pair{&part.send, &moves_.send}, std::pair{&part.scatter, &moves_.scatter}})
      for (Move move : *from) {
        move.src = placedHome(move.src, firstBuffer);
        move.dst = placedHome(move.dst, firstBuffer);
        to->push_back(move);
      }
    part.operands = {};
    part.receive = part.gather = part.send = part.scatter = {};
  }
  // Data that is already on the tile stays there, with two exceptions (docs/inside/cost-model.md, "What a tile sends to
  // itself"). First: other tiles fill the rest of a buffer, and the tile sends the local part to other tiles anyway.
  // Then the tile receives the local part from its own send. Second: tiles of the same IPU fill the rest of the buffer,
  // and receiving all such local parts of the tile takes no longer than the shortest copy vertex. Then the tile also
  // receives these parts from its own send.
  void listenToOwnSends() {
    if (moves_.gather.empty() || moves_.receive.empty())
      return;
    using Sent = std::tuple<HomeId, Bytes, Bytes>;
    std::vector<Sent> sent;
    // kFromIpu: by tiles of the same IPU, and therefore in the same exchange.
    constexpr std::uint8_t kByOthers = 1, kFromIpu = 2;
    std::vector<std::uint8_t> filledBuffers(c_.out.homes.size() - firstBuffer_, 0); // all moves go to buffers
    const auto filled = [&](const Move &m) -> std::uint8_t & { return filledBuffers.at(m.dst.index() - firstBuffer_); };
    for (const Move &m : moves_.receive) {
      filled(m) |= kByOthers;
      if (c_.ipuOf(c_.tileOf(m.src)) != c_.ipuOf(c_.tileOf(m.dst)))
        continue;
      sent.emplace_back(m.src, m.srcOffset, m.bytes);
      filled(m) |= kFromIpu;
    }
    std::sort(sent.begin(), sent.end());
    listen([&](const Move &m) {
      return (filled(m) & kByOthers) != 0 &&
             std::binary_search(sent.begin(), sent.end(), Sent{m.src, m.srcOffset, m.bytes});
    });
    // Per tile: the cycles of receiving all local parts that the tile could receive from its own send.
    std::vector<Cycles> cycles(c_.out.numTiles);
    for (const Move &m : moves_.gather)
      if (canHear(m) && (filled(m) & kFromIpu) != 0)
        cycles[c_.tileOf(m.dst).index()] +=
            c_.costs.exchangeTransfer(m.bytes, 1) + c_.costs.exchangeControls(CostModel::kSenderControls);
    const Cycles shortest =
        c_.costs.copyVertexCycles(CopyVertexKind::ShortMemcpy, Bytes(kWordBytes), 1) * c_.graph.machine.workerContexts;
    listen([&](const Move &m) { return (filled(m) & kFromIpu) != 0 && cycles[c_.tileOf(m.dst).index()] <= shortest; });
  }
  /// Returns whether the tile can send the data to itself. The move must go from a word address to a word address, and
  /// the source must not be a buffer that was received just before.
  [[nodiscard]] bool canHear(const Move &m) const {
    return m.src.valid() && m.src.index() < firstBuffer_ && movesWords(c_, m, false);
  }
  template <class Predicate> void listen(const Predicate &heard) {
    const auto from = std::stable_partition(moves_.gather.begin(), moves_.gather.end(),
                                            [&](const Move &m) { return !canHear(m) || !heard(m); });
    moves_.receive.insert(moves_.receive.end(), from, moves_.gather.end());
    moves_.gather.erase(from, moves_.gather.end());
  }

  LoweringContext &c_;
  PreparedExecute &prepared_;
  ExecuteParts &moves_;
  std::size_t firstBuffer_;         // the home of the first buffer; the homes of the others follow it
  std::vector<GraphVarId> sources_; // by buffer
};

} // namespace

void placeOperands(LoweringContext &context, PreparedExecute prepared, ExecuteParts &parts) {
  OperandPlacer(context, prepared, parts).run();
  parts.placed = std::move(prepared);
}

} // namespace popscope
