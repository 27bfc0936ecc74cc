// LowerCopy: lowers copies that run alone. A copy that reads bytes that it also writes first gathers its data into a
// temporary buffer. A copy from replica to replica is a separate exchange.
#include "graph/lowering/ProgramLowering.hpp"
#include "graph/lowering/ReceiveWords.hpp"

#include <map>

namespace popscope {

LoweredSteps ProgramLowering::buildOverlappingCopy(const OverlappingCopy &copy) {
  const std::vector<Fragment> &from = copy.source, &to = copy.target;
  const std::string &copyName = copy.program.node->name;
  // The temporary buffer has one home on each destination tile, filled in the order of the view.
  std::map<TileId, std::uint64_t> elements;
  for (const Fragment &f : to)
    elements[c_.tileOf(f.home)] += f.count;
  const VarId var =
      c_.addVariable(c_.bufferName(StorageCategory::Rearrangement, copy.variable), StorageCategory::Rearrangement,
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
               [&](HomeId, StorageCategory category) { return c_.bufferName(category, copy.variable); });
  LoweredSteps steps;
  c_.addExchanges(steps, copyName, "Exchange", std::move(remote));
  c_.addCopies(steps, joinName(copyName, "OnTileCopyPre"), std::move(gather));
  c_.addCopies(steps, joinName(copyName, "OnTileCopy"), std::move(scatter));
  return steps;
}

void ProgramLowering::lowerOverlappingCopy(const OverlappingCopy &copy) {
  context_ = copy.program.context;
  LoweredSteps &steps = built_[{copy.program.node}].steps.before;
  if (steps.empty())
    steps = buildOverlappingCopy(copy);
  emit(steps, copy.program.node->name);
}

// All moves go between replicas, so even a move from a tile to the same tile of another replica needs the exchange.
// Every replica sends its old data before anything arrives.
LoweredSteps ProgramLowering::buildCrossReplicaCopy(const ProgramNode &p) {
  std::vector<Fragment> source, target;
  c_.fragments(p.a, source);
  c_.fragments(p.b, target);
  Moves moves, local;
  c_.pairFragments(source, target, moves, local);
  moves.insert(moves.end(), local.begin(), local.end());
  std::vector<ReplicaPair> pairs;
  for (const auto &row : p.as<CrossReplicaArguments>().replicaMap)
    pairs.push_back({row.first, row.second});
  c_.out.replicaMaps.push_back(std::move(pairs));
  LoweredSteps steps;
  c_.addExchange(steps, StepKind::GlobalExchange, joinName(p.name, "CrossReplicaExchange"), moves,
                 static_cast<std::int32_t>(c_.out.replicaMaps.size() - 1));
  return steps;
}

void ProgramLowering::lowerCrossReplicaCopy(const ProgramNode &p) {
  LoweredSteps &steps = built_[{&p}].steps.before;
  if (steps.empty() && viewCount(p.a) > 0 && !p.as<CrossReplicaArguments>().replicaMap.empty())
    steps = buildCrossReplicaCopy(p);
  emit(steps, p.name);
}

} // namespace popscope
