#include "graph/lowering/MergeCopies.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

namespace popscope {
namespace {

constexpr std::size_t kMaxNameLength = 500; // of joined names, because the table of sources stores all of them

/// Adds the accesses of the vertices of a compute set and of its copy vertices.
void addExecute(const StepProgram &p, const ExecuteStep &execute, HomeUses &uses) {
  for (std::uint32_t v = execute.firstVertex; v < execute.firstVertex + execute.numVertices; ++v)
    for (const VertexEdge edge : p.edgesOf(p.vertices[v])) {
      if (!edge.home.valid())
        continue;
      const HomeRange range = homeRange(edge.home, edge.offset, p.edgeBytes(edge));
      if (edge.reads)
        uses.reads.push_back(range);
      if (edge.writes)
        uses.writes.push_back(range);
    }
  if (execute.result.valid())
    uses.writes.push_back(homeRange(execute.result, execute.resultOffset, p.elementSize(execute.result)));
}

/// Adds the moves from which the steps were built; for copy vertices, as the workers share them.
void addMoves(const StepProgram &p, const LoweredSteps &steps, Moves &remote, Moves &local) {
  for (const LoweredStep &step : steps)
    if (step.kind == StepKind::DoExchange || step.kind == StepKind::GlobalExchange) {
      const ExchangeStep &exchange = p.exchanges[step.payload];
      for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
        const Message &message = p.messages[m];
        remote.push_back({{message.srcOffset, message.src, message.dst, message.dstOffset, message.bytes}, 0});
      }
    } else if (step.kind == StepKind::OnTileExecute) {
      const ExecuteStep &execute = p.executes[step.payload];
      for (std::uint32_t c = execute.firstCopy; c < execute.firstCopy + execute.numCopies; ++c)
        for (std::uint32_t r = p.copies[c].firstRun; r < p.copies[c].firstRun + p.copies[c].numRuns; ++r)
          local.push_back({p.copyRuns[r], 0});
    }
}

} // namespace

MovesSummary summaryOf(const LoweringContext &context, const Moves &remote, const Moves &local) {
  MovesSummary sum;
  sum.remote = !remote.empty();
  sum.local = !local.empty();
  const auto add = [&](HomeId home) {
    if (!home.valid())
      return;
    const IpuId ipu = context.ipuOf(context.tileOf(home));
    if (std::find(sum.ipus.begin(), sum.ipus.end(), ipu) == sum.ipus.end())
      sum.ipus.push_back(ipu);
  };
  for (const Moves *moves : {&remote, &local})
    for (const Move &m : *moves) {
      sum.bytes += m.bytes;
      add(m.src);
      add(m.dst);
    }
  std::sort(sum.ipus.begin(), sum.ipus.end());
  return sum;
}

namespace {

void addUses(const Moves &remote, const Moves &local, HomeUses &uses) {
  for (const Moves *moves : {&remote, &local})
    for (const Move &m : *moves) {
      if (m.src.valid())
        uses.reads.push_back(homeRange(m.src, m.srcOffset, m.bytes));
      uses.writes.push_back(homeRange(m.dst, m.dstOffset, m.bytes));
    }
}

HomeUses joined(HomeUses uses) {
  joinRanges(uses.reads);
  joinRanges(uses.writes);
  return uses;
}

/// Returns the homes that moves read and write.
HomeUses usesOf(const Moves &remote, const Moves &local) {
  HomeUses uses;
  addUses(remote, local, uses);
  return joined(std::move(uses));
}

} // namespace

void movesBefore(const LoweringContext &context, ExecuteParts &parts) {
  if (parts.receive.empty() && parts.gather.empty())
    addMoves(context.out, parts.before, parts.receive, parts.gather);
}

void noteUses(const LoweringContext &context, ExecuteParts &parts) {
  movesBefore(context, parts);
  HomeUses all;
  addUses(parts.receive, parts.gather, all);
  Moves remote, local;
  addMoves(context.out, parts.steps, remote, local);
  addUses(remote, local, all);
  for (const LoweredStep &step : parts.steps)
    if (step.kind == StepKind::OnTileExecute)
      addExecute(context.out, context.out.executes[step.payload], all);
  all = joined(std::move(all));
  parts.uses = std::make_unique<HomeUseSets>();
  parts.uses->reads.add(std::move(all.reads));
  parts.uses->writes.add(std::move(all.writes));
}

void CopyMerger::noteUses() {
  for (; noted_ < group_.copies.size(); ++noted_) {
    WaitingCopy &copy = group_.copies[noted_];
    HomeUses uses = copy.uses ? *std::exchange(copy.uses, std::nullopt) : usesOf(copy.remote, copy.local);
    uses_.reads.add(std::move(uses.reads));
    uses_.writes.add(std::move(uses.writes));
  }
}

bool CopyMerger::fits(const MovesSummary &moves) const {
  return group_.copies.size() + (group_.set ? 1 : 0) < kMaxMembers &&
         moves.bytes <= maxBytes_ - std::min(maxBytes_, sum_.bytes) && (sum_.ipus.empty() || moves.ipus == sum_.ipus);
}

/// Returns whether these moves, together with the waiting ones, save a step.
bool CopyMerger::gains(const MovesSummary &moves) const {
  return (moves.remote && sum_.remote) || (moves.local && sum_.local);
}

void CopyMerger::note(const MovesSummary &moves) {
  sum_.bytes += moves.bytes;
  sum_.remote = sum_.remote || moves.remote;
  sum_.local = sum_.local || moves.local;
  if (sum_.ipus.empty())
    sum_.ipus = moves.ipus;
}

ExecuteParts *CopyMerger::setBefore(const WaitingCopy &copy) const {
  return group_.set && fits(copy.moved) && gains(copy.moved) ? group_.set->parts : nullptr;
}

bool CopyMerger::joins(WaitingCopy &copy) {
  if (empty())
    return true;
  if (!fits(copy.moved) || (group_.set && !gains(copy.moved)))
    return false;
  noteUses();
  copy.uses = usesOf(copy.remote, copy.local);
  const auto apart = [&uses = *copy.uses](const HomeUseSets &others) {
    return !others.writes.meet(uses.reads) && !others.writes.meet(uses.writes) && !others.reads.meet(uses.writes);
  };
  return apart(uses_) && (!group_.set || apart(*group_.set->parts->uses));
}

bool CopyMerger::joins(ExecuteParts &parts) {
  if (empty())
    return true;
  const bool moves = parts.moved.remote || parts.moved.local;
  if (group_.set || maxBytes_ == Bytes() || (moves && !(fits(parts.moved) && gains(parts.moved))))
    return false;
  movesBefore(*c_, parts);
  // For liveness, a set that overwrites what it reads is one source, and no other source may touch the variable in
  // between.
  std::set<VarId> touched;
  VarId lastTo, lastFrom; // most moves touch the variables of the previous move
  const auto touch = [&](HomeId home, VarId &last) {
    if (const VarId var = c_->out.homes[home].var; var != last)
      touched.insert(last = var);
  };
  for (const WaitingCopy &copy : group_.copies)
    for (const Moves *kind : {&copy.remote, &copy.local})
      for (const Move &m : *kind) {
        touch(m.dst, lastTo);
        if (kind == &copy.local && m.src.valid())
          touch(m.src, lastFrom);
      }
  for (const Moves *kind : {&parts.receive, &parts.gather})
    for (const Move &m : *kind)
      if (m.src.valid() && touched.count(c_->out.homes[m.src].var) != 0)
        return false;
  return true;
}

void CopyMerger::add(WaitingCopy copy) {
  note(copy.moved);
  group_.copies.push_back(std::move(copy));
}

void CopyMerger::add(WaitingSet set) {
  note(set.parts->moved);
  group_.before = group_.copies.size();
  group_.set = set;
}

CopyMerger CopyMerger::behindSet() const {
  CopyMerger behind(*c_, maxBytes_);
  for (std::size_t i = group_.before; group_.set && i < group_.copies.size(); ++i)
    behind.add(group_.copies[i]);
  return behind;
}

void CopyMerger::dropBehindSet() { group_.copies.resize(group_.before); }

CopyMerger::Group CopyMerger::take() {
  Group taken = std::exchange(group_, {});
  noted_ = 0;
  sum_ = {};
  uses_ = {};
  return taken;
}

std::string joinedNames(const std::vector<std::string> &all) {
  std::unordered_set<std::string> seen; // lookup only
  std::string names;
  for (const std::string &name : all) {
    if (name.empty() || seen.count(name) != 0)
      continue;
    if (names.size() + name.size() > kMaxNameLength && !seen.empty()) {
      names += ",...";
      return "{" + names + "}";
    }
    names += (names.empty() ? "" : ",") + name;
    seen.insert(name);
  }
  return seen.size() > 1 ? "{" + names + "}" : names;
}

} // namespace popscope
