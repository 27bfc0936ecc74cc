#include "graph/lowering/MergeCopies.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace popscope {

void CopyGrouper::noteUses() {
  for (; noted_ < group_.copies.size(); ++noted_) {
    PlacedCopy &copy = group_.copies[noted_];
    HomeUses uses = copy.uses ? *std::exchange(copy.uses, std::nullopt) : usesOf(copy.remote, copy.local);
    uses_.reads.add(std::move(uses.reads));
    uses_.writes.add(std::move(uses.writes));
  }
}

bool CopyGrouper::fits(const MovesSummary &moves) const {
  return group_.copies.size() + (group_.set ? 1 : 0) < kMaxMembers &&
         moves.bytes <= maxBytes_ - std::min(maxBytes_, sum_.bytes) && (sum_.ipus.empty() || moves.ipus == sum_.ipus);
}

/// Returns whether these moves, together with those of the group, save a step.
bool CopyGrouper::gains(const MovesSummary &moves) const {
  return (moves.remote && sum_.remote) || (moves.local && sum_.local);
}

void CopyGrouper::note(const MovesSummary &moves) {
  sum_.bytes += moves.bytes;
  sum_.remote = sum_.remote || moves.remote;
  sum_.local = sum_.local || moves.local;
  if (sum_.ipus.empty())
    sum_.ipus = moves.ipus;
}

bool CopyGrouper::joins(PlacedCopy &copy) {
  if (empty())
    return true;
  if (!fits(copy.moved) || (group_.set && !gains(copy.moved)))
    return false;
  noteUses();
  copy.uses = usesOf(copy.remote, copy.local);
  const auto apart = [&uses = *copy.uses](const HomeUseSets &others) {
    return !others.writes.meet(uses.reads) && !others.writes.meet(uses.writes) && !others.reads.meet(uses.writes);
  };
  return apart(uses_) && (!group_.set || apart(usesOf(*c_, *group_.set->parts)));
}

bool CopyGrouper::joins(ExecuteParts &parts) {
  if (empty())
    return true;
  const bool moves = parts.moved.any();
  if (group_.set || maxBytes_ == Bytes() || (moves && !(fits(parts.moved) && gains(parts.moved))))
    return false;
  movesBefore(*c_, parts);
  // For liveness, a set that overwrites the data that it reads is one source. No other source may touch the variable in
  // between.
  std::set<VarId> touched;
  VarId lastTo, lastFrom; // most moves touch the variables of the previous move
  const auto touch = [&](HomeId home, VarId &last) {
    if (const VarId var = c_->out.homes[home].var; var != last)
      touched.insert(last = var);
  };
  for (const PlacedCopy &copy : group_.copies)
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

void CopyGrouper::add(PlacedCopy copy) {
  note(copy.moved);
  group_.copies.push_back(std::move(copy));
}

void CopyGrouper::add(PlacedSet set) {
  note(set.parts->moved);
  group_.before = group_.copies.size();
  group_.set = set;
}

CopyGrouper CopyGrouper::behindSet() const {
  CopyGrouper behind(*c_);
  for (std::size_t i = group_.before; group_.set && i < group_.copies.size(); ++i)
    behind.add(group_.copies[i]);
  return behind;
}

void CopyGrouper::dropBehindSet() { group_.copies.resize(group_.before); }

CopyGroup CopyGrouper::take() {
  CopyGroup taken = std::exchange(group_, {});
  noted_ = 0;
  sum_ = {};
  uses_ = {};
  return taken;
}

std::optional<MergedRow> MergeCopies::next() {
  while (ready_.empty() && row_ < body_.rows.size())
    read(body_.rows[row_++]);
  if (ready_.empty())
    closeGroup();
  if (ready_.empty())
    return std::nullopt;
  MergedRow row = std::move(ready_.front());
  ready_.pop_front();
  return row;
}

void MergeCopies::read(const NaiveRow &row) {
  if (row.kind != NaiveRow::Kind::Programs) {
    borders_.push_back(row);
    if (grouper_.empty())
      passBorders();
    return;
  }
  const NaiveProgram &program = body_.programs[row.first];
  const ProgramKind kind = program.node->kind;
  if (kind == ProgramKind::Execute)
    return readExecute(program);
  if (kind == ProgramKind::Copy || (kind == ProgramKind::CrossReplicaCopy && c_.graph.replicationFactor == 1))
    return readCopy(program);
  closeGroup();
  ready_.emplace_back(row);
}

void MergeCopies::readCopy(const NaiveProgram &program) {
  MovePlacer::Copy placed = placer_.placeCopy(program);
  if (auto *const overlapping = std::get_if<OverlappingCopy>(&placed)) {
    closeGroup();
    ready_.emplace_back(std::move(*overlapping));
  } else if (auto *const copy = std::get_if<PlacedCopy>(&placed)) {
    if (!grouper_.joins(*copy))
      closeGroup();
    passBorders();
    grouper_.add(std::move(*copy));
  }
}

// A set that moves nothing and does not join the open group forms a group at once, because no copy could gain by
// joining that group. Copies after the previous group's set may move to the group of the new set.
void MergeCopies::readExecute(const NaiveProgram &program) {
  ExecuteParts *const parts = placer_.placeExecute(*program.node);
  if (parts == nullptr)
    return;
  const bool moves = parts->moved.any();
  if (!grouper_.joins(*parts)) {
    CopyGrouper behind = grouper_.behindSet();
    const bool later = !behind.empty() && moves && behind.joins(*parts);
    if (later)
      grouper_.dropBehindSet();
    closeGroup();
    if (later)
      grouper_ = std::move(behind);
  }
  const bool mayGrow = moves || !grouper_.empty();
  passBorders();
  grouper_.add({program, parts});
  if (!mayGrow)
    closeGroup();
}

void MergeCopies::closeGroup() {
  if (!grouper_.empty())
    ready_.emplace_back(grouper_.take());
  passBorders();
}

void MergeCopies::passBorders() {
  ready_.insert(ready_.end(), borders_.begin(), borders_.end());
  borders_.clear();
}

std::vector<NaiveProgram> programsOf(const CopyGroup &group) {
  std::vector<NaiveProgram> programs;
  for (std::size_t i = 0; i <= group.copies.size(); ++i) {
    if (group.set && i == group.before)
      programs.push_back(group.set->program);
    if (i < group.copies.size())
      programs.push_back(group.copies[i].program);
  }
  return programs;
}

void addMerged(const MergedRow &row, const NaiveBody &body, NaiveBody &to) {
  if (const NaiveRow *const same = std::get_if<NaiveRow>(&row))
    to.add(same->kind, body.programsOf(*same));
  else if (const auto *const overlapping = std::get_if<OverlappingCopy>(&row))
    to.add(NaiveRow::Kind::Programs, {&overlapping->program, 1});
  else
    to.add(NaiveRow::Kind::Programs, programsOf(std::get<CopyGroup>(row)));
}

} // namespace popscope
