#include "liveness/analysis/ExploreVariable.hpp"

#include "base/UniteRanges.hpp"

#include <algorithm>

namespace popscope {
namespace {

StepInterval interval(std::uint32_t begin, std::uint32_t end) { return {StepIndex(begin), StepIndex(end)}; }

} // namespace

VariableExplorer::VariableExplorer(const FlowGraph &flow)
    : flow_(flow), queued_(2 * flow.blocks.size(), 0), passed_(flow.functions.size(), 0),
      touched_(flow.functions.size(), 0), firstWaiting_(flow.functions.size(), kNoBlock) {}

void VariableExplorer::walk(const std::vector<AccessEvent> &events) {
  segments_.clear();
  passedCalls_.clear();
  first_ = events.begin();
  last_ = events.end();
  for (auto at = first_; at != last_;) {
    const std::uint32_t block = flow_.blockOf[at->step];
    if (block == kNoBlock) {
      ++at;
      continue;
    }
    const std::uint32_t blockEnd = flow_.blocks[block].end;
    auto end = at + 1;
    while (end != last_ && end->step < blockEnd)
      ++end;
    startFromReads(block, at, end);
    if (const std::uint32_t echo = flow_.echoOf[block]; echo != kNoBlock && (end - 1)->step + 1 == blockEnd)
      startFromReads(echo, end - 1, end);
    at = end;
  }
  if (!reached_.empty() || segments_.size() > 1) {
    for (std::size_t i = 0; i < reached_.size(); ++i)
      continueThrough(reached_[i] / 2, static_cast<Mode>(reached_[i] % 2));
    forget();
    uniteRanges(segments_);
    uniteRanges(passedCalls_);
  }
}

void VariableExplorer::forget() {
  for (const std::uint32_t state : reached_)
    queued_[state] = 0;
  reached_.clear();
  for (const std::uint32_t f : passedList_)
    passed_[f] = 0;
  for (const std::uint32_t f : touchedList_) {
    touched_[f] = 0;
    firstWaiting_[f] = kNoBlock;
  }
  passedList_.clear();
  touchedList_.clear();
  waiting_.clear();
  eventFunctions_.clear();
  touchedCalls_.clear();
  eventFunctionsKnown_ = touchedKnown_ = false;
}

// Adds the part of the block in which the variable is live because of the block's own reads, in ascending order.
void VariableExplorer::startFromReads(std::uint32_t block, EventIt begin, EventIt end) {
  const std::size_t before = segments_.size();
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
  if (live)
    segments_.push_back(interval(flow_.blocks[block].begin, liveEnd));
  std::reverse(segments_.begin() + static_cast<std::ptrdiff_t>(before), segments_.end());
  if (live)
    enterPredecessors(block, begin, FromRead);
}

// Continues from the block's end, where the variable is live: back to the last kill, or through to the block's start.
void VariableExplorer::continueThrough(std::uint32_t block, Mode mode) {
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
  enterPredecessors(block, last, mode);
}

// Continues from the block's start, where the variable is live. `firstInside` is the first event at or after the start.
void VariableExplorer::enterPredecessors(std::uint32_t block, EventIt firstInside, Mode mode) {
  if (flow_.jumpOf[block] != kNoBlock && jump(block, firstInside, mode))
    return;
  for (const std::uint32_t pred : flow_.preds[block])
    enqueue(pred, mode);
  if (flow_.callOf[block] != kNoBlock)
    return crossCall(flow_.calls[flow_.callOf[block]], mode);
  if (const std::uint32_t f = flow_.functionOf[block]; f != kNoBlock && flow_.functions[f].entry == block)
    leaveFunction(f, mode);
}

// Jumps backwards over the controls before the block, as far as neither the controls nor their callees contain an
// event. Returns whether the walk jumped. Extends the life over all these controls at once, because the controls are
// plain (FlowControl::plainFrom). Cost: logarithmic in controls and calls, for any number of steps.
bool VariableExplorer::jump(std::uint32_t block, EventIt firstInside, Mode mode) {
  const std::uint32_t control = flow_.jumpOf[block];
  const auto from = flow_.controls.begin() + flow_.controls[control].plainFrom,
             to = flow_.controls.begin() + control + 1;
  if (from >= to)
    return false;
  const auto after = [&](std::uint32_t step) {
    return std::upper_bound(from, to, step, [](std::uint32_t s, const FlowControl &c) { return s < c.step; });
  };
  const std::uint32_t begin = flow_.blocks[block].begin;
  auto target = firstInside == first_ ? from : after((firstInside - 1)->step);
  if (target == to)
    return false;
  if (!flow_.calls.empty()) {
    const std::uint32_t end = flow_.callsBefore(begin, target->firstCall);
    if (const std::uint32_t touching = lastTouching(target->firstCall, end); touching != kNoBlock)
      target = after(flow_.calls[touching].step);
    if (target == to)
      return false;
    if (target->firstCall < end)
      passedCalls_.push_back({target->firstCall, end});
  }
  segments_.push_back(interval(target->step + 1, begin));
  enqueue(flow_.blockOf[target->step], mode);
  return true;
}

void VariableExplorer::crossCall(const FlowCall &call, Mode mode) {
  if (!touches(call.function)) {
    const auto at = static_cast<std::uint32_t>(&call - flow_.calls.data());
    passedCalls_.push_back({at, at + 1});
    return enqueue(call.block, mode);
  }
  if (passed_[call.function] != 0)
    return enqueue(call.block, mode);
  waiting_.push_back({2 * call.block + mode, firstWaiting_[call.function]});
  firstWaiting_[call.function] = static_cast<std::uint32_t>(waiting_.size() - 1);
  enqueue(flow_.functions[call.function].exit, Passage);
}

// Continues from a function's start, where the variable is live. If a read in the function is the reason, the variable
// is live before all calls of the function. Otherwise, the variable is live only before the calls at which the variable
// is live-out.
void VariableExplorer::leaveFunction(std::uint32_t function, Mode mode) {
  if (mode == FromRead) {
    for (const std::uint32_t site : flow_.sites[function])
      enqueue(flow_.calls[site].block, FromRead);
    return;
  }
  passed_[function] = 1;
  passedList_.push_back(function);
  for (std::uint32_t w = firstWaiting_[function]; w != kNoBlock; w = waiting_[w].next)
    enqueue(waiting_[w].state / 2, static_cast<Mode>(waiting_[w].state % 2));
}

void VariableExplorer::findEventFunctions() {
  if (eventFunctionsKnown_)
    return;
  eventFunctionsKnown_ = true;
  for (auto e = first_; e != last_; ++e)
    if (const std::uint32_t block = flow_.blockOf[e->step];
        block != kNoBlock && flow_.functionOf[block] != kNoBlock &&
        (eventFunctions_.empty() || eventFunctions_.back() != flow_.functionOf[block]))
      eventFunctions_.push_back(flow_.functionOf[block]);
}

// Returns whether the variable has an event in the function or in its callees. The range of ranks of the callees rules
// out most functions. For the other functions, marks all callers of functions with events, once per variable.
bool VariableExplorer::touches(std::uint32_t function) {
  findEventFunctions();
  if (touchedKnown_)
    return touched_[function] != 0;
  constexpr std::size_t kFewFunctions = 8;
  const auto mayReach = [&](std::uint32_t f) {
    return flow_.order.lowest[function] <= flow_.order.rank[f] && flow_.order.rank[f] <= flow_.order.rank[function];
  };
  if (eventFunctions_.size() <= kFewFunctions && std::none_of(eventFunctions_.begin(), eventFunctions_.end(), mayReach))
    return false;
  findTouched();
  return touched_[function] != 0;
}

// Returns the last of the calls [begin, end) whose function touches the variable, or kNoBlock.
std::uint32_t VariableExplorer::lastTouching(std::uint32_t begin, std::uint32_t end) {
  constexpr std::uint32_t kFewCalls = 4;
  if (begin == end)
    return kNoBlock;
  if (end - begin <= kFewCalls) {
    while (end > begin)
      if (touches(flow_.calls[--end].function))
        return end;
    return kNoBlock;
  }
  findEventFunctions();
  if (eventFunctions_.empty())
    return kNoBlock;
  if (!touchedKnown_)
    findTouched();
  const auto after = std::lower_bound(touchedCalls_.begin(), touchedCalls_.end(), end);
  return after != touchedCalls_.begin() && *(after - 1) >= begin ? *(after - 1) : kNoBlock;
}

void VariableExplorer::findTouched() {
  touchedKnown_ = true;
  const auto mark = [&](std::uint32_t f) {
    if (f == kNoBlock || touched_[f] != 0)
      return;
    touched_[f] = 1;
    touchedList_.push_back(f);
  };
  for (const std::uint32_t f : eventFunctions_)
    mark(f);
  for (std::size_t i = 0; i < touchedList_.size(); ++i)
    for (const std::uint32_t site : flow_.sites[touchedList_[i]]) {
      touchedCalls_.push_back(site);
      mark(flow_.functionOf[flow_.calls[site].block]);
    }
  std::sort(touchedCalls_.begin(), touchedCalls_.end());
}

void VariableExplorer::enqueue(std::uint32_t block, Mode mode) {
  std::uint8_t &queued = queued_[2 * block + mode];
  if (queued != 0)
    return;
  queued = 1;
  reached_.push_back(2 * block + mode);
}

} // namespace popscope
