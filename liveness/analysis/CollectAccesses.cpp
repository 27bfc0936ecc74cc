#include "liveness/analysis/CollectAccesses.hpp"

#include <algorithm>
#include <span>

namespace popscope {
namespace {

using Entries = std::span<const AccessTable::Entry>;

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

bool coversAll(const StepProgram &program, Entries entries, AccessKind kind, std::uint64_t elements) {
  std::vector<ElementRange> ranges;
  for (const auto &entry : entries) {
    const Access &access = program.accesses[entry.access];
    if (access.kind == kind)
      ranges.insert(ranges.end(), program.ranges.begin() + access.firstRange,
                    program.ranges.begin() + access.firstRange + access.numRanges);
  }
  return coveredElements(ranges) >= elements;
}

// Entries from `at` on that belong to one step, or (wholeSource) to one source; steps without a source stand alone.
std::size_t groupEnd(const StepProgram &program, Entries entries, std::size_t at, bool wholeSource) {
  const auto &steps = program.steps.raw();
  const SourceId source = steps[entries[at].step].source;
  std::size_t end = at + 1;
  while (end < entries.size() && (entries[end].step == entries[at].step ||
                                  (wholeSource && source.valid() && steps[entries[end].step].source == source)))
    ++end;
  return end;
}

// Last step of the group that writes when the group's writes kill, otherwise no step.
std::uint32_t killingStep(const StepProgram &program, Entries group, std::uint64_t elements) {
  std::uint32_t last = ~std::uint32_t(0);
  for (const auto &entry : group)
    if (program.accesses[entry.access].kind == AccessKind::Write)
      last = entry.step;
  if (last != ~std::uint32_t(0) && coversAll(program, group, AccessKind::Write, elements))
    return last;
  return ~std::uint32_t(0);
}

AccessEvent interpretStep(const StepProgram &program, Entries ofStep, std::uint32_t killer, std::uint64_t elements) {
  AccessEvent event{ofStep.front().step, false, ofStep.front().step == killer};
  bool undef = false;
  for (const auto &entry : ofStep) {
    event.read |= program.accesses[entry.access].kind == AccessKind::Read;
    undef |= program.accesses[entry.access].kind == AccessKind::Undef;
  }
  event.kill |= undef && coversAll(program, ofStep, AccessKind::Undef, elements);
  return event;
}

} // namespace

AccessTable collectAccesses(const StepProgram &program) {
  AccessTable table;
  table.first.assign(program.vars.size() + 1, 0);
  const auto forEach = [&](auto body) {
    const auto &steps = program.steps.raw();
    for (std::uint32_t s = 0; s < steps.size(); ++s)
      for (std::uint32_t a = steps[s].firstAccess; a < steps[s].firstAccess + steps[s].numAccesses; ++a)
        body(s, a);
  };
  forEach([&](std::uint32_t, std::uint32_t a) { ++table.first[program.accesses[a].var.index() + 1]; });
  for (std::size_t v = 1; v < table.first.size(); ++v)
    table.first[v] += table.first[v - 1];
  table.entries.resize(table.first.back());
  std::vector<std::uint32_t> next(table.first.begin(), table.first.end() - 1);
  forEach([&](std::uint32_t s, std::uint32_t a) { table.entries[next[program.accesses[a].var.index()]++] = {s, a}; });
  return table;
}

VariableAccesses interpretAccesses(const StepProgram &program, const AccessTable &table, VarId var) {
  VariableAccesses out;
  const std::uint64_t elements = program.vars[var].elements;
  const Entries entries(table.entries.data() + table.first[var.index()],
                        table.first[var.index() + 1] - table.first[var.index()]);
  for (std::size_t at = 0; at < entries.size();) {
    const Entries group = entries.subspan(at, groupEnd(program, entries, at, true) - at);
    at += group.size();
    const std::uint32_t killer = killingStep(program, group, elements);
    out.accessed.push_back({StepIndex(group.front().step), StepIndex(group.back().step + 1)});
    for (std::size_t i = 0; i < group.size();) {
      const std::size_t end = groupEnd(program, group, i, false);
      const AccessEvent event = interpretStep(program, group.subspan(i, end - i), killer, elements);
      i = end;
      out.everRead |= event.read;
      if (event.read || event.kill)
        out.events.push_back(event);
    }
  }
  return out;
}

} // namespace popscope
