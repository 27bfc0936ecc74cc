#include "graph/lowering/PlanCopies.hpp"

#include <algorithm>
#include <numeric>

namespace popscope {
namespace {

/// The moves to one destination home. If the moves are fills, they all have the same value.
struct HomeMoves {
  const Move *begin = nullptr, *end = nullptr;
  CopyShape shape;
  CopyVertexKind kind = CopyVertexKind::ShortMemcpy;
  Cycles cycles;
};

/// Returns the largest power of two up to kWideCopyBytes that divides every address and size. Homes begin at multiples
/// of `homeAlign`.
std::uint32_t commonAlignment(const Move *begin, const Move *end, std::uint32_t homeAlign) {
  std::uint64_t all = std::min(homeAlign, kWideCopyBytes);
  for (const Move *m = begin; m != end; ++m)
    all = std::gcd(
        all, std::gcd(m->src.valid() ? m->srcOffset.count() : 0, std::gcd(m->dstOffset.count(), m->bytes.count())));
  return static_cast<std::uint32_t>(all);
}

/// Returns whether the runs, in order, read one source without a gap.
bool contiguousSource(const Move *begin, const Move *end) {
  return std::adjacent_find(begin, end, [](const Move &a, const Move &b) {
           return a.src != b.src || a.srcOffset + a.bytes != b.srcOffset;
         }) == end;
}

class TilePlan {
public:
  TilePlan(const LoweringContext &context, const Move *begin, const Move *end)
      : c_(context), workers_(std::max<std::uint32_t>(1, context.graph.machine.workerContexts)) {
    for (const Move *first = begin; first != end;) {
      const Move *last = first + 1;
      while (last != end && sameGroup(*first, *last))
        ++last;
      groups_.push_back(group(first, last));
      first = last;
    }
  }

  TileCopies run() {
    const auto wide = [](const HomeMoves &g) { return copyVertexIsSupervisor(g.kind); };
    const auto count = std::count_if(groups_.begin(), groups_.end(), wide);
    TileCopies best = plan();
    if (count < 2)
      return best;
    const Cycles time = tileTime(best);
    for (HomeMoves &g : groups_)
      if (wide(g))
        setKind(g, CopyVertexKind::Memcpy64Bit);
    TileCopies shared = plan();
    return tileTime(shared) < time ? shared : best;
  }

private:
  [[nodiscard]] bool sameGroup(const Move &a, const Move &b) const {
    return a.dst == b.dst && copyOf(c_, a) == copyOf(c_, b);
  }
  [[nodiscard]] CopyShape::Value valueOf(const Move &m) const {
    if (m.src.valid())
      return CopyShape::Value::Copied;
    const auto first = c_.out.data.begin() + static_cast<std::ptrdiff_t>(m.srcOffset.count());
    return std::all_of(first, first + static_cast<std::ptrdiff_t>(c_.elementSize(m.dst).count()),
                       [](std::uint8_t b) { return b == 0; })
               ? CopyShape::Value::Zero
               : CopyShape::Value::Other;
  }
  [[nodiscard]] HomeMoves group(const Move *begin, const Move *end) const {
    HomeMoves g;
    g.begin = begin;
    g.end = end;
    Bytes bytes;
    for (const Move *m = begin; m != end; ++m)
      bytes += m->bytes;
    g.shape = {bytes,
               static_cast<std::uint64_t>(end - begin),
               commonAlignment(begin, end, kWideCopyBytes),
               contiguousSource(begin, end),
               valueOf(*begin),
               c_.options.multiAccessCopies};
    g.kind = c_.costs.chooseCopyVertex(g.shape);
    if (!wantsWideHomes(g.kind)) {
      g.shape.align = commonAlignment(begin, end, kWordBytes);
      g.kind = c_.costs.chooseCopyVertex(g.shape);
    }
    setKind(g, g.kind);
    return g;
  }
  void setKind(HomeMoves &g, CopyVertexKind kind) const {
    g.kind = kind;
    g.cycles = c_.costs.copyVertexCycles(kind, g.shape.bytes, g.shape.runs);
  }

  /// Returns the tile's time if all worker slots are filled as evenly as the longest share permits.
  [[nodiscard]] Cycles tileTime(const TileCopies &copies) const {
    Cycles supervisor, sum, longest;
    for (const CopyShare &share : copies.shares) {
      Bytes bytes;
      for (std::size_t r = share.firstRun; r < share.firstRun + share.numRuns; ++r)
        bytes += copies.runs[r].bytes;
      const Cycles cycles = c_.costs.copyVertexCycles(share.kind, bytes, share.numRuns);
      if (copyVertexIsSupervisor(share.kind)) {
        supervisor += cycles;
      } else {
        sum += cycles;
        longest = std::max(longest, cycles);
      }
    }
    return supervisor + std::max(longest * workers_, sum);
  }

  [[nodiscard]] TileCopies plan() const {
    Cycles all;
    for (const HomeMoves &g : groups_)
      all += copyVertexIsSupervisor(g.kind) ? Cycles() : g.cycles;
    const Cycles target = std::max({Cycles(1), Cycles(c_.graph.machine.copyChoice.shareMinCycles),
                                    (all + Cycles(workers_) - Cycles(1)) / workers_});
    TileCopies result;
    for (const HomeMoves &g : groups_) {
      const std::uint64_t parts =
          copyVertexIsSupervisor(g.kind) ? 1 : std::clamp<std::uint64_t>((g.cycles + target / 2) / target, 1, workers_);
      share(g, parts, result);
    }
    return result;
  }
  void share(const HomeMoves &g, std::uint64_t parts, TileCopies &result) const {
    Bytes left = g.shape.bytes;
    const Move *move = g.begin;
    Bytes used;
    for (; left > Bytes(); --parts) { // the last part takes the rest
      const std::size_t first = result.runs.size();
      Bytes wanted((left.count() + parts - 1) / parts);
      while (wanted > Bytes() && left > Bytes()) {
        const Bytes rest = move->bytes - used;
        const Bytes taken = cut(g, *move, used, std::min(wanted, rest));
        result.runs.push_back(part(*move, used, taken));
        left -= taken;
        wanted -= std::min(wanted, taken);
        if ((used += taken) == move->bytes)
          ++move, used = {};
        if (wanted == Bytes() && left > Bytes() && used == Bytes() && sameWord(result.runs.back(), *move))
          wanted = Bytes(1); // two workers never write one word
      }
      result.shares.push_back({g.kind, first, result.runs.size() - first});
    }
  }
  /// Returns the number of bytes to take from the move. This number is `bytes`, rounded up to a place in the
  /// destination at which another worker may begin, but at most the rest of the move.
  [[nodiscard]] Bytes cut(const HomeMoves &g, const Move &move, Bytes used, Bytes bytes) const {
    const std::uint64_t least = g.shape.align % kWideCopyBytes == 0 ? kWideCopyBytes : kWordBytes;
    const Bytes unit = std::max(Bytes(least), c_.elementSize(move.dst)), at = move.dstOffset + used + bytes;
    return std::min(bytes + (unit - at % unit) % unit, move.bytes - used);
  }
  static bool sameWord(const Move &a, const Move &b) {
    return (a.dstOffset + a.bytes - Bytes(1)) / kWordBytes == b.dstOffset / kWordBytes;
  }
  static Move part(const Move &move, Bytes first, Bytes bytes) {
    Move m = move;
    m.srcOffset += move.src.valid() ? first : Bytes();
    m.dstOffset = narrow(m.dstOffset + first);
    m.bytes = narrow(bytes);
    return m;
  }

  const LoweringContext &c_;
  std::uint32_t workers_;
  std::vector<HomeMoves> groups_;
};

} // namespace

CopyNumber copyOf(const LoweringContext &context, const Move &m) {
  if (!m.src.valid())
    return {true, m.srcOffset.count()};
  const StorageCategory from = context.varOf(m.src).category;
  const bool arrived = from == StorageCategory::Message || from == StorageCategory::GlobalMessage;
  const bool words = isMultiple(m.srcOffset, kWordBytes) && isMultiple(m.dstOffset, kWordBytes) &&
                     isMultiple(m.bytes, kWordBytes); // otherwise two copies could write one word
  return {false, arrived && words && !context.options.sortsAsSent ? m.src.index() + 1U : 0U};
}

TileCopies planTileCopies(const LoweringContext &context, const Move *begin, const Move *end) {
  return TilePlan(context, begin, end).run();
}

} // namespace popscope
