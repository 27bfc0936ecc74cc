#include "graph/lowering/ClassifyEdges.hpp"

#include <algorithm>
#include <limits>

namespace popscope {
namespace {

bool overlap(const RunList &a, const RunList &b) {
  const auto contains = [](const ViewRun &r, std::uint64_t e) {
    if (r.stride == 0 || r.count == 1)
      return e == r.begin;
    const std::int64_t offset = static_cast<std::int64_t>(e) - static_cast<std::int64_t>(r.begin),
                       steps = offset / r.stride;
    return offset % r.stride == 0 && steps >= 0 && static_cast<std::uint64_t>(steps) < r.count;
  };
  for (const ViewRun &x : a)
    for (const ViewRun &y : b)
      for (std::uint64_t i = 0; x.var == y.var && i < x.count; ++i)
        if (contains(y, x.at(i)))
          return true;
  return false;
}

} // namespace

/// An operand before it is placed.
struct EdgeClassifier::Operand {
  const OperandFacts *facts;
  std::uint16_t field;
  std::uint32_t subIndex;
  RunList view;
};

/// Calls use(operand) for each operand of a vertex. A plain vector is one operand: if its elements were connected one
/// by one, the function joins them in `joined_`.
template <class Use> void EdgeClassifier::eachOperand(const GraphVertex &vertex, const Use &use) {
  const std::vector<OperandFacts> &fields = c_.operandFacts(vertex.codelet);
  const EdgeRange all = vertex.edges();
  for (std::size_t e = 0, next = 0; e < all.size(); e = next) {
    const GraphEdge edge = all[e];
    const OperandFacts &facts = fields.at(edge.field);
    next = e + 1;
    if (facts.isVector)
      while (next < all.size() && all.plain(next).field == edge.field)
        ++next;
    if (next == e + 1) {
      use(Operand{&facts, edge.field, edge.subIndex, edge.runs});
      continue;
    }
    std::vector<ViewRun> &runs = joined_.emplace_back();
    for (std::size_t i = e; i < next; ++i) {
      const GraphEdge part = all[i];
      runs.insert(runs.end(), part.runs.begin(), part.runs.end());
    }
    use(Operand{&facts, edge.field, edge.subIndex, {runs.data(), runs.size()}});
  }
}

void EdgeClassifier::add(const GraphVertex &vertex) {
  kinds.clear();
  const auto &separate = c_.selfOverlapping;
  if (!separate.empty() && std::binary_search(separate.begin(), separate.end(), vertex.id()))
    return addSeparately(vertex);
  if (!addPlain(vertex))
    eachOperand(vertex, [&](const Operand &o) { place(o, vertex.tile, false); });
}

/// Adds the edges of a vertex at low cost if each edge is an operand of one run of a variable. Otherwise changes
/// nothing and returns false.
bool EdgeClassifier::addPlain(const GraphVertex &vertex) {
  const std::vector<OperandFacts> &fields = c_.operandFacts(vertex.codelet);
  const EdgeRange all = vertex.edges();
  const auto isPlain = [&](std::size_t e) {
    const PlainEdge edge = all.plain(e);
    return edge.var.valid() && !c_.isConstant(edge.var) &&
           !(e != 0 && fields[edge.field].isVector && all.plain(e - 1).field == edge.field);
  };
  for (std::size_t e = 0; e < all.size(); ++e)
    if (!isPlain(e))
      return false;
  for (std::size_t e = 0; e < all.size(); ++e) {
    const PlainEdge edge = all.plain(e);
    placePlain(edge, fields[edge.field], vertex.tile);
  }
  return true;
}

/// Gives buffers to data that the vertex reads through one field and writes through another, because the vertex must
/// read the old values.
void EdgeClassifier::addSeparately(const GraphVertex &vertex) {
  std::vector<Operand> all;
  eachOperand(vertex, [&](const Operand &o) { all.push_back(o); });
  for (const Operand &o : all)
    place(o, vertex.tile, !o.facts->writes && std::any_of(all.begin(), all.end(), [&](const Operand &other) {
            return other.facts->writes && overlap(o.view, other.view);
          }));
}

EdgePlace &EdgeClassifier::append(std::uint16_t field, std::uint32_t subIndex, const OperandFacts &facts,
                                  std::uint64_t elements) {
  OperandKind &kind = kinds.emplace_back();
  kind.field = field;
  kind.subIndex = subIndex;
  kind.reads = facts.reads;
  kind.writes = facts.writes;
  // A larger number cannot fit on a tile, so the buffer of this size is refused later.
  kind.elements =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(elements, std::numeric_limits<std::uint32_t>::max()));
  return places_.emplace_back();
}

void EdgeClassifier::demand(const EdgePlace &operand, const OperandFacts &facts) {
  if (operand.home.valid() && (facts.alignment > kWordBytes || facts.interleaved))
    demands.push_back({operand.home, facts.alignment, facts.interleaved});
}

void EdgeClassifier::place(const Operand &o, TileId tile, bool apart) {
  std::uint32_t &piece = hint();
  const std::uint64_t elements = viewCount(o.view);
  EdgePlace &out = append(o.field, o.subIndex, *o.facts, elements);
  if (elements != 0)
    settle(o, tile, apart, piece, out);
}

void EdgeClassifier::settle(const Operand &o, TileId tile, bool apart, std::uint32_t &piece, EdgePlace &out) {
  Fragment only;
  if (c_.findInPiece(o.view, piece, only)) {
    parts_.assign(1, only);
  } else {
    only = {};
    c_.fragments(o.view, parts_, 1, tile);
  }
  const bool oneHome = parts_.size() == 1 && parts_.front().home.valid(); // otherwise several runs, or a fill
  if (!apart && oneHome && c_.standsOn(parts_.front(), tile, o.facts->alignment, out))
    return demand(out, *o.facts);
  edges.push_back({o.view, only, static_cast<std::uint32_t>(places_.size() - 1), tile, o.facts->reads, o.facts->writes,
                   o.facts->interleaved, o.facts->alignment, viewCount(o.view)});
}

void EdgeClassifier::placePlain(const PlainEdge &edge, const OperandFacts &facts, TileId tile) {
  std::uint32_t &piece = hint();
  EdgePlace &out = append(edge.field, edge.subIndex, facts, edge.count);
  Fragment only;
  if (c_.findInPiece(edge.var, edge.begin, edge.count, piece, only) && c_.standsOn(only, tile, facts.alignment, out))
    return demand(out, facts);
  const RunList view(ViewRun(edge.var, edge.begin, 1, edge.count));
  settle({&facts, edge.field, edge.subIndex, view}, tile, false, piece, out);
}

} // namespace popscope
