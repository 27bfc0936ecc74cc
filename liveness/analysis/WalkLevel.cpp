#include "liveness/analysis/WalkLevel.hpp"

#include <algorithm>

namespace popscope {

bool LevelWalker::walk(const AccessTable::Entry *begin, const AccessTable::Entry *end) {
  lives_.clear();
  if (begin == end)
    return true;
  const std::uint32_t run = flow_.steps[begin->step()].run;
  if (run == kNone)
    return false;
  // As long as no control is entered, and no source does two things, everything stays in registers; walkOn does the
  // same, and the rest, with members.
  std::uint32_t lastKill = kNone, source = kNone, from = 0, to = 0;
  for (const AccessTable::Entry *e = begin; e != end; ++e) {
    const std::uint32_t step = e->step();
    const FlowStep &at = flow_.steps[step];
    if (at.run != run || at.source == source) {
      if (at.run != run && !flow_.calls.empty()) // insideLevel() would say the same
        return false;
      kill_ = lastKill;
      from_ = from;
      to_ = to;
      return walkOn(run, e, end, first(*(e - 1), source == kNone ? kNone : source + member(*(e - 1))));
    }
    source = at.source;
    if (e->several())
      return false;
    if (e->reads()) {
      if (lastKill == kNone)
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

LevelWalker::OfSource LevelWalker::first(const AccessTable::Entry &entry, std::uint32_t source) {
  return {source, entry.reads() ? kNone : entry.step(), entry.reads() || entry.kills() ? &entry : nullptr};
}

bool LevelWalker::walkOn(std::uint32_t run, const AccessTable::Entry *begin, const AccessTable::Entry *end,
                         OfSource done) {
  deadKill_ = false;
  inArms_.clear();
  for (const AccessTable::Entry *e = begin; e != end; ++e) {
    const std::uint32_t step = e->step();
    const FlowStep &at = flow_.steps[step];
    if (const std::uint32_t source = at.source + member(*e); source != done.source)
      done = {source, kNone, nullptr};
    const FlowRegion *inside = nullptr;
    if (at.run != run) {
      inside = at.run == kNone ? nullptr : insideLevel(flow_.regionOfRun[run], flow_.regionOfRun[at.run]);
      if (inside == nullptr)
        return false;
    }
    if (e->several())
      return false;
    if (e->reads()) {
      if (done.written == step || !read(step, at.run, inside))
        return false;
      done.settled = done.settled == nullptr ? e : done.settled;
    } else if (done.settled != nullptr && done.settled->step() < step) {
      if (isUndef(*done.settled) || isUndef(*e))
        return false;
      done.written = step;
    } else {
      if (done.written != kNone || (e->kills() && !kill(step, inside)))
        return false;
      done.written = step;
      done.settled = e->kills() && done.settled == nullptr ? e : done.settled;
    }
  }
  endInArms();
  endLife();
  return true;
}

bool LevelWalker::read(std::uint32_t step, std::uint32_t run, const FlowRegion *inside) {
  if (kill_ == kNone || deadKill_)
    return false;
  if (from_ == to_ || to_ < kill_) {
    endLife();
    from_ = kill_;
  }
  if (inside == nullptr || inside->kind != FlowRegion::Kind::Arm) {
    inArms_.clear(); // they are live throughout
    to_ = inside == nullptr ? step + 1 : inside->controlEnd;
    return true;
  }
  if (&flow_.regions[flow_.regionOfRun[run]] != inside)
    return false;
  if (armControl_ != inside->control)
    inArms_.clear();
  armControl_ = inside->control;
  to_ = inside->control + 1;
  if (!inArms_.empty() && inArms_.back().begin.index() == inside->begin)
    inArms_.back().end = StepIndex(step + 1);
  else
    inArms_.push_back({StepIndex(inside->begin), StepIndex(step + 1)});
  return true;
}

bool LevelWalker::kill(std::uint32_t step, const FlowRegion *inside) {
  if (inside != nullptr) { // without effect where nothing in the control or behind it reads
    deadKill_ = true;
    return to_ <= inside->control;
  }
  endInArms();
  kill_ = step;
  deadKill_ = false;
  return true;
}

void LevelWalker::endInArms() {
  for (const StepInterval &arm : inArms_) {
    if (to_ < arm.begin.index()) {
      endLife();
      from_ = arm.begin.index();
    }
    to_ = arm.end.index();
  }
  inArms_.clear();
}

void LevelWalker::endLife() {
  if (from_ != to_)
    lives_.push_back({StepIndex(from_), StepIndex(to_)});
}

// The region of a control on the level that holds the inner region, or null: there is none, or what happens there is
// not to be told from its place alone.
const FlowRegion *LevelWalker::insideLevel(std::uint32_t level, std::uint32_t inner) const {
  if (!flow_.calls.empty() || !flow_.regions[level].regular)
    return nullptr;
  const FlowRegion *region = &flow_.regions[inner];
  while (region->parent != level) {
    if (region->depth <= flow_.regions[level].depth)
      return nullptr;
    region = &flow_.regions[region->parent];
  }
  return region;
}

} // namespace popscope
