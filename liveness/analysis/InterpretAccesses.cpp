#include "liveness/analysis/InterpretAccesses.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::uint32_t kNoStep = ~std::uint32_t(0);
using Entry = AccessTable::Entry;

// Elements covered by the ranges, each counted once.
std::uint64_t coveredElements(std::vector<ElementRange> &ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const ElementRange &a, const ElementRange &b) { return a.begin < b.begin; });
  std::uint64_t covered = 0, reached = 0;
  for (const ElementRange &r : ranges) {
    const std::uint64_t from = std::max(r.begin, reached);
    if (r.end > from) {
      covered += r.end - from;
      reached = r.end;
    }
  }
  return covered;
}

bool coversAll(const AccessContext &c, const Entry *begin, const Entry *end, AccessKind kind, VarId var) {
  std::size_t count = 0;
  for (const Entry *e = begin; e != end; ++e) {
    if (c.kindOf(*e) != kind)
      continue;
    if (e->kills())
      return true;
    count += c.program.accesses[e->access].numRanges;
  }
  std::vector<ElementRange> ranges;
  ranges.reserve(count);
  for (const Entry *e = begin; e != end; ++e)
    if (c.kindOf(*e) == kind) {
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
    undef |= c.kindOf(*e) == AccessKind::Undef;
  }
  event.kill |= undef && coversAll(c, begin, end, AccessKind::Undef, var);
  return event;
}

} // namespace

SourceGroup sourceGroup(const AccessContext &c, std::uint32_t at, std::uint32_t end) {
  const std::uint32_t source = c.steps[c.table.entries[at].step()].source;
  SourceGroup group{at, at, 0, false};
  for (; group.end < end; ++group.end) {
    const Entry &e = c.table.entries[group.end];
    if (c.steps[e.step()].source != source)
      break;
    if (c.kindOf(e) == AccessKind::Write) {
      group.writes = true;
      group.lastWrite = e.step();
    }
  }
  return group;
}

void interpretAccesses(const AccessContext &c, VarId var, VariableAccesses &out) {
  out.events.clear();
  out.accessed.clear();
  out.everRead = false;
  const std::uint32_t last = c.table.first[var.index() + 1];
  const Entry *entries = c.table.entries.get();
  for (std::uint32_t at = c.table.first[var.index()]; at < last;) {
    const Entry &e = entries[at];
    // The usual case: step and source do nothing else to the variable, and one look tells what they do.
    if (!e.several() && (at + 1 == last || c.steps[e.step()].source != c.steps[entries[at + 1].step()].source)) {
      ++at;
      out.accessed.push_back({StepIndex(e.step()), StepIndex(e.step() + 1)});
      out.everRead |= e.reads();
      if (e.reads() || e.kills())
        out.events.push_back({e.step(), e.reads(), e.kills()});
      continue;
    }
    const SourceGroup group = sourceGroup(c, at, last);
    at = group.end;
    const bool kills = group.writes && coversAll(c, entries + group.begin, entries + group.end, AccessKind::Write, var);
    const std::uint32_t killer = kills ? group.lastWrite : kNoStep;
    out.accessed.push_back({StepIndex(entries[group.begin].step()), StepIndex(entries[group.end - 1].step() + 1)});
    for (std::uint32_t i = group.begin; i < group.end;) {
      std::uint32_t end = i + 1;
      while (end < group.end && entries[end].step() == entries[i].step())
        ++end;
      const AccessEvent event = interpretStep(c, entries + i, entries + end, entries[i].step() == killer, var);
      i = end;
      out.everRead |= event.read;
      if (event.read || event.kill)
        out.events.push_back(event);
    }
  }
}

} // namespace popscope
