#include "graph/lowering/PlaceMoves.hpp"

#include "graph/lowering/CollectUses.hpp"
#include "graph/lowering/PlaceOperands.hpp"
#include "graph/lowering/ReceiveWords.hpp"

#include <algorithm>
#include <tuple>

namespace popscope {
namespace {

/// Returns whether a home may be both read and written. The homes of a variable are neighbours, so a copy between two
/// variables has two disjoint ranges of homes.
bool homesMeet(const Moves &remote, const Moves &local) {
  struct {
    HomeId first, last;
    void add(HomeId home) {
      first = first.valid() ? std::min(first, home) : home;
      last = last.valid() ? std::max(last, home) : home;
    }
  } read, written;
  for (const auto *moves : {&remote, &local})
    for (const Move &m : *moves) {
      if (m.src.valid())
        read.add(m.src);
      written.add(m.dst);
    }
  return read.first.valid() && read.first <= written.last && written.first <= read.last;
}

/// Returns whether any byte is both a source and a destination of the moves.
bool readsWhatItWrites(const Moves &remote, const Moves &local) {
  if (!homesMeet(remote, local))
    return false;
  HomeUses uses = usesOf(remote, local);
  HomeRanges written;
  written.add(std::move(uses.writes));
  return written.meet(uses.reads);
}

ExecuteParts placed(LoweringContext &c, ExecutePreparer &preparer, ComputeSetId computeSet, const View &result) {
  ExecuteParts parts;
  parts.computeSet = computeSet;
  parts.result = &result;
  PreparedExecute prepared = preparer.take(computeSet);
  c.makeRoom(preparer.newRows());
  placeOperands(c, std::move(prepared), parts);
  parts.moved = summaryOf(c, parts.receive, parts.gather);
  c.log.debug("PlaceOperands: compute set \"{}\": {} vertices, {} bytes in {} moves to operands between tiles, {} on "
              "tiles",
              c.graph.names[c.graph.computeSets[computeSet].name], parts.placed.numVertices(),
              parts.moved.bytes.count(), parts.receive.size(), parts.gather.size());
  return parts;
}

} // namespace

MovePlacer::MovePlacer(LoweringContext &context, const GraphUses &uses, const std::vector<ProgramPtr> &programs)
    : c_(context), preparer_(context, uses.firstExecutes) {
  for (const ProgramPtr &program : programs)
    noteRepeated(program);
  for (const auto &function : context.graph.functions)
    noteRepeated(function.body);
}

/// Records that a program and its children occur. If the program occurs again, also records that the program and its
/// children are repeated.
void MovePlacer::noteRepeated(const ProgramPtr &program) {
  if (!program || (!seen_.insert(program.get()).second && !repeated_.insert(program.get()).second))
    return;
  for (const ProgramPtr &child : program->children)
    noteRepeated(child);
}

/// Creates the buffers of a program when lowering first meets the program.
void MovePlacer::receiveWordsOnce(const ProgramNode &p, const View &source, Moves &remote, Moves &local) {
  const auto known = wordMoves_.find(&p);
  if (known != wordMoves_.end()) {
    std::tie(remote, local) = known->second;
    return;
  }
  const std::uint64_t buffers = c_.buffers;
  receiveWords(c_, remote, local, true,
               [&](HomeId, StorageCategory category) { return c_.bufferName(category, source); });
  if (c_.buffers != buffers && repeated_.count(&p) != 0) // otherwise lowering does not need the moves again
    wordMoves_.emplace(&p, std::pair(remote, local));
}

MovePlacer::Copy MovePlacer::placeCopy(const NaiveProgram &program) {
  const ProgramNode &p = *program.node;
  View from = p.a, to = p.b;
  straighten(c_.graph, to, from);
  const MovedParts moved = movedParts(from, to);
  if (viewCount(moved.from) == 0)
    return {};
  std::vector<Fragment> source, target;
  c_.fragments(moved.to, target);
  c_.fragmentsFor(moved.from, target, source);
  PlacedCopy copy{program, {}, {}, {}, {}};
  c_.pairFragments(source, target, copy.remote, copy.local);
  if (copy.remote.empty() && copy.local.empty())
    return {};
  if (readsWhatItWrites(copy.remote, copy.local))
    return OverlappingCopy{program, moved.from.runs.front().var, std::move(source), std::move(target)};
  source = {}; // frees the fragments, of which a copy by element has millions
  target = {};
  receiveWordsOnce(p, moved.from, copy.remote, copy.local);
  copy.moved = summaryOf(c_, copy.remote, copy.local);
  return copy;
}

ExecuteParts *MovePlacer::placeExecute(const ProgramNode &p) {
  const bool plain = viewCount(p.a) == 0;
  if (plain && c_.graph.computeSets[p.as<ExecuteArguments>().computeSet].vertices.empty())
    return nullptr; // a set without vertices has a step only if it writes a result: the AND over no vertices
  ExecuteParts &parts = executes_[{p.as<ExecuteArguments>().computeSet, plain ? nullptr : &p}];
  if (!parts.computeSet.valid())
    parts = placed(c_, preparer_, p.as<ExecuteArguments>().computeSet, p.a);
  return &parts;
}

} // namespace popscope
