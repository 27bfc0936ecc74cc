#include "liveness/analysis/ExploreVariable.hpp"

#include <algorithm>

namespace popscope {
namespace {

StepInterval interval(std::uint32_t begin, std::uint32_t end) { return {StepIndex(begin), StepIndex(end)}; }

bool before(const StepInterval &a, const StepInterval &b) {
  return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
}

} // namespace

void normaliseIntervals(std::vector<StepInterval> &intervals) {
  if (!std::is_sorted(intervals.begin(), intervals.end(), before))
    std::sort(intervals.begin(), intervals.end(), before);
  std::size_t kept = 0;
  for (const StepInterval &i : intervals) {
    if (i.begin == i.end)
      continue;
    if (kept != 0 && i.begin <= intervals[kept - 1].end)
      intervals[kept - 1].end = std::max(intervals[kept - 1].end, i.end);
    else
      intervals[kept++] = i;
  }
  intervals.resize(kept);
}

const std::vector<StepInterval> &VariableExplorer::explore(const std::vector<AccessEvent> &events) {
  reached_.clear();
  segments_.clear();
  first_ = events.begin();
  last_ = events.end();
  for (auto at = first_; at != last_;) {
    const std::uint32_t block = flow_.blockOf[at->step];
    if (block == FlowGraph::kNone) {
      ++at;
      continue;
    }
    const std::uint32_t blockEnd = flow_.blocks[block].end;
    auto end = at + 1;
    while (end != last_ && end->step < blockEnd)
      ++end;
    startFromReads(block, at, end);
    if (const std::uint32_t echo = flow_.echoOf[block]; echo != FlowGraph::kNone && (end - 1)->step + 1 == blockEnd)
      startFromReads(echo, end - 1, end);
    at = end;
  }
  for (std::size_t i = 0; i < reached_.size(); ++i)
    continueThrough(reached_[i]);
  for (const std::uint32_t block : reached_)
    queued_[block] = 0;
  normaliseIntervals(segments_);
  return segments_;
}

// What is live inside the block because of the block's own reads.
void VariableExplorer::startFromReads(std::uint32_t block, EventIt begin, EventIt end) {
  bool live = false;
  std::uint32_t liveEnd = 0;
  for (auto at = end; at != begin;) {
    --at;
    if (live && at->kill) {
      segments_.push_back(interval(at->step, liveEnd));
      live = false;
    }
    if (at->read && !live) {
      live = true;
      liveEnd = at->step + 1;
    }
  }
  if (live) {
    segments_.push_back(interval(flow_.blocks[block].begin, liveEnd));
    enterPredecessors(block, begin);
  }
}

// The variable is live at the block's end: back to the last kill, or through to the block's start.
void VariableExplorer::continueThrough(std::uint32_t block) {
  const FlowBlock &range = flow_.blocks[block];
  auto last = std::lower_bound(first_, last_, range.end,
                               [](const AccessEvent &e, std::uint32_t step) { return e.step < step; });
  while (last != first_ && (last - 1)->step >= range.begin) {
    --last;
    if (last->kill) {
      segments_.push_back(interval(last->step, range.end));
      return;
    }
  }
  segments_.push_back(interval(range.begin, range.end));
  enterPredecessors(block, last);
}

// Live at the block's start. `firstInside`: the first event at or after it.
void VariableExplorer::enterPredecessors(std::uint32_t block, EventIt firstInside) {
  if (const std::uint32_t control = flow_.jumpOf[block]; control != FlowGraph::kNone) {
    const auto from = flow_.controls.begin() + flow_.controls[control].plainFrom, to = flow_.controls.begin() + control + 1;
    auto target = from;
    if (firstInside != first_ && from < to)
      target = std::upper_bound(from, to, (firstInside - 1)->step,
                                [](std::uint32_t step, const FlowControl &c) { return step < c.step; });
    if (target < to) {
      segments_.push_back(interval(target->step + 1, flow_.blocks[block].begin));
      return enqueue(flow_.blockOf[target->step]);
    }
  }
  for (std::uint32_t p = flow_.firstPred[block]; p < flow_.firstPred[block + 1]; ++p)
    enqueue(flow_.preds[p]);
}

void VariableExplorer::enqueue(std::uint32_t block) {
  if (queued_[block] != 0)
    return;
  queued_[block] = 1;
  reached_.push_back(block);
}

} // namespace popscope
