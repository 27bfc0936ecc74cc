#include "graph/lowering/PlaceOperands.hpp"
#include "base/Parallel.hpp"
#include "graph/lowering/ReceiveWords.hpp"
#include "graph/lowering/ShareBuffers.hpp"

#include <algorithm>
#include <tuple>

namespace popscope {
namespace {

constexpr std::size_t kBuffersPerTask = 1024;

class OperandPlacer {
public:
  OperandPlacer(LoweringContext &context, ExecuteParts &parts) : c_(context), placed_(parts.placed), moves_(parts) {}

  void run() {
    alignHomes();
    const SharedBuffers shared = shareBuffers(c_, placed_.edges);
    makeBuffers(shared);
    receiveWords(c_, moves_.receive, moves_.gather, false, [&](HomeId home, StorageCategory category) {
      return c_.bufferName(category, shared.buffers[home.index() - firstBuffer_].view());
    });
    listenToOwnSends();
  }

private:
  /// The buffers of one task: where their elements come from, and what moves.
  struct Task {
    std::vector<Fragment> parts;
    std::vector<std::size_t> firstPart; // per buffer and one more
    Moves receive, gather, send, scatter;
  };

  void alignHomes() {
    for (const HomeDemand &demand : placed_.demands) {
      StepVar &var = c_.out.vars[c_.out.homes[demand.home].var];
      var.alignment = std::max(var.alignment, demand.alignment);
      var.interleaved = var.interleaved || demand.interleaved;
    }
  }
  void makeBuffers(const SharedBuffers &shared) {
    const std::size_t numBuffers = shared.buffers.size();
    firstBuffer_ = c_.out.homes.size();
    std::vector<Task> tasks((numBuffers + kBuffersPerTask - 1) / kBuffersPerTask);
    std::vector<LoweringContext::Buffer> rows(numBuffers);
    const auto eachBuffer = [&](const auto &use) {
      parallelFor(c_.options.threads, tasks.size(), [&](std::size_t t) {
        for (std::size_t b = t * kBuffersPerTask; b < std::min(numBuffers, (t + 1) * kBuffersPerTask); ++b)
          use(tasks[t], b);
      });
    };
    eachBuffer([&](Task &task, std::size_t b) { findParts(task, shared.buffers[b], rows[b]); });
    for (std::size_t b = 0; b < numBuffers; ++b)
      rows[b].name = c_.bufferName(rows[b].category, shared.buffers[b].view());
    c_.addBuffers(rows);
    eachBuffer([&](Task &task, std::size_t b) { fill(task, b % kBuffersPerTask, shared.buffers[b], homeOf(b)); });
    for (Task &task : tasks)
      for (const auto &[from, to] : {std::pair{&task.receive, &moves_.receive}, std::pair{&task.gather, &moves_.gather},
                                     std::pair{&task.send, &moves_.send}, std::pair{&task.scatter, &moves_.scatter}})
        to->insert(to->end(), from->begin(), from->end());
    c_.buffers += numBuffers;
    c_.bufferedEdges += placed_.edges.size();
    parallelRanges(c_.options.threads, placed_.edges.size(), kBuffersPerTask, [&](std::size_t begin, std::size_t end) {
      for (std::size_t e = begin; e < end; ++e) {
        VertexEdge &operand = c_.out.edges[placed_.edges[e].operand];
        operand.home = homeOf(shared.places[e].buffer);
        operand.offset = shared.places[e].element * c_.elementSize(operand.home);
      }
    });
  }
  [[nodiscard]] HomeId homeOf(std::size_t buffer) const {
    return HomeId(static_cast<std::uint32_t>(firstBuffer_ + buffer));
  }
  void findParts(Task &task, const SharedBuffer &buffer, LoweringContext::Buffer &row) const {
    std::vector<Fragment> parts;
    c_.fragments(buffer.view(), parts, ~std::size_t(0), buffer.tile);
    row.type = c_.storedType(buffer.view());
    row.category = categoryOf(buffer, parts, elementBytes(row.type));
    row.tile = buffer.tile;
    row.elements = viewCount(buffer.view());
    row.alignment = buffer.alignment;
    row.interleaved = buffer.interleaved;
    if (task.firstPart.empty())
      task.firstPart.push_back(0);
    task.parts.insert(task.parts.end(), parts.begin(), parts.end());
    task.firstPart.push_back(task.parts.size());
  }
  /// `size`: bytes of an element.
  [[nodiscard]] StorageCategory categoryOf(const SharedBuffer &buffer, std::span<const Fragment> parts,
                                           std::uint64_t size) const {
    bool anyLocal = false, anyRemote = false, otherIpu = false;
    std::uint64_t at = 0; // bytes in the buffer
    for (const Fragment &part : parts) {
      const TileId tile = part.home.valid() ? c_.tileOf(part.home) : buffer.tile;
      const bool copied = part.home.valid() && !betweenWords(part.element * size, at); // from where it arrives
      at += part.count * size;
      anyLocal = anyLocal || copied || tile == buffer.tile;
      anyRemote = anyRemote || tile != buffer.tile;
      otherIpu = otherIpu || c_.ipuOf(tile) != c_.ipuOf(buffer.tile);
    }
    if (!buffer.reads)
      return anyRemote ? StorageCategory::OutputEdge : StorageCategory::Rearrangement;
    if (anyLocal)
      return StorageCategory::Rearrangement;
    return otherIpu ? StorageCategory::GlobalMessage : StorageCategory::Message;
  }
  void fill(Task &task, std::size_t number, const SharedBuffer &buffer, HomeId home) const {
    const std::span<const Fragment> parts(task.parts.data() + task.firstPart[number],
                                          task.firstPart[number + 1] - task.firstPart[number]);
    const Fragment whole{home, 0, c_.out.homes[home].elements};
    if (buffer.reads)
      c_.pairFragments(parts, {&whole, 1}, task.receive, task.gather);
    if (buffer.writes)
      c_.pairFragments({&whole, 1}, parts, task.send, task.scatter);
  }
  // What a tile has stays there, with two exceptions (docs/CYCLES.md, "What a tile sends to itself"). A local part of a
  // buffer that other tiles fill comes by the tile's own send where that goes out to others anyway; and so do a few
  // words, if hearing them takes no longer than the shortest copy vertex.
  void listenToOwnSends() {
    if (moves_.gather.empty() || moves_.receive.empty())
      return;
    using Sent = std::tuple<HomeId, std::uint64_t, std::uint64_t>;
    std::vector<Sent> sent;
    constexpr std::uint8_t kByOthers = 1, kFromIpu = 2; // the second: by tiles of its own IPU, so in the same exchange
    std::vector<std::uint8_t> filledBuffers(c_.out.homes.size() - firstBuffer_, 0); // all go to buffers
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
    std::vector<std::uint64_t> cycles(c_.out.numTiles, 0); // of hearing all own parts that the tile could hear
    for (const Move &m : moves_.gather)
      if (canHear(m) && (filled(m) & kFromIpu) != 0)
        cycles[c_.tileOf(m.dst).index()] += c_.costs.exchangeTransfer(Bytes(m.bytes), 1).count() +
                                            c_.costs.exchangeControls(CostModel::kSenderControls).count();
    const std::uint64_t shortest =
        c_.costs.copyVertexCycles(CopyVertexKind::ShortMemcpy, Bytes(kWordBytes), 1).count() *
        c_.graph.machine.workerContexts;
    listen([&](const Move &m) { return (filled(m) & kFromIpu) != 0 && cycles[c_.tileOf(m.dst).index()] <= shortest; });
  }
  /// Whether the tile could send it to itself: words, and not from a buffer, into which they have come just now.
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
  PlacedVertices &placed_;
  ExecuteParts &moves_;
  std::size_t firstBuffer_ = 0; // the home of the first; those of the others follow it
};

} // namespace

void placeOperands(LoweringContext &context, ExecuteParts &parts) {
  parts.placed = classifyEdges(context, parts.computeSet, context.out.edges);
  OperandPlacer(context, parts).run();
  parts.placed.edges = {};
  parts.placed.joined = {};
}

} // namespace popscope
