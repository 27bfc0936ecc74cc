#include "graph/lowering/CopyForwards.hpp"

#include "graph/ir/ViewOps.hpp"
#include "graph/lowering/CollectUses.hpp"
#include "graph/lowering/LoweringContext.hpp"

#include <algorithm>
#include <utility>

namespace popscope {
namespace {

constexpr std::uint64_t kHomeAlign = kWideCopyBytes; // required alignment of a run that replaces a home

struct Place {
  TileId tile;
  std::uint64_t place = 0, left = 0; // position in the tile's home; elements left in the mapped range, 0 = not mapped
};

bool isPlain(const GraphVar &var) { return !var.constant && var.split == 0 && var.replicas.empty(); }

/// Calls visit with each maximal pair of matching pieces of two views of equal size, until visit returns false.
template <class Visit> bool eachPair(const View &a, const View &b, const Visit &visit) {
  const RunList runsA(a), runsB(b);
  PieceReader readA(runsA), readB(runsB);
  auto pieceA = readA.next(), pieceB = readB.next();
  while (pieceA && pieceB) {
    const std::uint64_t count = std::min(pieceA->count, pieceB->count);
    if (!visit(*pieceA, *pieceB, count))
      return false;
    const auto advance = [count](std::optional<ViewPiece> &piece, PieceReader &reader) {
      piece->begin += count;
      if ((piece->count -= count) == 0)
        piece = reader.next();
    };
    advance(pieceA, readA);
    advance(pieceB, readB);
  }
  return true;
}

} // namespace

/// Finds one element after the other. Each element is usually in the range of the previous element or in the next
/// range.
class HomePlaces::Finder {
public:
  explicit Finder(HomePlaces &places) : places_(places) {}
  Place find(const ViewPiece &piece) {
    const auto &mapping = places_.graph_.vars[piece.var].mapping;
    if (piece.var != var_) {
      var_ = piece.var;
      offsets_ = &places_.offsetsOf(var_);
      range_ = 0;
    }
    const auto holds = [&](std::size_t r) {
      return r < mapping.size() && mapping[r].begin <= piece.begin && piece.begin < mapping[r].end;
    };
    if (!holds(range_) && !holds(++range_)) {
      const auto it = std::upper_bound(mapping.begin(), mapping.end(), piece.begin,
                                       [](std::uint64_t b, const MappedRange &r) { return b < r.end; });
      range_ = static_cast<std::size_t>(it - mapping.begin());
      if (!holds(range_))
        return {};
    }
    const MappedRange &range = mapping[range_];
    return {range.tile, (*offsets_)[range_] + piece.begin - range.begin, range.end - piece.begin};
  }

private:
  HomePlaces &places_;
  GraphVarId var_;
  const std::vector<std::uint64_t> *offsets_ = nullptr;
  std::size_t range_ = 0;
};

const std::vector<std::uint64_t> &HomePlaces::offsetsOf(GraphVarId var) {
  const auto [known, fresh] = offsets_.try_emplace(var.index());
  if (fresh) {
    std::unordered_map<std::uint32_t, std::uint64_t> used;
    for (const MappedRange &r : graph_.vars[var].mapping) {
      std::uint64_t &end = used[r.tile.index()];
      known->second.push_back(end);
      end += r.end - r.begin;
    }
  }
  return known->second;
}

bool HomePlaces::inPlace(const View &goes, const View &stays) {
  std::unordered_map<std::uint32_t, std::pair<GraphVarId, std::uint64_t>> known; // by tile; lookup only
  Finder to(*this), from(*this);
  return eachPair(goes, stays, [&](ViewPiece goesPiece, ViewPiece staysPiece, std::uint64_t count) {
    while (count != 0) {
      const auto [toTile, toPlace, toLeft] = to.find(goesPiece);
      const auto [fromTile, fromPlace, fromLeft] = from.find(staysPiece);
      const std::uint64_t taken = std::min({count, toLeft, fromLeft});
      if (taken == 0 || toTile != fromTile || fromPlace < toPlace)
        return false;
      const std::pair behind(staysPiece.var, fromPlace - toPlace);
      const auto [at, first] = known.try_emplace(toTile.index(), behind);
      if (first ? behind.second * elementBytes(graph_.vars[staysPiece.var].type) % kHomeAlign != 0
                : at->second != behind)
        return false;
      goesPiece.begin += taken;
      staysPiece.begin += taken;
      count -= taken;
    }
    return true;
  });
}

/// Returns the pieces of a copy that meets the conditions in CopyForwards.hpp. Returns no value for any other program.
std::optional<Forward> forwardOf(const GraphIr &graph, const ProgramNode &p, Kept kept, HomePlaces &homes) {
  if (p.kind != ProgramKind::Copy || viewCount(p.b) == 0 || p.a.type != p.b.type)
    return std::nullopt;
  View goes = kept == Kept::Source ? p.b : p.a, stays = kept == Kept::Source ? p.a : p.b;
  Forward f;
  f.copy = &p;
  f.gone = goes.runs.front().var;
  const GraphVar &to = graph.vars[f.gone];
  bool possible = isPlain(to) && to.initial.empty() && to.elements == viewCount(goes);
  eachVariable(goes, [&](GraphVarId var) { possible = possible && var == f.gone; });
  eachVariable(stays, [&](GraphVarId var) {
    possible = possible && var != f.gone && isPlain(graph.vars[var]) &&
               (kept == Kept::Source || graph.vars[var].initial.empty());
  });
  if (!possible)
    return std::nullopt;
  // straighten() needs a view that contains each element once. A destination contains each element once (CheckGraph). A
  // source that visits its variable in the same pattern as a destination also contains each element once.
  straighten(graph, goes, stays);
  if (!homes.inPlace(goes, stays))
    return std::nullopt;
  eachPair(goes, stays, [&](const ViewPiece &into, const ViewPiece &from, std::uint64_t count) {
    f.pieces.push_back({into.begin, count, from.var, from.begin});
    return true;
  });
  std::sort(f.pieces.begin(), f.pieces.end(),
            [](const ForwardPiece &x, const ForwardPiece &y) { return x.begin < y.begin; });
  std::uint64_t covered = 0;
  for (const ForwardPiece &piece : f.pieces) {
    if (piece.begin != covered)
      return std::nullopt; // some elements occur twice
    covered += piece.count;
    f.sources.push_back(piece.source);
  }
  std::sort(f.sources.begin(), f.sources.end());
  f.sources.erase(std::unique(f.sources.begin(), f.sources.end()), f.sources.end());
  return f;
}

} // namespace popscope
