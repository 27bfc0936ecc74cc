#include "liveness/analysis/WalkRegions.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::uint32_t kDeepest = 32; // the deepest nesting of regions between a variable's events

} // namespace

bool RegionWalker::walkStraight(const AccessTable::Entry *begin, const AccessTable::Entry *end) {
  lives_.clear();
  if (begin == end)
    return true;
  const std::uint32_t run = flow_.steps[begin->step()].run;
  if (run == kNoBlock)
    return false;
  std::uint32_t lastKill = kNoBlock, source = kNoBlock, from = 0, to = 0;
  for (const AccessTable::Entry *e = begin; e != end; ++e) {
    const std::uint32_t step = e->step();
    const FlowStep &at = flow_.steps[step];
    if (at.run != run || at.source == source || e->several())
      return false;
    source = at.source;
    if (e->reads()) {
      if (lastKill == kNoBlock)
        return false;
      if (to < lastKill && from != to)
        lives_.push_back({StepIndex(from), StepIndex(to)});
      from = to < lastKill || from == to ? lastKill : from;
      to = step + 1;
    } else {
      lastKill = e->kills() ? step : lastKill;
    }
  }
  if (from != to)
    lives_.push_back({StepIndex(from), StepIndex(to)});
  return true;
}

// Finds the smallest region that contains all events and walks it backwards. If the variable is needed at the region's
// start, and no kill precedes the first read, the value comes from the previous run of the program. The life then also
// extends from the start of the tree to the region, and from the region to the end of the tree.
bool RegionWalker::walk(const std::vector<AccessEvent> &events) {
  lives_.clear();
  if (events.empty())
    return true;
  events_ = events.data();
  regions_.clear();
  std::uint32_t deepest = 0;
  for (const AccessEvent &e : events) {
    const std::uint32_t run = flow_.steps[e.step].run;
    if (run == kNoBlock)
      return false;
    regions_.push_back(flow_.regionOfRun[run]);
    deepest = std::max(deepest, flow_.regions[regions_.back()].depth);
  }
  const std::uint32_t region = commonRegion();
  if (region == kNoBlock || !flow_.regions[region].regular || deepest > flow_.regions[region].depth + kDeepest)
    return false;
  const FlowRegion &r = flow_.regions[region];
  const bool killedFirst = regions_.front() == region && events.front().kill && !events.front().read;
  if (!killedFirst &&
      needOf(region, 0, events.size())
          .here) { // then the variable is also live from the start of the root's tree and to the end of this tree,
                   // because programs run repeatedly
    const std::uint32_t block = flow_.blockOf[r.begin];
    const FlowRegion &root = flow_.regions.front();
    if (flow_.functionOf[block] != kNoBlock || !root.regular)
      return false;
    add(r.end, root.end);
    live(region, 0, events.size(), true);
    add(root.begin, r.begin);
  } else {
    live(region, 0, events.size(), false);
  }
  std::reverse(lives_.begin(), lives_.end());
  return true;
}

// Returns the smallest region that holds all events, or kNoBlock. The steps of a region are contiguous, so a region
// that holds the first and the last event holds all events.
std::uint32_t RegionWalker::commonRegion() const {
  std::uint32_t a = regions_.front(), b = regions_.back();
  while (a != b && a != kNoBlock && b != kNoBlock)
    if (flow_.regions[a].depth >= flow_.regions[b].depth)
      a = flow_.regions[a].parent;
    else
      b = flow_.regions[b].parent;
  return a == b ? a : kNoBlock;
}

std::uint32_t RegionWalker::insideOf(std::uint32_t region, std::size_t event) const {
  std::uint32_t inside = regions_[event];
  while (flow_.regions[inside].parent != region)
    inside = flow_.regions[inside].parent;
  return inside;
}

std::uint32_t RegionWalker::childOf(std::uint32_t region, std::size_t last, std::size_t first,
                                    std::size_t &from) const {
  const std::uint32_t child = insideOf(region, last - 1);
  from = last - 1;
  while (from > first && events_[from - 1].step > flow_.regions[child].control)
    --from;
  return child;
}

std::size_t RegionWalker::firstIn(std::uint32_t region, std::size_t first, std::size_t last) const {
  while (last > first && events_[last - 1].step >= flow_.regions[region].begin)
    --last;
  return last;
}

RegionWalker::Need RegionWalker::needOf(std::uint32_t region, std::size_t first, std::size_t last) const {
  Need need;
  while (last > first) {
    if (regions_[last - 1] != region) {
      std::size_t from = 0;
      const std::uint32_t child = childOf(region, last, first, from);
      const Need inside = needOfControl(child, from, last);
      need.here = inside.here || (inside.through && need.here);
      need.through = need.through && inside.through;
      last = from;
      continue;
    }
    const AccessEvent &event = events_[--last];
    if (event.kill)
      need = {false, false};
    need.here = need.here || event.read;
  }
  return need;
}

// Returns the need at the start of a control. All events [first, last) lie in the control's regions; `child` is one of
// these regions.
RegionWalker::Need RegionWalker::needOfControl(std::uint32_t child, std::size_t first, std::size_t last) const {
  const FlowRegion &region = flow_.regions[child];
  if (region.kind == FlowRegion::Kind::RepeatBody)
    return needOf(child, first, last);
  if (region.kind == FlowRegion::Kind::Arm) {
    Need need{false, region.straightOn};
    std::uint32_t arms = 0; // arms with events; the variable passes through the other arms
    for (std::size_t from = 0; last > first; last = from, ++arms) {
      const std::uint32_t arm = insideOf(region.parent, last - 1);
      from = firstIn(arm, first, last);
      const Need inside = needOf(arm, from, last);
      need = {need.here || inside.here, need.through || inside.through};
    }
    return {need.here, need.through || arms < region.together};
  }
  const std::uint32_t body = region.last, condition = flow_.regions[body].before;
  const std::size_t from = firstIn(body, first, last);
  const Need tested = needOf(condition, first, from);
  return {tested.here || (tested.through && needOf(body, from, last).here), tested.through};
}

// Adds the life within a region. `atEnd`: whether the variable is live at the region's end. Returns whether the
// variable is live at the region's start.
bool RegionWalker::live(std::uint32_t region, std::size_t first, std::size_t last, bool atEnd) {
  bool live = atEnd;
  std::uint32_t end = flow_.regions[region].end; // end of the life that is being followed
  while (last > first) {
    if (regions_[last - 1] != region) {
      std::size_t from = 0;
      const std::uint32_t child = childOf(region, last, first, from);
      if (live)
        add(flow_.regions[child].controlEnd, end);
      live = liveInControl(child, from, last, live);
      end = flow_.regions[child].control;
      last = from;
      continue;
    }
    const AccessEvent &event = events_[--last];
    if (event.kill && live) {
      add(event.step, end);
      live = false;
    }
    if (event.read && !live) {
      live = true;
      end = event.step + 1;
    }
  }
  if (live)
    add(flow_.regions[region].begin, end);
  return live;
}

// Adds the life within a control, including the control's own step. Returns whether the variable is live-in at this
// step.
bool RegionWalker::liveInControl(std::uint32_t child, std::size_t first, std::size_t last, bool after) {
  const FlowRegion &region = flow_.regions[child];
  bool before = false, atControl = false;
  if (region.kind == FlowRegion::Kind::Arm) {
    before = atControl = liveInArms(region, first, last, after);
  } else if (region.kind == FlowRegion::Kind::RepeatBody) {
    const Need need = needOf(child, first, last);
    before = need.here || (need.through && after);
    atControl = before || after; // control visits the step again after the body
    live(child, first, last, atControl);
  } else {
    const std::uint32_t body = region.last, condition = flow_.regions[body].before;
    const std::size_t from = firstIn(body, first, last);
    const Need tested = needOf(condition, first, from), need = needOf(body, from, last);
    before = atControl = tested.here || (tested.through && (after || need.here));
    const bool beforeBody = need.here || (need.through && before);
    live(body, from, last, before);
    live(condition, first, from, after || beforeBody);
  }
  if (atControl)
    add(region.control, region.control + 1);
  return before;
}

bool RegionWalker::liveInArms(const FlowRegion &child, std::size_t first, std::size_t last, bool after) {
  bool before = child.straightOn && after;
  // `arms`: number of arms with events; `end`: the end of the arms that the loop has not entered
  std::uint32_t arms = 0, end = child.controlEnd;
  for (std::size_t from = 0; last > first; last = from, ++arms) {
    const std::uint32_t arm = insideOf(child.parent, last - 1);
    from = firstIn(arm, first, last);
    if (after)
      add(flow_.regions[arm].end, end);
    before = live(arm, from, last, after) || before;
    end = flow_.regions[arm].begin;
  }
  if (after)
    add(child.control + 1, end);
  return before || (after && arms < child.together);
}

void RegionWalker::add(std::uint32_t begin, std::uint32_t end) {
  if (begin == end)
    return;
  if (!lives_.empty() && lives_.back().begin.index() <= end)
    lives_.back().begin = StepIndex(begin);
  else
    lives_.push_back({StepIndex(begin), StepIndex(end)});
}

} // namespace popscope
