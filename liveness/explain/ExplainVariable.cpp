#include "liveness/explain/ExplainVariable.hpp"

#include "graph/steps/HomeElements.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace popscope {
namespace {

constexpr std::uint32_t kNone = FlowGraph::kNone;

// A read, a kill, or the last step of a source that wrote in part.
struct Event {
  std::uint32_t step = 0;
  bool read = false, kill = false, part = false;
  std::uint32_t firstMissed = 0, numMissed = 0;
};

// Why the variable is live at some point.
struct Reason {
  std::uint64_t distance = 0; // steps to the read
  std::uint32_t read = kNone;
  std::uint32_t failed = kNone; // index of an event
  Carrier carrier = Carrier::None;
  std::uint32_t carriedBy = kNone;
  [[nodiscard]] bool live() const { return read != kNone; }
};

class Explainer {
public:
  Explainer(const ExplainContext &context, VarId var) : c_(context), var_(var) {
    collectEvents();
    atEnd_.resize(c_.flow.blocks.size());
    bornAtStart_.assign(c_.flow.blocks.size(), kNone);
  }

  VariableExplanation explain() {
    walkBackFromReads();
    walkOnFromKills();
    for (std::uint32_t b = 0; b < atEnd_.size(); ++b)
      if (c_.flow.blocks[b].begin < c_.flow.blocks[b].end && !isEcho(b))
        addRows(b);
    sortRows();
    const std::size_t firstVisits = out_.rows.size();
    for (std::uint32_t b = 0; b < atEnd_.size(); ++b) // a Repeat that is live only when it comes round again
      if (isEcho(b) && !isExplained(c_.flow.blocks[b].begin, firstVisits))
        addRows(b);
    sortRows();
    joinEqualRows();
    return std::move(out_);
  }

private:
  using EventIt = std::vector<Event>::const_iterator;

  void collectEvents() {
    VariableAccesses accesses;
    interpretAccesses(c_.program, c_.table, var_, accesses);
    for (const AccessEvent &e : accesses.events)
      events_.push_back({e.step, e.read, e.kill, false, 0, 0});
    const std::uint32_t last = c_.table.first[var_.index() + 1];
    for (std::uint32_t at = c_.table.first[var_.index()]; at < last;) {
      const SourceGroup group = sourceGroup(c_.table, at, last);
      if (group.writes)
        addPart(group);
      at = group.end;
    }
    std::sort(events_.begin(), events_.end(), [](const Event &a, const Event &b) { return a.step < b.step; });
  }

  void addPart(const SourceGroup &group) {
    std::vector<ElementRange> written;
    for (std::uint32_t e = group.begin; e < group.end; ++e)
      if (c_.table.entries[e].kind == AccessKind::Write) {
        const Access &access = c_.program.accesses[c_.table.entries[e].access];
        written.insert(written.end(), c_.program.ranges.begin() + access.firstRange,
                       c_.program.ranges.begin() + access.firstRange + access.numRanges);
      }
    uniteRanges(written);
    const auto first = static_cast<std::uint32_t>(out_.missed.size());
    std::uint64_t reached = 0;
    for (const ElementRange &r : written) {
      if (r.begin > reached)
        out_.missed.push_back({reached, r.begin});
      reached = r.end;
    }
    if (reached < c_.program.vars[var_].elements)
      out_.missed.push_back({reached, c_.program.vars[var_].elements});
    const auto missed = static_cast<std::uint32_t>(out_.missed.size()) - first;
    if (missed == 0)
      return; // it kills
    const auto same = std::find_if(events_.begin(), events_.end(), [&](const Event &e) { return e.step == group.lastWrite; });
    Event &event = same != events_.end() ? *same : events_.emplace_back();
    event.step = group.lastWrite;
    event.part = true;
    event.firstMissed = first;
    event.numMissed = missed;
  }

  [[nodiscard]] bool isEcho(std::uint32_t block) const {
    return c_.flow.blocks[block].begin < c_.flow.blocks[block].end && c_.flow.blockOf[c_.flow.blocks[block].begin] != block;
  }
  [[nodiscard]] std::pair<EventIt, EventIt> eventsOf(std::uint32_t block) const {
    const auto below = [](const Event &e, std::uint32_t step) { return e.step < step; };
    const auto begin = std::lower_bound(events_.begin(), events_.end(), c_.flow.blocks[block].begin, below);
    return {begin, std::lower_bound(begin, events_.end(), c_.flow.blocks[block].end, below)};
  }

  // Why it is live before the event's step, given why it is live after it.
  [[nodiscard]] Reason across(const Event &e, Reason after, std::uint64_t stepsBetween) const {
    after.distance += stepsBetween;
    if (e.read)
      return {0, e.step, kNone, Carrier::None, kNone};
    if (e.kill)
      return {};
    if (e.part && after.live())
      after.failed = static_cast<std::uint32_t>(&e - events_.data());
    return after;
  }
  [[nodiscard]] Reason atStart(std::uint32_t block) const {
    const auto [begin, end] = eventsOf(block);
    Reason reason = atEnd_[block];
    std::uint64_t from = c_.flow.blocks[block].end;
    for (auto e = end; e != begin;) {
      --e;
      reason = across(*e, reason, from - e->step);
      from = e->step;
    }
    reason.distance += from - c_.flow.blocks[block].begin;
    return reason;
  }

  void walkBackFromReads() {
    using Item = std::pair<std::uint64_t, std::uint32_t>; // distance at the block's start, block
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    std::vector<bool> done(atEnd_.size(), false);
    const auto offer = [&](std::uint32_t block) {
      if (const Reason reason = atStart(block); reason.live())
        queue.emplace(reason.distance, block);
    };
    for (const Event &e : events_)
      if (e.read && c_.flow.blockOf[e.step] != kNone) {
        offer(c_.flow.blockOf[e.step]);
        if (const std::uint32_t echo = c_.flow.echoOf[c_.flow.blockOf[e.step]];
            echo != kNone && c_.flow.blocks[echo].begin == e.step)
          offer(echo);
      }
    while (!queue.empty()) {
      const std::uint32_t block = queue.top().second;
      queue.pop();
      if (done[block])
        continue;
      done[block] = true;
      const Reason reason = atStart(block);
      for (std::uint32_t p = c_.flow.firstPred[block]; p < c_.flow.firstPred[block + 1]; ++p) {
        const std::uint32_t from = c_.flow.preds[p];
        if (atEnd_[from].live())
          continue;
        atEnd_[from] = carried(reason, from, block);
        offer(from);
      }
    }
  }

  [[nodiscard]] Reason carried(Reason reason, std::uint32_t from, std::uint32_t to) const {
    const FlowBlock &a = c_.flow.blocks[from], &b = c_.flow.blocks[to];
    const auto &steps = c_.program.steps.raw();
    const bool fromEmpty = a.begin == a.end, toEmpty = b.begin == b.end;
    if (!fromEmpty && steps[a.end - 1].kind == StepKind::Call && (toEmpty || b.begin != a.end))
      return with(reason, Carrier::Call, a.end - 1);
    if (fromEmpty && !toEmpty && b.begin > 0 && steps[b.begin - 1].kind == StepKind::Call)
      return with(reason, Carrier::Call, b.begin - 1);
    if (fromEmpty || toEmpty || b.begin >= a.end)
      return reason;
    if (to == c_.flow.blockOf[c_.program.root.index()] && b.begin == c_.program.root.index())
      return with(reason, Carrier::NextRun, kNone);
    // Back in step order: the loop around the target that the source is in, too. An echo is its loop's own step.
    std::uint32_t loop = isEcho(to) ? b.begin : c_.loopOf[b.begin];
    while (loop != kNone && a.end > steps[loop].end)
      loop = c_.loopOf[loop];
    return loop == kNone ? reason : with(reason, Carrier::Loop, loop);
  }
  static Reason with(Reason reason, Carrier carrier, std::uint32_t by) {
    reason.carrier = carrier;
    reason.carriedBy = by;
    return reason;
  }

  [[nodiscard]] std::uint32_t bornAtEnd(std::uint32_t block) const {
    const auto [begin, end] = eventsOf(block);
    for (auto e = end; e != begin;)
      if ((--e)->kill)
        return e->step;
    return bornAtStart_[block];
  }
  // Breadth first: a block takes the full write that is fewest blocks away.
  void walkOnFromKills() {
    std::vector<std::uint32_t> queue;
    for (const Event &e : events_)
      if (e.kill && c_.flow.blockOf[e.step] != kNone && (queue.empty() || queue.back() != c_.flow.blockOf[e.step]))
        queue.push_back(c_.flow.blockOf[e.step]);
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (std::uint32_t n = c_.firstNext[queue[i]]; atEnd_[queue[i]].live() && n < c_.firstNext[queue[i] + 1]; ++n)
        if (bornAtStart_[c_.next[n]] == kNone) {
          bornAtStart_[c_.next[n]] = bornAtEnd(queue[i]);
          const auto [begin, end] = eventsOf(c_.next[n]);
          if (std::none_of(begin, end, [](const Event &e) { return e.kill; }))
            queue.push_back(c_.next[n]);
        }
  }

  void addRows(std::uint32_t block) {
    const auto [begin, end] = eventsOf(block);
    Reason reason = atEnd_[block];
    std::uint32_t to = c_.flow.blocks[block].end;
    for (auto e = end; e != begin;) {
      --e;
      addRow(e->step + 1, to, reason, born(begin, e + 1, block));
      const Reason before = across(*e, reason, 0);
      addRow(e->step, e->step + 1, before.live() ? before : reason, born(begin, before.live() ? e : e + 1, block));
      reason = before;
      to = e->step;
    }
    addRow(c_.flow.blocks[block].begin, to, reason, bornAtStart_[block]);
  }
  [[nodiscard]] std::uint32_t born(EventIt begin, EventIt end, std::uint32_t block) const {
    while (end != begin)
      if ((--end)->kill)
        return end->step;
    return bornAtStart_[block];
  }
  void addRow(std::uint32_t from, std::uint32_t to, const Reason &reason, std::uint32_t born) {
    if (from >= to || !reason.live())
      return;
    LiveExplanation row;
    row.var = var_;
    row.steps = {StepIndex(from), StepIndex(to)};
    const auto step = [](std::uint32_t s) { return s == kNone ? StepIndex() : StepIndex(s); };
    row.born = step(born);
    row.read = step(reason.read);
    if (reason.failed != kNone) {
      const Event &failed = events_[reason.failed];
      row.failedKill = StepIndex(failed.step);
      row.firstMissed = failed.firstMissed;
      row.numMissed = failed.numMissed;
    }
    row.carrier = reason.carrier;
    row.carriedBy = step(reason.carriedBy);
    out_.rows.push_back(row);
  }
  void sortRows() {
    std::sort(out_.rows.begin(), out_.rows.end(),
              [](const LiveExplanation &a, const LiveExplanation &b) { return a.steps.begin < b.steps.begin; });
  }
  // Asks the first `count` rows, which are sorted.
  [[nodiscard]] bool isExplained(std::uint32_t step, std::size_t count) const {
    const auto end = out_.rows.begin() + static_cast<std::ptrdiff_t>(count);
    const auto after = std::upper_bound(out_.rows.begin(), end, StepIndex(step),
                                        [](StepIndex s, const LiveExplanation &row) { return s < row.steps.begin; });
    return after != out_.rows.begin() && StepIndex(step) < (after - 1)->steps.end;
  }
  void joinEqualRows() {
    std::size_t kept = 0;
    for (const LiveExplanation &row : out_.rows) {
      LiveExplanation *last = kept == 0 ? nullptr : &out_.rows[kept - 1];
      if (last != nullptr && last->steps.end == row.steps.begin && last->born == row.born && last->read == row.read &&
          last->failedKill == row.failedKill && last->carrier == row.carrier && last->carriedBy == row.carriedBy)
        last->steps.end = row.steps.end;
      else
        out_.rows[kept++] = row;
    }
    out_.rows.resize(kept);
  }

  const ExplainContext &c_;
  VarId var_;
  std::vector<Event> events_;
  std::vector<Reason> atEnd_;               // by block
  std::vector<std::uint32_t> bornAtStart_;  // by block: step, or kNone
  VariableExplanation out_;
};

} // namespace

ExplainContext::ExplainContext(const StepProgram &p)
    : program(p), flow(buildFlowGraph(p)), table(collectAccesses(p)), firstNext(flow.blocks.size() + 1, 0),
      next(flow.preds.size()), loopOf(p.steps.size(), kNone) {
  for (const std::uint32_t from : flow.preds)
    ++firstNext[from + 1];
  for (std::size_t b = 0; b < flow.blocks.size(); ++b)
    firstNext[b + 1] += firstNext[b];
  std::vector<std::uint32_t> at(firstNext.begin(), firstNext.end() - 1);
  for (std::uint32_t b = 0; b < flow.blocks.size(); ++b)
    for (std::uint32_t i = flow.firstPred[b]; i < flow.firstPred[b + 1]; ++i)
      next[at[flow.preds[i]]++] = b;
  for (std::uint32_t s = 0; s < p.steps.size(); ++s) // inner loops come later and overwrite
    if (const Step &step = p.steps.raw()[s]; step.kind == StepKind::Repeat || step.kind == StepKind::RepeatWhile)
      std::fill(loopOf.begin() + s + 1, loopOf.begin() + step.end, s);
}

VariableExplanation explainVariable(const ExplainContext &context, VarId var) { return Explainer(context, var).explain(); }

} // namespace popscope
