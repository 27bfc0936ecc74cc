#include "liveness/analysis/ExploreVariable.hpp"

#include <algorithm>

namespace popscope {
namespace {

StepInterval interval(std::uint32_t begin, std::uint32_t end) {
  return {StepIndex(begin), StepIndex(end)};
}

} // namespace

std::vector<StepInterval> normaliseIntervals(std::vector<StepInterval> intervals) {
  std::sort(intervals.begin(), intervals.end(), [](const StepInterval &a, const StepInterval &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::vector<StepInterval> out;
  for (const StepInterval &i : intervals) {
    if (i.begin == i.end)
      continue;
    if (!out.empty() && i.begin <= out.back().end)
      out.back().end = std::max(out.back().end, i.end);
    else
      out.push_back(i);
  }
  return out;
}

std::vector<StepInterval> VariableExplorer::explore(const std::vector<AccessEvent> &events) {
  reached_.clear();
  segments_.clear();
  for (auto at = events.begin(); at != events.end();) {
    const std::uint32_t block = flow_.blockOf[at->step];
    if (block == FlowGraph::kNone) {
      ++at;
      continue;
    }
    const std::uint32_t blockEnd = flow_.blocks[block].end;
    const auto end = std::find_if(at, events.end(), [&](const AccessEvent &e) { return e.step >= blockEnd; });
    startFromReads(block, at, end);
    if (const std::uint32_t echo = flow_.echoOf[block]; echo != FlowGraph::kNone && (end - 1)->step + 1 == blockEnd)
      startFromReads(echo, end - 1, end);
    at = end;
  }
  for (std::size_t i = 0; i < reached_.size(); ++i)
    continueThrough(reached_[i], events);
  for (const std::uint32_t block : reached_)
    queued_[block] = false;
  return normaliseIntervals(segments_);
}

// What is live inside the block because of the block's own reads.
void VariableExplorer::startFromReads(std::uint32_t block, EventIt begin, EventIt end) {
  bool live = false;
  std::uint32_t liveEnd = 0;
  while (end != begin) {
    --end;
    if (live && end->kill) {
      segments_.push_back(interval(end->step, liveEnd));
      live = false;
    }
    if (end->read && !live) {
      live = true;
      liveEnd = end->step + 1;
    }
  }
  if (live) {
    segments_.push_back(interval(flow_.blocks[block].begin, liveEnd));
    enterPredecessors(block);
  }
}

// The variable is live at the block's end: back to the last kill, or through to the block's start.
void VariableExplorer::continueThrough(std::uint32_t block, const std::vector<AccessEvent> &events) {
  const FlowBlock &range = flow_.blocks[block];
  auto last = std::lower_bound(events.begin(), events.end(), range.end,
                               [](const AccessEvent &e, std::uint32_t step) { return e.step < step; });
  while (last != events.begin() && (last - 1)->step >= range.begin) {
    --last;
    if (last->kill) {
      segments_.push_back(interval(last->step, range.end));
      return;
    }
  }
  segments_.push_back(interval(range.begin, range.end));
  enterPredecessors(block);
}

void VariableExplorer::enterPredecessors(std::uint32_t block) {
  for (std::uint32_t p = flow_.firstPred[block]; p < flow_.firstPred[block + 1]; ++p) {
    if (queued_[flow_.preds[p]])
      continue;
    queued_[flow_.preds[p]] = true;
    reached_.push_back(flow_.preds[p]);
  }
}

} // namespace popscope
