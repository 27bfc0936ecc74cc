#include "liveness/explain/WalkReasons.hpp"

#include <algorithm>
#include <queue>

namespace popscope {
namespace {

Reason with(Reason reason, Carrier carrier, std::uint32_t by) {
  reason.carrier = carrier;
  reason.carriedBy = by;
  return reason;
}
// Joins the path through a function with the reason after it. If both have a carrier or failed kill, keeps the carrier
// or failed kill of the path.
Reason joined(const Reason &passage, const Reason &behind) {
  Reason out = behind;
  out.distance += passage.distance;
  if (passage.failed != kNoBlock)
    out.failed = passage.failed;
  return passage.carrier == Carrier::None ? out : with(out, passage.carrier, passage.carriedBy);
}

} // namespace

// Takes the nearest candidate first. At equal distances, ends of blocks come first, then the lower block, then the
// earlier offer. Candidates that are offered in this order, such as the arms of a branch, wait in a queue. All others
// wait in a heap.
class ReasonWalk::Queue {
public:
  void offer(const Candidate &candidate) {
    const Key key{candidate.reason.distance << 1 | (candidate.start ? 1 : 0),
                  std::uint64_t(candidate.block) << 32 | candidates_.size()};
    candidates_.push_back(candidate);
    if (row_.empty() || row_.back() < key)
      row_.push_back(key);
    else
      heap_.push(key);
  }
  [[nodiscard]] bool empty() const { return taken_ == row_.size() && heap_.empty(); }
  Candidate take() {
    Key key;
    if (taken_ < row_.size() && (heap_.empty() || row_[taken_] < heap_.top())) {
      key = row_[taken_++];
    } else {
      key = heap_.top();
      heap_.pop();
    }
    return candidates_[static_cast<std::uint32_t>(key.second)];
  }

private:
  /// First: the distance, and whether the candidate is a block's start. Second: the block, and the number of the
  /// candidate.
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  std::vector<Key> row_;
  std::size_t taken_ = 0; // number of candidates that were taken from row_
  std::priority_queue<Key, std::vector<Key>, std::greater<>> heap_;
  std::vector<Candidate> candidates_;
};

ReasonWalk::ReasonWalk(const ExplainContext &context) : c_(context), isTouched_(context.flow.blocks.size(), 0) {
  const FlowGraph &flow = c_.flow;
  const std::size_t modes = flow.functions.empty() ? 1 : 2;
  for (std::size_t m = 0; m < modes; ++m) {
    atEnd_[m].resize(flow.blocks.size());
    done_[m].resize(flow.blocks.size());
    bornAtStart_[m].assign(flow.blocks.size(), kNoBlock);
  }
  passage_.resize(flow.functions.size());
  passageKnown_.resize(flow.functions.size());
}

void ReasonWalk::touch(std::uint32_t block) {
  if (isTouched_[block] == 0)
    touched_.push_back(block);
  isTouched_[block] = 1;
}

void ReasonWalk::forget() {
  const std::size_t modes = c_.flow.functions.empty() ? 1 : 2;
  for (const std::uint32_t block : touched_) {
    for (std::size_t m = 0; m < modes; ++m) {
      atEnd_[m][block] = {};
      done_[m][block] = 0;
      bornAtStart_[m][block] = kNoBlock;
    }
    isTouched_[block] = 0;
  }
  touched_.clear();
  for (const std::uint32_t function : passed_) {
    passage_[function] = {};
    passageKnown_[function] = 0;
  }
  passed_.clear();
}

void ReasonWalk::walk(const std::vector<ReasonEvent> &events) {
  forget();
  events_ = &events;
  const FlowGraph &flow = c_.flow;
  Queue queue;
  const auto offer = [&](std::uint32_t block) {
    touch(block);
    if (const Reason reason = atStart(block, FromRead); reason.live())
      queue.offer({block, true, reason});
  };
  std::uint32_t last = kNoBlock; // the block of the last read; its reads are consecutive
  for (const ReasonEvent &e : events)
    if (const std::uint32_t block = flow.blockOf[e.step]; e.read && block != kNoBlock) {
      if (block != last)
        offer(block);
      last = block;
      if (const std::uint32_t echo = flow.echoOf[block]; echo != kNoBlock && flow.blocks[echo].begin == e.step)
        offer(echo);
    }
  walkBack(queue, FromRead);
  addWhatFollowsFunctions();
  walkOnFromKills();
  std::sort(touched_.begin(), touched_.end());
}

std::uint32_t ReasonWalk::bornAtStart(std::uint32_t block) const {
  const std::uint32_t here = bornAtStart_[Here][block];
  return here != kNoBlock || bornAtStart_[ByCaller].empty() ? here : bornAtStart_[ByCaller][block];
}

bool ReasonWalk::isEcho(std::uint32_t block) const {
  const FlowBlock &b = c_.flow.blocks[block];
  return b.begin < b.end && c_.flow.blockOf[b.begin] != block;
}

std::pair<ReasonWalk::EventIt, ReasonWalk::EventIt> ReasonWalk::eventsOf(std::uint32_t block) const {
  const auto below = [](const ReasonEvent &e, std::uint32_t step) { return e.step < step; };
  const auto begin = std::lower_bound(events_->begin(), events_->end(), c_.flow.blocks[block].begin, below);
  return {begin, std::lower_bound(begin, events_->end(), c_.flow.blocks[block].end, below)};
}

Reason ReasonWalk::across(const ReasonEvent &e, Reason after, std::uint64_t stepsBetween) const {
  after.distance += stepsBetween;
  if (e.read)
    return {0, e.step, kNoBlock, Carrier::None, kNoBlock};
  if (e.kill)
    return {};
  if (e.part && after.live())
    after.failed = static_cast<std::uint32_t>(&e - events_->data());
  return after;
}

// Returns the reason at the block's start. In mode Passage, a read does not become the reason; only kills stop the
// value.
Reason ReasonWalk::atStart(std::uint32_t block, Mode mode) const {
  const auto [begin, end] = eventsOf(block);
  Reason reason = atEnd_[mode][block];
  std::uint64_t from = c_.flow.blocks[block].end;
  for (auto e = end; e != begin;) {
    --e;
    ReasonEvent event = *e;
    if (mode == Passage && event.read && !event.kill) {
      reason.distance += from - event.step;
      if (event.part && reason.live())
        reason.failed = static_cast<std::uint32_t>(&*e - events_->data());
    } else if (mode == Passage && event.kill) {
      return {};
    } else {
      reason = across(*e, reason, from - event.step);
    }
    from = event.step;
  }
  reason.distance += from - c_.flow.blocks[block].begin;
  return reason;
}

void ReasonWalk::walkBack(Queue &queue, Mode mode) {
  while (!queue.empty()) {
    const Candidate candidate = queue.take();
    const std::uint32_t block = candidate.block;
    touch(block);
    if (candidate.start) {
      if (done_[mode][block] == 0)
        expand(block, candidate.reason, mode, queue);
      done_[mode][block] = 1;
    } else if (!atEnd_[mode][block].live()) {
      atEnd_[mode][block] = candidate.reason;
      if (const Reason reason = atStart(block, mode); reason.live() && done_[mode][block] == 0)
        queue.offer({block, true, reason});
    }
  }
}

// Offers all predecessors of the block's start. The variable is live at this start.
void ReasonWalk::expand(std::uint32_t block, const Reason &reason, Mode mode, Queue &queue) {
  const FlowGraph &flow = c_.flow;
  for (const std::uint32_t pred : flow.preds[block])
    queue.offer({pred, false, carried(reason, pred, block)});
  if (flow.callOf[block] != kNoBlock) {
    const FlowCall &call = flow.calls[flow.callOf[block]];
    if (const Reason &through = passage(call.function); through.live())
      queue.offer({call.block, false, with(joined(through, reason), Carrier::Call, call.step)});
  }
  const std::uint32_t f = flow.functionOf[block];
  if (f == kNoBlock || flow.functions[f].entry != block)
    return;
  if (mode == Passage) {
    passage_[f] = reason;
    return;
  }
  for (const std::uint32_t site : flow.sites[f])
    queue.offer({flow.calls[site].block, false, with(reason, Carrier::Call, flow.calls[site].step)});
}

// Returns the reason of the shortest path from the function's start to its end without a kill. If there is no such
// path, the reason is not live.
const Reason &ReasonWalk::passage(std::uint32_t function) {
  if (passageKnown_[function] == 0) {
    passageKnown_[function] = 1;
    passed_.push_back(function);
    Queue queue;
    queue.offer({c_.flow.functions[function].exit, false, {0, Reason::kExit, kNoBlock, Carrier::None, kNoBlock}});
    walkBack(queue, Passage);
  }
  return passage_[function];
}

// Adds, callers first, the nearest read after any call of a function. Joins this read to the paths to the function's
// end.
void ReasonWalk::addWhatFollowsFunctions() {
  const FlowGraph &flow = c_.flow;
  if (passed_.empty())
    return;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks; // rank of the function, block
  for (const std::uint32_t b : touched_)
    if (flow.functionOf[b] != kNoBlock && atEnd_[Passage][b].live())
      blocks.emplace_back(flow.order.rank[flow.functionOf[b]], b);
  std::sort(blocks.begin(), blocks.end(), std::greater<>());
  std::uint32_t function = kNoBlock;
  Reason behind;
  for (const auto &[rank, b] : blocks) {
    if (function != flow.functionOf[b]) {
      function = flow.functionOf[b];
      behind = behindCalls(function);
    }
    if (!behind.live())
      continue;
    Reason &reason = atEnd_[FromRead][b];
    if (const Reason other = joined(atEnd_[Passage][b], behind); !reason.live() || other.distance < reason.distance)
      reason = other;
  }
}

Reason ReasonWalk::behindCalls(std::uint32_t function) const {
  const FlowGraph &flow = c_.flow;
  Reason behind;
  for (const std::uint32_t site : flow.sites[function]) {
    const FlowCall &call = flow.calls[site];
    if (call.back == kNoBlock || !atEnd_[FromRead][call.back].live())
      continue; // the reasons of callers are already joined
    if (const Reason &reason = atEnd_[FromRead][call.back]; !behind.live() || reason.distance < behind.distance)
      behind = with(reason, Carrier::Call, call.step);
  }
  return behind;
}

Reason ReasonWalk::carried(Reason reason, std::uint32_t from, std::uint32_t to) const {
  const FlowBlock &a = c_.flow.blocks[from], &b = c_.flow.blocks[to];
  const auto &steps = c_.program.steps.raw();
  if (a.begin == a.end || b.begin == b.end || b.begin >= a.end)
    return reason;
  if (to == c_.flow.blockOf[c_.program.root.index()] && b.begin == c_.program.root.index())
    return with(reason, Carrier::NextRun, kNoBlock);
  // A backward edge in step order: the carrier is the loop around the target that also contains the edge's source. An
  // echo belongs to its own loop.
  std::uint32_t loop = isEcho(to) ? b.begin : c_.loopOf[b.begin];
  while (loop != kNoBlock && a.end > steps[loop].end)
    loop = c_.loopOf[loop];
  return loop == kNoBlock ? reason : with(reason, Carrier::Loop, loop);
}

// Walks breadth first: a block takes the full write that is the fewest blocks away. In addition, the blocks of a
// function may inherit a write from before a call (ByCaller); such a write must not reach the blocks after other calls
// of the function. Invariant: the walk sets a block's birth once per kind. Cost: linear in the edges of the life.
void ReasonWalk::walkOnFromKills() {
  const FlowGraph &flow = c_.flow;
  struct Item {
    std::uint32_t block;
    Birth birth;
  };
  std::vector<Item> queue;
  for (const ReasonEvent &e : *events_)
    if (e.whole && flow.blockOf[e.step] != kNoBlock && (queue.empty() || queue.back().block != flow.blockOf[e.step]))
      queue.push_back({flow.blockOf[e.step], Here});
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto [block, birth] = queue[i];
    std::uint32_t born = bornAtStart_[birth][block];
    const auto [begin, end] = eventsOf(block);
    for (auto e = begin; e != end; ++e)
      born = e->whole ? e->step : born;
    const auto give = [&, born = born](std::uint32_t to, Birth as) {
      if (bornAtStart_[as][to] != kNoBlock)
        return;
      bornAtStart_[as][to] = born;
      touch(to);
      const auto [first, last] = eventsOf(to);
      if (std::none_of(first, last, [](const ReasonEvent &e) { return e.whole; }))
        queue.push_back({to, as});
    };
    const std::uint32_t f = flow.functionOf[block];
    if (f != kNoBlock && flow.functions[f].exit == block && birth == Here)
      for (const std::uint32_t site : flow.sites[f])
        give(flow.calls[site].back, Here);
    if (!atEnd(block).live())
      continue;
    for (const std::uint32_t next : c_.next[block])
      give(next, birth);
    if (const std::uint32_t c = c_.callFrom[block]; c != kNoBlock) {
      const FlowCall &call = flow.calls[c];
      give(flow.functions[call.function].entry, ByCaller);
      if (call.back != kNoBlock && passage(call.function).live())
        give(call.back, birth);
    }
  }
}

} // namespace popscope
