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
// Two independent 64-bit labels of an access. The XOR over the accesses that cover an element identifies their set.
using Label = std::pair<std::uint64_t, std::uint64_t>;
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}
Label labelOf(std::uint32_t entry) { return {mix(entry + 0x9e3779b97f4a7c15ULL), mix(entry + 0xd1b54a32d192ed03ULL)}; }

// One source's accesses to the variable, and the step at which the source kills the whole variable. This step comes
// before the source's first read.
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

// Returns the step at which a group of accesses kills an element, or kNever. `covering` are the accesses of the group
// that cover the element. If the group kills the whole variable, the step is `wholeKill`. Otherwise, the result is the
// step of the first write of the element, if no earlier step of the group reads the element.
std::uint32_t killOfElement(const ExplainContext &c, std::span<const std::uint32_t> covering, std::uint32_t wholeKill) {
  if (wholeKill != SourceGroup::kNever)
    return wholeKill;
  std::uint32_t read = SourceGroup::kNever;
  for (const std::uint32_t e : covering) {
    const AccessTable::Entry &entry = c.table.entries[e];
    if (entry.reads())
      read = std::min(read, entry.step());
    else if (c.accesses.kindOf(entry) == AccessKind::Write)
      return entry.step() <= read ? entry.step() : SourceGroup::kNever;
  }
  return SourceGroup::kNever;
}

/// Returns the events of elements that exactly the accesses in `covering` cover. `covering` are ascending entries.
std::vector<AccessEvent> eventsOf(const ExplainContext &c, const std::vector<GroupKill> &groups,
                                  const std::vector<std::uint32_t> &wholeKills,
                                  std::span<const std::uint32_t> covering) {
  std::vector<AccessEvent> events;
  const auto at = [&](std::uint32_t step) -> AccessEvent & {
    if (events.empty() || events.back().step != step)
      events.push_back({step, false, false});
    return events.back();
  };
  const auto addGroup = [&](const GroupKill &g, std::span<const std::uint32_t> mine) {
    const std::uint32_t kill = killOfElement(c, mine, g.kill);
    bool killed = kill == SourceGroup::kNever;
    for (const std::uint32_t e : mine) {
      const AccessTable::Entry &entry = c.table.entries[e];
      if (!killed && entry.step() >= kill) {
        at(kill).kill = true; // one of the merged copies kills
        killed = true;
      }
      const bool undef = c.accesses.kindOf(entry) == AccessKind::Undef;
      if (!entry.reads() && !undef)
        continue;
      AccessEvent &event = at(entry.step());
      event.read |= entry.reads();
      event.kill |= undef;
    }
    if (!killed)
      at(kill).kill = true;
  };
  // The groups that matter, in order: groups with a covering entry, and groups that kill the whole variable.
  auto whole = wholeKills.begin();
  for (std::size_t i = 0; i < covering.size() || whole != wholeKills.end();) {
    const auto ofEntry = [&](std::uint32_t entry) {
      return static_cast<std::uint32_t>(
          std::upper_bound(groups.begin(), groups.end(), entry,
                           [](std::uint32_t e, const GroupKill &g) { return e < g.group.begin; }) -
          groups.begin() - 1);
    };
    const std::uint32_t next = i < covering.size() ? ofEntry(covering[i]) : SourceGroup::kNever;
    const std::uint32_t g = whole != wholeKills.end() ? std::min(next, *whole) : next;
    if (whole != wholeKills.end() && *whole == g)
      ++whole;
    const std::size_t first = i;
    while (i < covering.size() && covering[i] < groups[g].group.end)
      ++i;
    addGroup(groups[g], covering.subspan(first, i - first));
  }
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

// Sweeps over the elements and keeps the set of accesses that cover the current element. Elements with equal sets
// belong to one group, wherever they lie. XOR labels make the set's name cheap to update: O(1) per border. Invariant:
// `covering` is sorted, and `now` is the XOR of the labels of these accesses.
std::vector<ElementGroup> groupElements(const ExplainContext &c, VarId var, VariableExplorer &explorer) {
  const std::uint64_t elements = c.program.vars[var].elements;
  struct Border { // where the range of an access begins or ends
    std::uint64_t at;
    std::uint32_t entry;
  };
  constexpr std::uint32_t kLast = ~std::uint32_t(0);
  std::vector<Border> borders;
  std::vector<std::uint32_t> covering; // ascending entries
  for (std::uint32_t e = c.table.first[var.index()]; e < c.table.first[var.index() + 1]; ++e)
    for (const ElementRange &r : rangesOf(c.program, c.table.entries[e]))
      if (r.begin != 0 || r.end < elements) {
        borders.push_back({r.begin, e});
        borders.push_back({r.end, e});
      } else {
        covering.push_back(e);
      }
  std::vector<ElementGroup> groups;
  if (borders.empty())
    return groups;
  borders.push_back({elements, kLast});
  std::sort(borders.begin(), borders.end(), [](const Border &a, const Border &b) { return a.at < b.at; });
  const std::vector<GroupKill> sources = groupsOf(c, var);
  std::vector<std::uint32_t> wholeKills;
  for (std::uint32_t g = 0; g < sources.size(); ++g)
    if (sources[g].kill != SourceGroup::kNever)
      wholeKills.push_back(g);
  std::map<Label, std::size_t> known;
  Label now{0, 0};
  std::uint64_t from = 0;
  for (const Border &border : borders) {
    if (border.at > from) {
      const auto [group, isNew] = known.emplace(now, groups.size());
      if (isNew) {
        groups.emplace_back();
        groups.back().events = eventsOf(c, sources, wholeKills, covering);
      }
      groups[group->second].elements.push_back({from, border.at});
      groups[group->second].numElements += border.at - from;
      from = border.at;
    }
    if (border.entry == kLast)
      continue;
    const Label label = labelOf(border.entry);
    now.first ^= label.first;
    now.second ^= label.second;
    const auto place = std::lower_bound(covering.begin(), covering.end(), border.entry);
    if (place != covering.end() && *place == border.entry)
      covering.erase(place);
    else
      covering.insert(place, border.entry);
  }
  for (ElementGroup &group : groups)
    findLife(c, explorer, group);
  return groups;
}

} // namespace popscope
