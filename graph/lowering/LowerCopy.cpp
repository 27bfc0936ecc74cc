// LowerCopy: lowers copies from tensor to tensor on the device. Data for another tile move by exchange from home to
// home, other data by copy vertices; elements that are copied onto themselves stay. If a copy reads bytes that it also
// writes, it first gathers its data into a temporary.
#include "graph/lowering/CollectUses.hpp"
#include "graph/lowering/ProgramLowering.hpp"
#include "graph/lowering/ReceiveWords.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace popscope {
namespace {

/// Returns whether a home may be both read and written. The homes of a variable are neighbours, so a copy between two
/// variables has disjoint ranges of homes.
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
  struct Range {
    HomeId home;
    Bytes begin, end;
    bool write;
  };
  std::vector<Range> ranges;
  for (const auto *moves : {&remote, &local})
    for (const Move &m : *moves) {
      if (m.src.valid())
        ranges.push_back({m.src, m.srcOffset, m.srcOffset + m.bytes, false});
      ranges.push_back({m.dst, m.dstOffset, m.dstOffset + m.bytes, true});
    }
  std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) {
    return std::tie(a.home, a.begin, a.write) < std::tie(b.home, b.begin, b.write);
  });
  Bytes readEnd, writeEnd;
  HomeId home;
  for (const Range &r : ranges) {
    if (r.home != home) {
      home = r.home;
      readEnd = writeEnd = {};
    }
    if (r.begin < (r.write ? readEnd : writeEnd))
      return true;
    Bytes &end = r.write ? writeEnd : readEnd;
    end = std::max(end, r.end);
  }
  return false;
}

} // namespace

LoweredSteps ProgramLowering::buildOverlappingCopy(const std::vector<Fragment> &from, const std::vector<Fragment> &to,
                                                   const View &source, const std::string &copyName) {
  // The temporary has one home on each destination tile, filled in the order of the view.
  std::map<TileId, std::uint64_t> elements;
  for (const Fragment &f : to)
    elements[c_.tileOf(f.home)] += f.count;
  const VarId var =
      c_.addVariable(c_.bufferName(StorageCategory::Rearrangement, source), StorageCategory::Rearrangement,
                     c_.varOf(to.front().home).type, {elements.begin(), elements.end()});
  std::map<TileId, Fragment> next;
  for (std::uint32_t h = 0; h < c_.out.vars[var].numHomes; ++h) {
    const HomeId home(c_.out.vars[var].firstHome + h);
    next[c_.tileOf(home)].home = home;
  }
  std::vector<Fragment> middle;
  for (const Fragment &f : to) {
    Fragment &place = next[c_.tileOf(f.home)];
    middle.push_back({place.element, place.home, f.count});
    place.element += f.count;
  }
  Moves remote, gather, none, scatter;
  c_.pairFragments(from, middle, remote, gather);
  c_.pairFragments(middle, to, none, scatter);
  POPSCOPE_CHECK(none.empty(), "a scatter that leaves its tile");
  receiveWords(c_, remote, gather, false,
               [&](HomeId, StorageCategory category) { return c_.bufferName(category, source); });
  LoweredSteps steps;
  c_.addExchanges(steps, copyName, "Exchange", std::move(remote));
  c_.addCopies(steps, joinName(copyName, "OnTileCopyPre"), std::move(gather));
  c_.addCopies(steps, joinName(copyName, "OnTileCopy"), std::move(scatter));
  return steps;
}

/// Creates the buffers of a program when lowering meets the program first.
void ProgramLowering::receiveWordsOnce(const ProgramNode &p, const View &source, Moves &remote, Moves &local) {
  const auto known = wordMoves_.find(&p);
  if (known != wordMoves_.end()) {
    std::tie(remote, local) = known->second;
    return;
  }
  const std::uint64_t buffers = c_.buffers;
  receiveWords(c_, remote, local, true,
               [&](HomeId, StorageCategory category) { return c_.bufferName(category, source); });
  if (c_.buffers != buffers && repeated_.count(&p) != 0) // otherwise they are not needed again
    wordMoves_.emplace(&p, std::pair(remote, local));
}

// Turns the copy into moves between tiles and moves on tiles, and lets them wait for more copies (MergeCopies). A copy
// that reads what it writes goes through a temporary and is emitted at once.
void ProgramLowering::lowerCopy(const ProgramNode &p) {
  View from = p.a, to = p.b;
  straighten(c_.graph, to, from);
  const MovedParts moved = movedParts(from, to);
  if (viewCount(moved.from) == 0)
    return;
  std::vector<Fragment> source, target;
  c_.fragments(moved.to, target);
  c_.fragmentsFor(moved.from, target, source);
  WaitingCopy copy{&p, context_, {}, {}, {}, {}};
  c_.pairFragments(source, target, copy.remote, copy.local);
  if (copy.remote.empty() && copy.local.empty())
    return;
  if (readsWhatItWrites(copy.remote, copy.local)) {
    flushCopies();
    LoweredSteps &steps = built_[{&p}].steps.before;
    if (steps.empty())
      steps = buildOverlappingCopy(source, target, moved.from, p.name);
    return emit(steps, p.name);
  }
  source = {}; // frees the fragments, of which a copy by element has millions
  target = {};
  receiveWordsOnce(p, moved.from, copy.remote, copy.local);
  copy.moved = summaryOf(c_, copy.remote, copy.local);
  if (ExecuteParts *const set = waiting_.setBefore(copy); set != nullptr && !set->uses) {
    buildExecute(*set);
    noteUses(c_, *set);
  }
  if (!waiting_.joins(copy))
    flushCopies();
  placeBorders();
  waiting_.add(std::move(copy));
}

// All moves go between replicas, so even those that stay on "their" tile go by exchange. Every replica sends what it
// had before anything arrives.
LoweredSteps ProgramLowering::buildCrossReplicaCopy(const ProgramNode &p) {
  std::vector<Fragment> source, target;
  c_.fragments(p.a, source);
  c_.fragments(p.b, target);
  Moves moves, local;
  c_.pairFragments(source, target, moves, local);
  moves.insert(moves.end(), local.begin(), local.end());
  std::vector<ReplicaPair> pairs;
  for (const auto &row : p.replicaMap)
    pairs.push_back({row.first, row.second});
  c_.out.replicaMaps.push_back(std::move(pairs));
  LoweredSteps steps;
  c_.addReplicaExchange(steps, joinName(p.name, "CrossReplicaExchange"), moves,
                        static_cast<std::int32_t>(c_.out.replicaMaps.size() - 1));
  return steps;
}

void ProgramLowering::lowerCrossReplicaCopy(const ProgramNode &p) {
  if (c_.graph.replicationFactor == 1)
    return lowerCopy(p);
  LoweredSteps &steps = built_[{&p}].steps.before;
  if (steps.empty() && viewCount(p.a) > 0 && !p.replicaMap.empty())
    steps = buildCrossReplicaCopy(p);
  emit(steps, p.name);
}

} // namespace popscope
