#include "liveness/analysis/InterpretAccesses.hpp"

#include "base/UniteRanges.hpp"

#include <algorithm>

namespace popscope {
namespace {

using Entry = AccessTable::Entry;

// Returns whether the ranges of all accesses of this kind together cover the variable.
bool coversAll(const AccessContext &c, const Entry *begin, const Entry *end, AccessKind kind, VarId var) {
  std::vector<ElementRange> ranges;
  for (const Entry *e = begin; e != end; ++e)
    if (c.kindOf(*e) == kind) {
      if (e->kills())
        return true;
      const Access &access = c.program.accesses[e->access];
      ranges.insert(ranges.end(), c.program.ranges.begin() + access.firstRange,
                    c.program.ranges.begin() + access.firstRange + access.numRanges);
    }
  return coveredElements(ranges) >= c.program.vars[var].elements;
}

AccessEvent interpretStep(const AccessContext &c, const Entry *begin, const Entry *end, bool killed, VarId var) {
  AccessEvent event{begin->step(), false, killed};
  bool undef = false;
  for (const Entry *e = begin; e != end; ++e) {
    event.read |= e->reads();
    undef |= e->undefines();
  }
  event.kill |= undef && coversAll(c, begin, end, AccessKind::Undef, var);
  return event;
}

// Adds the events of one group, and returns the first entry of the next group.
std::uint32_t interpretGroup(const AccessContext &c, const SourceGroup &group, VarId var, VariableAccesses &out) {
  const Entry *const entries = c.table.entries.get();
  const std::uint32_t covering = coveringStep(c, group, var);
  const std::uint32_t killer = group.mayKillAt(covering) ? covering : SourceGroup::kNever;
  for (std::uint32_t i = group.begin; i < group.end; ++i)
    if (!entries[i].undefines())
      addAccessed(c.steps, entries[i].step(), out.accessed);
  for (std::uint32_t i = group.begin; i < group.end;) {
    std::uint32_t end = i + 1;
    while (end < group.end && entries[end].step() == entries[i].step())
      ++end;
    const AccessEvent event = interpretStep(c, entries + i, entries + end, entries[i].step() == killer, var);
    i = end;
    out.everRead |= event.read;
    if (!event.read && !event.kill)
      continue;
    if (!out.events.empty() && out.events.back().step == event.step) { // another merged copy has an event at this step
      out.events.back().read |= event.read;
      out.events.back().kill |= event.kill;
    } else {
      out.events.push_back(event);
    }
  }
  return group.end;
}

} // namespace

bool liveBefore(std::uint32_t step, std::span<const StepInterval> live, const std::vector<AccessEvent> &events) {
  if (!contains(live, StepIndex(step)))
    return false;
  const auto e = std::lower_bound(events.begin(), events.end(), step,
                                  [](const AccessEvent &a, std::uint32_t s) { return a.step < s; });
  return e == events.end() || e->step != step || e->read || !e->kill;
}

void addAccessed(const std::vector<FlowStep> &steps, std::uint32_t step, std::vector<StepInterval> &accessed) {
  if (!accessed.empty() && steps[accessed.back().end.index() - 1].source == steps[step].source)
    accessed.back().end = StepIndex(step + 1);
  else
    accessed.push_back({StepIndex(step), StepIndex(step + 1)});
}

SourceGroup sourceGroup(const AccessContext &c, std::uint32_t at, std::uint32_t end) {
  const auto sourceOf = [&](const Entry &e) { return c.steps[e.step()].source + c.program.accesses[e.access].member; };
  const std::uint32_t source = sourceOf(c.table.entries[at]);
  SourceGroup group{at, at};
  for (; group.end < end; ++group.end) {
    const Entry &e = c.table.entries[group.end];
    if (sourceOf(e) != source)
      break;
    if (e.reads())
      group.firstRead = std::min(group.firstRead, e.step());
    else if (c.kindOf(e) == AccessKind::Write)
      group.lastWrite = e.step();
  }
  return group;
}

std::uint32_t coveringStep(const AccessContext &c, const SourceGroup &group, VarId var) {
  const Entry *const begin = c.table.entries.get() + group.begin, *const end = c.table.entries.get() + group.end;
  if (!group.writes())
    return SourceGroup::kNever;
  const Entry *const first = std::find_if(begin, end, [&](const Entry &e) { return c.kindOf(e) == AccessKind::Write; });
  if (first->kills())
    return first->step();
  if (!coversAll(c, first, end, AccessKind::Write, var))
    return SourceGroup::kNever;
  // The covered part only grows with the steps, so bisection finds the first step by which all is covered.
  const Entry *const covering = std::partition_point(first, end, [&](const Entry &e) {
    const Entry *const stepEnd = std::find_if(&e, end, [&](const Entry &other) { return other.step() != e.step(); });
    return !coversAll(c, first, stepEnd, AccessKind::Write, var);
  });
  return covering->step();
}

void interpretAccesses(const AccessContext &c, VarId var, VariableAccesses &out) {
  out.events.clear();
  out.accessed.clear();
  out.everRead = false;
  const std::uint32_t last = c.table.first[var.index() + 1];
  const Entry *entries = c.table.entries.get();
  std::uint32_t grouped = SourceGroup::kNever; // the source of the last group's steps
  for (std::uint32_t at = c.table.first[var.index()]; at < last;) {
    const Entry &e = entries[at];
    const std::uint32_t source = c.steps[e.step()].source;
    // In the usual case, the step and its source access the variable once, so the entry alone decides.
    if (!e.several() && source != grouped && (at + 1 == last || source != c.steps[entries[at + 1].step()].source)) {
      ++at;
      if (!e.undefines())
        out.accessed.push_back({StepIndex(e.step()), StepIndex(e.step() + 1)});
      out.everRead |= e.reads();
      if (e.reads() || e.kills())
        out.events.push_back({e.step(), e.reads(), e.kills()});
      continue;
    }
    grouped = source;
    at = interpretGroup(c, sourceGroup(c, at, last), var, out);
  }
}

} // namespace popscope
