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

// What one source does to the variable, and where it ends the life of the variable as a whole: strictly, without
// reading it there.
struct GroupKill {
  SourceGroup group;
  std::uint32_t kill = SourceGroup::kNever;
};
std::vector<GroupKill> groupsOf(const ExplainContext &c, VarId var) {
  std::vector<GroupKill> out;
  for (std::uint32_t at = c.table.first[var.index()], last = c.table.first[var.index() + 1]; at < last;
       at = out.back().group.end) {
    const SourceGroup group = sourceGroup(c.accesses, at, last);
    const std::uint32_t covering = coveringStep(c.accesses, group, var);
    out.push_back({group, covering < group.firstRead ? covering : SourceGroup::kNever});
  }
  return out;
}

// The step at which a group of accesses kills the element, or kNever: where it kills the variable as a whole, otherwise
// where it first writes the element, if no earlier step of it reads that.
std::uint32_t killOfElement(const ExplainContext &c, const SourceGroup &group, std::uint32_t wholeKill,
                            std::uint64_t element) {
  if (wholeKill != SourceGroup::kNever)
    return wholeKill;
  std::uint32_t read = SourceGroup::kNever;
  for (std::uint32_t e = group.begin; e < group.end; ++e) {
    const AccessTable::Entry &entry = c.table.entries[e];
    if (!covers(rangesOf(c.program, entry), element))
      continue;
    if (entry.reads())
      read = std::min(read, entry.step());
    else if (c.accesses.kindOf(entry) == AccessKind::Write)
      return entry.step() <= read ? entry.step() : SourceGroup::kNever;
  }
  return SourceGroup::kNever;
}

std::vector<AccessEvent> eventsOf(const ExplainContext &c, const std::vector<GroupKill> &groups,
                                  std::uint64_t element) {
  std::vector<AccessEvent> events;
  for (const auto &[group, wholeKill] : groups) {
    const std::uint32_t kill = killOfElement(c, group, wholeKill, element);
    for (std::uint32_t e = group.begin; e < group.end; ++e) {
      const AccessTable::Entry &entry = c.table.entries[e];
      if (events.empty() || events.back().step != entry.step())
        events.push_back({entry.step(), false, false});
      events.back().kill |= entry.step() == kill; // of one of the copies that were merged
      const bool here = covers(rangesOf(c.program, entry), element);
      events.back().read |= here && entry.reads();
      events.back().kill |= here && c.accesses.kindOf(entry) == AccessKind::Undef;
    }
  }
  events.erase(std::remove_if(events.begin(), events.end(), [](const AccessEvent &e) { return !e.read && !e.kill; }),
               events.end());
  return events;
}

void findLife(const ExplainContext &c, VariableExplorer &explorer, ElementGroup &group) {
  explorer.walk(group.events);
  PassingLife life{explorer.passed(), explorer.lives()};
  if (!life.passed.empty())
    c.passes.complete({&life, 1});
  group.live = std::move(life.lives);
}

} // namespace

ElementGroup wholeGroup(const ExplainContext &c, VarId var, VariableExplorer &explorer) {
  ElementGroup group;
  group.numElements = c.program.vars[var].elements;
  group.elements = {{0, group.numElements}};
  VariableAccesses accesses;
  interpretAccesses(c.accesses, var, accesses);
  group.events = std::move(accesses.events);
  findLife(c, explorer, group);
  return group;
}

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
  const std::vector<GroupKill> sources = groupsOf(c, var);
  for (ElementGroup &group : groups) {
    group.events = eventsOf(c, sources, group.elements.front().begin);
    findLife(c, explorer, group);
  }
  return groups;
}

} // namespace popscope
