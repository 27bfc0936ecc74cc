#include "liveness/layout/PackSections.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace popscope {
namespace {

constexpr std::uint64_t kMaxMemberships = std::uint64_t(1) << 22; // 16 MiB

std::uint64_t unitOf(const PackProblem &problem) {
  std::uint64_t unit = 0;
  for (const PackItem &item : problem.items)
    unit = std::gcd(unit, item.bytes);
  for (const PackItem &item : problem.items)
    if (unit % item.alignment != 0)
      unit = std::gcd(unit, item.alignment);
  return std::max<std::uint64_t>(unit, 1);
}

// Finds the first and last section of each span in one sweep over begins and ends, and returns the number of sections.
// A section ends where the end of a span comes right after a begin in the order of events.
std::uint32_t sweep(const PackProblem &problem, std::vector<SectionRange> &ofSpan) {
  struct Event {
    std::uint32_t time;
    bool begins;
    std::uint32_t span;
  };
  std::vector<Event> events;
  events.reserve(2 * problem.spans.size());
  for (std::uint32_t s = 0; s < problem.spans.size(); ++s) {
    events.push_back({problem.spans[s].begin, true, s});
    events.push_back({problem.spans[s].end, false, s});
  }
  std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) {
    return std::tie(a.time, a.begins, a.span) <
           std::tie(b.time, b.begins, b.span); // ends first, because spans are half-open
  });
  ofSpan.resize(problem.spans.size());
  std::uint32_t section = 0;
  bool begun = false;
  for (const Event &e : events) {
    if (e.begins) {
      ofSpan[e.span].begin = section;
    } else {
      section += begun ? 1 : 0;
      ofSpan[e.span].end = section;
    }
    begun = e.begins;
  }
  return section;
}

void listMembers(PackSections &out) {
  out.firstMember.assign(out.numSections + 1, 0);
  for (const SectionRange &r : out.ranges)
    for (std::uint32_t s = r.begin; s < r.end; ++s)
      ++out.firstMember[s + 1];
  for (std::uint32_t s = 0; s < out.numSections; ++s)
    out.firstMember[s + 1] += out.firstMember[s];
  out.members.resize(out.firstMember.back());
  out.total.assign(out.numSections, 0);
  std::vector<std::uint32_t> next(out.firstMember.begin(), out.firstMember.end() - 1);
  for (std::uint32_t i = 0; i < out.numItems(); ++i)
    for (std::uint32_t r = out.firstRange[i]; r < out.firstRange[i + 1]; ++r)
      for (std::uint32_t s = out.ranges[r].begin; s < out.ranges[r].end; ++s) {
        out.members[next[s]++] = i;
        out.total[s] += out.size[i];
      }
}

void findFullest(PackSections &out) {
  out.fullest.assign(out.numItems(), 0);
  for (std::uint32_t i = 0; i < out.numItems(); ++i)
    for (std::uint32_t r = out.firstRange[i]; r < out.firstRange[i + 1]; ++r)
      for (std::uint32_t s = out.ranges[r].begin; s < out.ranges[r].end; ++s)
        out.fullest[i] = std::max(out.fullest[i], out.total[s]);
}

bool meet(const PackSections &p, std::uint32_t a, std::uint32_t b) {
  for (std::uint32_t r = p.firstRange[a]; r < p.firstRange[a + 1]; ++r)
    for (std::uint32_t q = p.firstRange[b]; q < p.firstRange[b + 1]; ++q)
      if (p.ranges[r].begin < p.ranges[q].end && p.ranges[q].begin < p.ranges[r].end)
        return true;
  return false;
}

// Lists the pairs of items that meet, in the order of first sections. Only items that begin before item i ends may meet
// i.
void listMeetings(PackSections &out) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  const auto n = static_cast<std::uint32_t>(out.numItems());
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n && out.hull[j].begin < out.hull[i].end; ++j)
      if (meet(out, i, j))
        pairs.emplace_back(i, j);
  out.firstMeeting.assign(n + 1, 0);
  for (const auto &[i, j] : pairs) {
    ++out.firstMeeting[i + 1];
    ++out.firstMeeting[j + 1];
  }
  for (std::uint32_t i = 0; i < n; ++i)
    out.firstMeeting[i + 1] += out.firstMeeting[i];
  out.meeting.resize(2 * pairs.size());
  std::vector<std::uint32_t> next(out.firstMeeting.begin(), out.firstMeeting.end() - 1);
  for (const auto &[i, j] : pairs) {
    out.meeting[next[i]++] = j;
    out.meeting[next[j]++] = i;
  }
}

} // namespace

// Scales sizes to units, sweeps for sections, sorts the items by first section and builds the tables. Returns empty
// tables if the problem exceeds a limit.
PackSections cutIntoSections(const PackProblem &problem) {
  PackSections out;
  out.unit = unitOf(problem);
  std::uint64_t sum = 0;
  for (const PackItem &item : problem.items)
    sum += item.bytes / out.unit + item.alignment / std::gcd(item.alignment, out.unit);
  std::vector<SectionRange> ofSpan;
  if (sum > std::numeric_limits<std::int32_t>::max())
    return out;
  out.numSections = sweep(problem, ofSpan);
  std::uint64_t memberships = 0;
  for (const SectionRange &range : ofSpan)
    memberships += range.end - range.begin;
  if (memberships > kMaxMemberships)
    return out;
  for (std::uint32_t i = 0; i < problem.items.size(); ++i)
    if (problem.items[i].numSpans > 0)
      out.original.push_back(i);
  const auto firstSection = [&](std::uint32_t i) { return ofSpan[problem.items[i].firstSpan].begin; };
  std::stable_sort(out.original.begin(), out.original.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return firstSection(a) < firstSection(b); });
  for (const std::uint32_t i : out.original) {
    const PackItem &item = problem.items[i];
    out.size.push_back(static_cast<std::uint32_t>(item.bytes / out.unit));
    out.alignment.push_back(static_cast<std::uint32_t>(item.alignment / std::gcd(item.alignment, out.unit)));
    out.firstRange.push_back(static_cast<std::uint32_t>(out.ranges.size()));
    out.life.push_back(0);
    for (const PackSpan &span : problem.spansOf(item)) {
      out.life.back() += span.end - span.begin;
      const SectionRange range = ofSpan[static_cast<std::size_t>(&span - problem.spans.data())];
      if (out.ranges.size() > out.firstRange.back() && out.ranges.back().end >= range.begin)
        out.ranges.back().end = range.end; // no section lies between the two
      else
        out.ranges.push_back(range);
    }
    out.hull.push_back({out.ranges[out.firstRange.back()].begin, out.ranges.back().end});
  }
  out.firstRange.push_back(static_cast<std::uint32_t>(out.ranges.size()));
  for (std::uint32_t s = 0, i = 0; s <= out.numSections; ++s) {
    while (i < out.numItems() && out.hull[i].begin < s)
      ++i;
    out.firstAt.push_back(i);
  }
  listMembers(out);
  findFullest(out);
  listMeetings(out);
  return out;
}

} // namespace popscope
