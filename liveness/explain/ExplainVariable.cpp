#include "liveness/explain/ExplainVariable.hpp"

#include "base/UniteRanges.hpp"
#include "liveness/explain/WalkReasons.hpp"

#include <algorithm>

namespace popscope {
namespace {

class Explainer {
public:
  Explainer(const ExplainContext &context, ReasonWalk &walk, VarId var) : c_(context), walk_(walk), var_(var) {
    collectEvents();
  }

  VariableExplanation explain() {
    walk_.walk(events_);
    for (const std::uint32_t b : walk_.blocks())
      if (c_.flow.blocks[b].begin < c_.flow.blocks[b].end && !walk_.isEcho(b))
        addRows(b);
    sortRows();
    const std::size_t firstVisits = out_.rows.size();
    for (const std::uint32_t b : walk_.blocks()) // at a Repeat, the variable may be live only at the second visit
      if (walk_.isEcho(b) && !isExplained(c_.flow.blocks[b].begin, firstVisits))
        addRows(b);
    sortRows();
    joinEqualRows();
    return std::move(out_);
  }

private:
  void collectEvents() {
    VariableAccesses accesses;
    interpretAccesses(c_.accesses, var_, accesses);
    for (const AccessEvent &e : accesses.events)
      events_.push_back({e.step, e.read, e.kill, e.kill, false, 0, 0});
    const std::size_t known = events_.size();
    const std::uint32_t last = c_.table.first[var_.index() + 1];
    for (std::uint32_t at = c_.table.first[var_.index()]; at < last;) {
      const SourceGroup group = sourceGroup(c_.accesses, at, last);
      if (const std::uint32_t whole = coveringStep(c_.accesses, group, var_); whole != SourceGroup::kNever)
        eventAt(whole, known).whole = true;
      else if (group.writes())
        addPart(group, known);
      at = group.end;
    }
    std::sort(events_.begin(), events_.end(),
              [](const ReasonEvent &a, const ReasonEvent &b) { return a.step < b.step; });
  }

  void addPart(const SourceGroup &group, std::size_t known) {
    std::vector<ElementRange> written;
    for (std::uint32_t e = group.begin; e < group.end; ++e)
      if (c_.accesses.kindOf(c_.table.entries[e]) == AccessKind::Write) {
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
    ReasonEvent &event = eventAt(group.lastWrite, known);
    event.part = true;
    event.firstMissed = first;
    event.numMissed = static_cast<std::uint32_t>(out_.missed.size()) - first;
  }
  // Returns the event of the step. Searches the first `known` events, which are sorted; if none belongs to the step,
  // adds a new event.
  ReasonEvent &eventAt(std::uint32_t step, std::size_t known) {
    const auto end = events_.begin() + static_cast<std::ptrdiff_t>(known);
    const auto at =
        std::lower_bound(events_.begin(), end, step, [](const ReasonEvent &e, std::uint32_t s) { return e.step < s; });
    ReasonEvent &event = at != end && at->step == step ? *at : events_.emplace_back();
    event.step = step;
    return event;
  }

  void addRows(std::uint32_t block) {
    const auto [begin, end] = walk_.eventsOf(block);
    born_.assign(1, walk_.bornAtStart(block));
    for (auto e = begin; e != end; ++e)
      born_.push_back(e->whole ? e->step : born_.back());
    Reason reason = walk_.atEnd(block);
    std::uint32_t to = c_.flow.blocks[block].end;
    for (auto e = end; e != begin;) {
      --e;
      const auto before = static_cast<std::size_t>(e - begin);
      addRow(e->step + 1, to, reason, born_[before + 1]);
      const Reason across = walk_.across(*e, reason, 0);
      addRow(e->step, e->step + 1, across.live() ? across : reason, born_[across.live() ? before : before + 1]);
      reason = across;
      to = e->step;
    }
    addRow(c_.flow.blocks[block].begin, to, reason, walk_.bornAtStart(block));
  }
  void addRow(std::uint32_t from, std::uint32_t to, const Reason &reason, std::uint32_t born) {
    if (from >= to || !reason.live())
      return;
    LiveExplanation row;
    row.var = var_;
    row.steps = {StepIndex(from), StepIndex(to)};
    const auto step = [](std::uint32_t s) { return s == kNoBlock ? StepIndex() : StepIndex(s); };
    row.born = step(born);
    row.read = step(reason.read);
    if (reason.failed != kNoBlock) {
      const ReasonEvent &failed = events_[reason.failed];
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
  // Returns whether one of the first `count` rows contains the step. These rows must be sorted.
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
  ReasonWalk &walk_;
  VarId var_;
  std::vector<ReasonEvent> events_;
  std::vector<std::uint32_t> born_; // in one block, the step of the last full write before each event; the last entry
                                    // is for the end of the block
  VariableExplanation out_;
};

} // namespace

ExplainContext::ExplainContext(const StepProgram &p, Threads threads, const AccessTable *known)
    : program(p), flow(buildFlowGraph(p)), collected(known == nullptr ? collectAccesses(p, threads) : AccessTable()),
      table(known == nullptr ? collected : *known), accesses{p, table, flow.steps}, passes(flow),
      next(flow.blocks.size(),
           [&](const auto &use) {
             for (std::uint32_t b = 0; b < flow.blocks.size(); ++b)
               for (const std::uint32_t pred : flow.preds[b])
                 use(pred, b);
           }),
      callFrom(flow.blocks.size(), kNoBlock), loopOf(p.steps.size(), kNoBlock) {
  for (std::uint32_t c = 0; c < flow.calls.size(); ++c)
    callFrom[flow.calls[c].block] = c;
  for (std::uint32_t s = 0; s < p.steps.size(); ++s) // inner loops come later and overwrite outer ones
    if (const Step &step = p.steps.raw()[s];
        (step.kind == StepKind::Repeat && !repeatsOnce(p, step)) || step.kind == StepKind::RepeatWhile)
      std::fill(loopOf.begin() + s + 1, loopOf.begin() + step.end, s);
}

VariableExplanation explainVariable(const ExplainContext &context, ReasonWalk &walk, VarId var) {
  return Explainer(context, walk, var).explain();
}

} // namespace popscope
