#include "liveness/explain/ExactLiveness.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace popscope {
namespace {

using Ranges = std::span<const ElementRange>;

Ranges rangesOf(const StepProgram &program, const AccessTable::Entry &entry) {
  const Access &access = program.accesses[entry.access];
  return {program.ranges.data() + access.firstRange, access.numRanges};
}
bool covers(Ranges ranges, std::uint64_t element) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), element,
                                      [](std::uint64_t e, const ElementRange &r) { return e < r.begin; });
  return after != ranges.begin() && element < (after - 1)->end;
}

// Two independent 64-bit labels of an access: the XOR over those that cover an element names the set of them.
using Label = std::pair<std::uint64_t, std::uint64_t>;
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}
Label labelOf(std::uint32_t entry) { return {mix(entry + 0x9e3779b97f4a7c15ULL), mix(entry + 0xd1b54a32d192ed03ULL)}; }

std::vector<AccessEvent> eventsOf(const ExplainContext &c, VarId var, std::uint64_t element) {
  std::vector<AccessEvent> events;
  const std::uint32_t last = c.table.first[var.index() + 1];
  for (std::uint32_t at = c.table.first[var.index()]; at < last;) {
    const SourceGroup group = sourceGroup(c.accesses, at, last);
    bool written = false;
    for (std::uint32_t e = group.begin; e < group.end; ++e)
      written |= c.accesses.kindOf(c.table.entries[e]) == AccessKind::Write && covers(rangesOf(c.program, c.table.entries[e]), element);
    for (std::uint32_t e = group.begin; e < group.end; ++e) {
      const AccessTable::Entry &entry = c.table.entries[e];
      if (events.empty() || events.back().step != entry.step())
        events.push_back({entry.step(), false, written && entry.step() == group.lastWrite});
      const bool here = covers(rangesOf(c.program, entry), element);
      events.back().read |= here && entry.reads();
      events.back().kill |= here && c.accesses.kindOf(entry) == AccessKind::Undef;
    }
    at = group.end;
  }
  events.erase(std::remove_if(events.begin(), events.end(), [](const AccessEvent &e) { return !e.read && !e.kill; }), events.end());
  return events;
}

} // namespace

std::vector<ElementGroup> groupElements(const ExplainContext &c, VarId var, VariableExplorer &explorer) {
  const std::uint64_t elements = c.program.vars[var].elements;
  std::vector<std::pair<std::uint64_t, Label>> borders; // where an access begins or ends to cover
  for (std::uint32_t e = c.table.first[var.index()]; e < c.table.first[var.index() + 1]; ++e)
    for (const ElementRange &r : rangesOf(c.program, c.table.entries[e]))
      if (r.begin != 0 || r.end < elements) {
        borders.emplace_back(r.begin, labelOf(e));
        borders.emplace_back(r.end, labelOf(e));
      }
  std::vector<ElementGroup> groups;
  if (borders.empty())
    return groups;
  borders.emplace_back(elements, Label{0, 0});
  std::sort(borders.begin(), borders.end());
  std::map<Label, std::size_t> known;
  Label now{0, 0};
  std::uint64_t from = 0;
  for (const auto &[at, label] : borders) {
    if (at > from) {
      const auto [group, isNew] = known.emplace(now, groups.size());
      if (isNew)
        groups.emplace_back();
      groups[group->second].elements.push_back({from, at});
      groups[group->second].numElements += at - from;
      from = at;
    }
    now.first ^= label.first;
    now.second ^= label.second;
  }
  for (ElementGroup &group : groups) {
    group.events = eventsOf(c, var, group.elements.front().begin);
    explorer.walk(group.events);
    PassingLife life{explorer.passed(), explorer.lives()};
    if (!life.passed.empty())
      c.passes.complete({&life, 1});
    group.live = std::move(life.lives);
  }
  return groups;
}

} // namespace popscope
