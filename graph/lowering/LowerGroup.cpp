// LowerGroup: turns a group of MergeCopies into steps. Copies and the moves to a compute set's operands become one
// exchange and one compute set of copy vertices. The user's compute set follows. Each copy, and the user's compute set,
// is a separate source, in program order.
#include "graph/lowering/BuildExecute.hpp"
#include "graph/lowering/ProgramLowering.hpp"
#include "graph/lowering/TouchSteps.hpp"

#include <algorithm>

namespace popscope {
namespace {

/// Appends the moves of one member. Consumes `from`, because the moves are not needed again, and a copy by element has
/// millions of moves.
void append(Moves from, std::size_t member, Moves &to) {
  for (Move &m : from)
    m.member = static_cast<std::uint16_t>(member);
  if (to.empty())
    to = std::move(from);
  else
    to.insert(to.end(), from.begin(), from.end());
}

} // namespace

/// Returns the same step, but as the work of member `member` of the merged sources.
LoweredStep ProgramLowering::asMember(LoweredStep step, std::uint16_t member) {
  if (step.firstAccess == kTouchedLater) {
    std::vector<Touch> touches = touchesOf(c_, step.kind, step.payload);
    for (Touch &touch : touches)
      touch.member = member;
    return c_.finishStep(step.kind, step.name, step.payload, std::move(touches));
  }
  const std::uint32_t from = step.firstAccess;
  step.firstAccess = static_cast<std::uint32_t>(c_.out.accesses.size());
  for (std::uint32_t a = from; a < from + step.numAccesses; ++a) {
    Access access = c_.out.accesses[a];
    access.member = member;
    c_.out.accesses.push_back(access);
  }
  return step;
}

// Builds the steps of a group with copies. The moves of all copies form one exchange and one compute set of copy
// vertices. The moves of the set's operands join the moves of the copies, at the set's place among the copies. Each
// move keeps the number of its member, which attributes touches and steps to their source programs.
ProgramLowering::MergedSteps ProgramLowering::buildGroup(CopyGroup &group) {
  ExecuteParts *const set = group.set ? group.set->parts : nullptr;
  const bool moves = set != nullptr && set->moved.any();
  std::vector<std::string> names;
  Moves remote, local;
  for (std::size_t i = 0; i <= group.copies.size(); ++i) {
    if (moves && i == group.before) {
      movesBefore(c_, *set);
      names.push_back(c_.graph.names[c_.graph.computeSets[set->computeSet].name]);
      const auto movesOf = [keeps = set->before.empty()](Moves &held) {
        return keeps ? held : std::exchange(held, {});
      };
      append(movesOf(set->receive), i, remote);
      append(movesOf(set->gather), i, local);
    }
    if (i == group.copies.size())
      break;
    const std::size_t member = i + (set != nullptr && i >= group.before ? 1 : 0);
    names.push_back(group.copies[i].program.node->name);
    append(std::move(group.copies[i].remote), member, remote);
    append(std::move(group.copies[i].local), member, local);
  }
  MergedSteps steps;
  const std::string name = joinedNames(names);
  c_.log.debug("MergeCopies: \"{}\" is {} {} and {} compute sets: {} moves between tiles, {} on tiles", name,
               group.copies.size(), group.copies.size() == 1 ? "copy" : "copies", moves ? 1 : 0, remote.size(),
               local.size());
  c_.addExchanges(steps.before, name, moves ? "ExchangePre" : "Exchange", std::move(remote));
  c_.addCopies(steps.before, joinName(name, moves ? "OnTileCopyPre" : "OnTileCopy"), std::move(local));
  if (set == nullptr)
    return steps;
  buildExecute(c_, *set);
  steps.set = set->steps;
  for (LoweredStep &step : steps.set)
    if (group.before > 0)
      step = asMember(step, static_cast<std::uint16_t>(group.before));
  return steps;
}

void ProgramLowering::emitMembers(const LoweredSteps &steps, SourceId first,
                                  const std::vector<std::uint64_t> &contexts) {
  const auto begin = static_cast<std::uint32_t>(c_.out.steps.size());
  const std::uint64_t around = std::exchange(context_, contexts.front());
  emitUnsourced(steps, first);
  for (std::uint32_t s = begin; s < c_.out.steps.size(); ++s)
    addContexts(StepIndex(s), contexts);
  context_ = around;
}

void ProgramLowering::emitGroup(const CopyGroup &group, const MergedSteps &steps) {
  const SourceId first(static_cast<std::uint32_t>(c_.out.sources.size()));
  const std::vector<NaiveProgram> programs = programsOf(group);
  std::vector<std::uint64_t> contexts;
  for (const NaiveProgram &program : programs) {
    contexts.push_back(program.context);
    if (program.node->kind == ProgramKind::Execute)
      addSource(*group.set->parts);
    else
      c_.out.sources.push({c_.name(program.node->name), ComputeSetId()});
  }
  const bool inPlace = group.set && !group.set->parts->moved.any();
  if (inPlace) // the set takes no part in the earlier steps
    contexts.erase(contexts.begin() + static_cast<std::ptrdiff_t>(group.before));
  emitMembers(steps.before, first, contexts);
  if (group.set) {
    const std::uint64_t around = std::exchange(context_, group.set->program.context);
    emitUnsourced(steps.set, first);
    context_ = around;
  }
}

SourceId ProgramLowering::addSource(const ExecuteParts &set) {
  return c_.out.sources.push(
      {c_.name(c_.graph.names[c_.graph.computeSets[set.computeSet].name]), c_.loweredSet(set.computeSet)});
}

void ProgramLowering::lowerSet(const PlacedSet &set) {
  ExecuteParts &parts = *set.parts;
  if (parts.before.empty()) {
    const std::string &setName = c_.graph.names[c_.graph.computeSets[parts.computeSet].name];
    c_.addExchanges(parts.before, setName, "ExchangePre", std::move(parts.receive));
    c_.addCopies(parts.before, joinName(setName, "OnTileCopyPre"), std::move(parts.gather));
  }
  parts.receive = parts.gather = {};
  buildExecute(c_, parts);
  context_ = set.program.context;
  const SourceId source = addSource(parts);
  emitUnsourced(parts.before, source);
  emitUnsourced(parts.steps, source);
}

void ProgramLowering::lowerGroup(CopyGroup group) {
  if (group.copies.empty())
    return lowerSet(*group.set);
  const bool joinedSet = group.set && group.set->parts->moved.any();
  std::optional<PlacedSet> apart; // a set that takes no part in the moves, and that no copy follows
  if (group.set && !joinedSet && group.before == group.copies.size())
    apart = std::exchange(group.set, std::nullopt);
  std::vector<const ProgramNode *> nodes;
  for (const NaiveProgram &program : programsOf(group))
    nodes.push_back(program.node);
  c_.copiesBeforeMerge += group.copies.size();
  c_.copiesAfterMerge += joinedSet ? 0 : 1;
  auto known = built_.find(nodes);
  if (known == built_.end())
    known = built_.emplace(std::move(nodes), BuiltSteps{buildGroup(group), VarId()}).first;
  emitGroup(group, known->second.steps);
  if (apart)
    lowerSet(*apart);
}

} // namespace popscope
