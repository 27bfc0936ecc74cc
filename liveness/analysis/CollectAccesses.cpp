#include "liveness/analysis/CollectAccesses.hpp"

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

bool coversAll(const StepProgram &program, const Entry *begin, const Entry *end, AccessKind kind, VarId var) {
  std::size_t count = 0;
  for (const Entry *e = begin; e != end; ++e) {
    if (e->kind != kind)
      continue;
    if (e->cover == Entry::Cover::Whole)
      return true;
    count += program.accesses[e->access].numRanges;
  }
  std::vector<ElementRange> ranges;
  ranges.reserve(count);
  for (const Entry *e = begin; e != end; ++e)
    if (e->kind == kind) {
      const Access &access = program.accesses[e->access];
      ranges.insert(ranges.end(), program.ranges.begin() + access.firstRange,
                    program.ranges.begin() + access.firstRange + access.numRanges);
    }
  return coveredElements(ranges) >= program.vars[var].elements;
}

AccessEvent interpretStep(const StepProgram &program, const Entry *begin, const Entry *end, bool killed, VarId var) {
  AccessEvent event{begin->step, false, killed};
  bool undef = false;
  for (const Entry *e = begin; e != end; ++e) {
    event.read |= e->kind == AccessKind::Read;
    undef |= e->kind == AccessKind::Undef;
  }
  event.kill |= undef && coversAll(program, begin, end, AccessKind::Undef, var);
  return event;
}

Entry::Cover coverOf(const StepProgram &program, const Access &access, std::uint64_t elements) {
  if (access.kind == AccessKind::Read)
    return Entry::Cover::Part;
  if (access.numRanges != 1)
    return Entry::Cover::Unknown;
  const ElementRange &range = program.ranges[access.firstRange];
  return range.begin == 0 && range.end >= elements ? Entry::Cover::Whole : Entry::Cover::Part;
}

// Whether the entry's step and source do nothing else to the variable, and its cover is known: the usual case.
bool isSimple(const Entry *entry, const Entry *end) {
  const Entry *const next = entry + 1;
  return entry->cover != Entry::Cover::Unknown &&
         (next == end || (next->step != entry->step && (next->source != entry->source || !SourceId(entry->source).valid())));
}

} // namespace

AccessTable collectAccesses(const StepProgram &program) {
  AccessTable table;
  std::vector<std::uint32_t> next(program.vars.size() + 1, 0);
  std::vector<std::uint64_t> elements(program.vars.size()); // StepVar is wide: this stays in the cache
  for (std::size_t v = 0; v < elements.size(); ++v)
    elements[v] = program.vars.raw()[v].elements;
  std::size_t total = 0;
  for (const Step &step : program.steps)
    for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a, ++total)
      ++next[program.accesses[a].var.index() + 1];
  for (std::size_t v = 1; v < next.size(); ++v)
    next[v] += next[v - 1];
  table.first = next;
  table.entries.resize(total);
  const auto &steps = program.steps.raw();
  for (std::uint32_t s = 0; s < steps.size(); ++s)
    for (std::uint32_t a = steps[s].firstAccess; a < steps[s].firstAccess + steps[s].numAccesses; ++a) {
      const Access &access = program.accesses[a];
      const std::uint32_t v = access.var.index();
      table.entries[next[v]++] = {s, a, steps[s].source.index(), access.kind, coverOf(program, access, elements[v])};
    }
  return table;
}

SourceGroup sourceGroup(const AccessTable &table, std::uint32_t at, std::uint32_t end) {
  const Entry &head = table.entries[at];
  const bool sourced = SourceId(head.source).valid();
  SourceGroup group{at, at, 0, false};
  for (; group.end < end; ++group.end) {
    const Entry &e = table.entries[group.end];
    if (e.step != head.step && !(sourced && e.source == head.source))
      break;
    if (e.kind == AccessKind::Write) {
      group.writes = true;
      group.lastWrite = e.step;
    }
  }
  return group;
}

void interpretAccesses(const StepProgram &program, const AccessTable &table, VarId var, VariableAccesses &out) {
  out.events.clear();
  out.accessed.clear();
  out.everRead = false;
  const std::uint32_t last = table.first[var.index() + 1];
  const Entry *entries = table.entries.data();
  for (std::uint32_t at = table.first[var.index()]; at < last;) {
    if (isSimple(entries + at, entries + last)) {
      const Entry &e = entries[at++];
      out.accessed.push_back({StepIndex(e.step), StepIndex(e.step + 1)});
      const bool reads = e.kind == AccessKind::Read, kills = e.cover == Entry::Cover::Whole;
      out.everRead |= reads;
      if (reads || kills)
        out.events.push_back({e.step, reads, kills});
      continue;
    }
    const SourceGroup group = sourceGroup(table, at, last);
    at = group.end;
    const bool kills = group.writes && coversAll(program, entries + group.begin, entries + group.end, AccessKind::Write, var);
    const std::uint32_t killer = kills ? group.lastWrite : kNoStep;
    out.accessed.push_back({StepIndex(entries[group.begin].step), StepIndex(entries[group.end - 1].step + 1)});
    for (std::uint32_t i = group.begin; i < group.end;) {
      std::uint32_t end = i + 1;
      while (end < group.end && entries[end].step == entries[i].step)
        ++end;
      const AccessEvent event = interpretStep(program, entries + i, entries + end, entries[i].step == killer, var);
      i = end;
      out.everRead |= event.read;
      if (event.read || event.kill)
        out.events.push_back(event);
    }
  }
}

} // namespace popscope
