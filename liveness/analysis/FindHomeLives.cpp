#include "liveness/analysis/FindHomeLives.hpp"

#include "base/HashIndex.hpp"
#include "liveness/analysis/ShareLives.hpp"
#include "liveness/analysis/VariableFlow.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace popscope {
namespace {

using Entry = AccessTable::Entry;
using Intervals = std::vector<StepInterval>;

constexpr std::size_t kSplitTogether = 4096;

void append(Intervals &to, StepIndex begin, StepIndex end) {
  if (begin >= end)
    return;
  if (!to.empty() && to.back().end == begin)
    to.back().end = end;
  else
    to.push_back({begin, end});
}

/// The first and the last step of each source.
class SourceSteps {
public:
  SourceSteps(const StepProgram &program, const FlowGraph &flow) : of_(program.sources.size()) {
    for (std::uint32_t s = 0; s < flow.steps.size(); ++s)
      if (const std::uint32_t source = flow.steps[s].source; source < of_.size()) {
        of_[source].first = std::min(of_[source].first, s);
        of_[source].last = s;
      }
  }
  /// Two steps, both inclusive.
  struct FirstLast {
    std::uint32_t first = kNoBlock, last = 0;
  };
  [[nodiscard]] bool isSource(std::uint32_t source) const { return source < of_.size(); }
  /// Returns the first and last step of the source. Without a source, returns the step as both.
  [[nodiscard]] FirstLast of(std::uint32_t step, std::uint32_t source) const {
    return isSource(source) ? of_[source] : FirstLast{step, step};
  }

private:
  std::vector<FirstLast> of_;
};

/// Adds up the accesses of one member of a source to one home, in the order of their steps.
class MemberOnHome {
public:
  MemberOnHome(const AccessContext &context, const StepVar &var, HomeId home)
      : c_(context), var_(var), home_(home), elements_(context.program.homes[home].elements) {}

  void add(std::uint32_t access, std::uint32_t step, std::uint64_t elements) {
    if (c_.program.accesses[access].kind == AccessKind::Read) {
      firstRead_ = std::min(firstRead_, step);
      return;
    }
    writes_.push_back(access);
    written_ += elements; // an upper bound of the elements covered
    if (covering_ == kNoBlock && step <= firstRead_ && (elements == elements_ || (written_ >= elements_ && covers())))
      covering_ = step;
  }
  [[nodiscard]] std::uint32_t firstRead() const { return firstRead_; }
  /// Returns the first step by which the member has written the whole home, provided that no earlier step of the member
  /// has read the home. Otherwise returns kNoBlock.
  [[nodiscard]] std::uint32_t covering() const { return covering_; }

private:
  [[nodiscard]] bool covers() const {
    const StepProgram &p = c_.program;
    Ranges all;
    for (const std::uint32_t access : writes_)
      all.insert(all.end(), p.ranges.begin() + p.accesses[access].firstRange,
                 p.ranges.begin() + p.accesses[access].firstRange + p.accesses[access].numRanges);
    std::sort(all.begin(), all.end(), [](const ElementRange &a, const ElementRange &b) { return a.begin < b.begin; });
    std::uint64_t covered = 0;
    for (std::uint32_t i = var_.firstPiece; i < var_.firstPiece + var_.numPieces; ++i)
      if (p.pieces[i].home == home_)
        covered += common(all, p.pieces[i].elements);
    return covered >= elements_;
  }
  using Ranges = std::vector<ElementRange>;
  /// Returns the number of elements of `one` that `ranges`, sorted by their begins, also contain.
  static std::uint64_t common(const Ranges &ranges, const ElementRange &one) {
    std::uint64_t count = 0, reached = one.begin;
    for (const ElementRange &r : ranges) {
      if (r.begin >= one.end)
        break;
      const std::uint64_t from = std::max<std::uint64_t>(r.begin, reached);
      const std::uint64_t to = std::min<std::uint64_t>(r.end, one.end);
      count += to > from ? to - from : 0;
      reached = std::max(reached, to);
    }
    return count;
  }

  const AccessContext &c_;
  const StepVar &var_;
  HomeId home_;
  std::uint64_t elements_ = 0, written_ = 0;
  std::vector<std::uint32_t> writes_;
  std::uint32_t firstRead_ = kNoBlock, covering_ = kNoBlock;
};

/// Splits variables into homes with their own lives, one variable after the other. Each task has one splitter.
///
/// Problem: within the steps of one source, a home may be needed for fewer steps than its variable (LiveRanges has the
/// rule). Idea: only sources whose steps treat homes differently matter. Such a source is a Unit. At all other steps, a
/// home has the intervals of its variable. For each unit and home, a Cut replaces the steps of the unit by the interval
/// in which the home is occupied. Invariant: a home never occupies a step that its variable does not occupy. Cost:
/// linear in the accesses of the variable. Units add O(n log n) for n ranges and touched homes.
class HomeSplitter {
public:
  struct Found {
    HomeId home;
    std::uint32_t live, occupied; // indices in `sets`
  };
  HomeSplitter(const AccessContext &context, const FlowGraph &flow, const SourceSteps &sources,
               const LiveRanges &ranges)
      : c_(context), ranges_(ranges), sources_(sources), flow_(context, flow, ranges) {}

  void split(VarId var) {
    const StepVar &info = c_.program.vars[var];
    if (info.numHomes < 2 || ranges_.always[var] != 0)
      return;
    findUnits(var);
    if (units_.empty())
      return;
    touchHomes(info);
    splitHomes(var, info);
  }

  std::vector<Found> found;
  std::vector<Intervals> sets; // without duplicates

private:
  /// The accesses of one source to the variable: entries [begin, end), in the steps [first, last].
  struct Unit {
    std::uint32_t begin, end;
    std::uint32_t first, last;
    bool liveIn, liveOut;
  };
  struct HomeTouch {
    std::uint32_t home, unit, step, access; // `home` counts within the variable
    std::uint64_t elements;
  };
  /// The steps [begin, end) of a unit, and the interval of these steps in which the home is occupied. The interval is
  /// empty if the home is never occupied.
  struct Cut {
    StepIndex begin, end;
    StepInterval occupied;
  };

  [[nodiscard]] const Entry &entry(std::uint32_t at) const { return c_.table.entries[at]; }
  [[nodiscard]] std::uint32_t sourceOf(std::uint32_t at) const { return c_.steps[entry(at).step()].source; }
  [[nodiscard]] bool isWhole(const Entry &e, const StepVar &info) const {
    if (e.kills())
      return true;
    const Access &access = c_.program.accesses[e.access];
    if (access.numRanges != 1)
      return false;
    const ElementRange &range = c_.program.ranges[access.firstRange];
    return range.begin == 0 && range.end >= info.elements;
  }
  /// Returns whether some access at the step touches the whole variable.
  [[nodiscard]] bool touchesAllAt(const Unit &unit, std::uint32_t step, const StepVar &info) const {
    for (std::uint32_t at = unit.begin; at < unit.end; ++at)
      if (entry(at).step() == step && isWhole(entry(at), info))
        return true;
    return false;
  }

  /// Returns whether, at the source's first step, either all homes need their old contents or no home does.
  [[nodiscard]] bool needsAllAlike(const Unit &unit, std::uint32_t first, const StepVar &info) const {
    bool reads = false, readsAll = false;
    for (std::uint32_t at = unit.begin; at < unit.end && entry(at).step() == first; ++at) {
      reads = reads || entry(at).reads();
      readsAll = readsAll || (entry(at).reads() && isWhole(entry(at), info));
    }
    return readsAll || !reads;
  }

  // Finds the sources in which homes may differ from the variable.
  void findUnits(VarId var) {
    units_.clear();
    const StepVar &info = c_.program.vars[var];
    const std::uint32_t last = c_.table.first[var.index() + 1];
    bool started = false;
    std::uint32_t reached = 0; // end of the steps of earlier sources
    for (std::uint32_t at = c_.table.first[var.index()]; at < last;) {
      Unit unit{at, at, 0, 0, false, false};
      while (unit.end < last && sourceOf(unit.end) == sourceOf(at))
        ++unit.end;
      at = unit.end;
      const SourceSteps::FirstLast span = sources_.of(entry(unit.begin).step(), sourceOf(unit.begin));
      unit.first = span.first;
      unit.last = span.last;
      const bool apart = unit.first >= reached; // otherwise sources are interleaved, and homes follow the variable
      if (!apart && !units_.empty() && units_.back().last >= unit.first)
        units_.pop_back();
      reached = std::max(reached, unit.last + 1);
      if (apart && sources_.isSource(sourceOf(unit.begin)) && mayDiffer(var, info, unit, started))
        units_.push_back(unit);
    }
  }
  [[nodiscard]] bool mayDiffer(VarId var, const StepVar &info, Unit &unit, bool &started) {
    const std::uint32_t firstTouch = entry(unit.begin).step(), lastTouch = entry(unit.end - 1).step();
    if (c_.steps[unit.first].run != c_.steps[unit.last].run)
      return false;
    const bool wholeLast = touchesAllAt(unit, lastTouch, info);
    const bool wholeFirst = firstTouch == lastTouch ? wholeLast : touchesAllAt(unit, firstTouch, info);
    if (wholeFirst && wholeLast && needsAllAlike(unit, firstTouch, info))
      return false;
    bool writes = false;
    for (std::uint32_t at = unit.begin; at < unit.end; ++at) {
      writes = writes || !entry(at).reads();
      if (entry(at).undefines())
        return false;
    }
    if (!started)
      flow_.start(var);
    started = true;
    unit.liveIn = flow_.liveIn(unit.first);
    unit.liveOut = flow_.liveOut(unit.last);
    if (!writes)
      return !(unit.liveIn && (unit.liveOut || wholeLast));
    return unit.liveIn || !unit.liveOut || !wholeFirst;
  }

  // Lists the touches of homes, sorted by home, then unit, then step.
  void touchHomes(const StepVar &info) {
    touches_.clear();
    elements_.assign(info.numHomes, 0);
    for (std::uint32_t u = 0; u < units_.size(); ++u)
      for (std::uint32_t at = units_[u].begin; at < units_[u].end; ++at)
        touchBy(info, u, entry(at));
    std::stable_sort(touches_.begin(), touches_.end(),
                     [](const HomeTouch &a, const HomeTouch &b) { return a.home < b.home; });
  }
  void touchBy(const StepVar &info, std::uint32_t unit, const Entry &e) {
    const StepProgram &p = c_.program;
    const Access &access = p.accesses[e.access];
    const auto pieces = std::span<const Piece>(p.pieces.data() + info.firstPiece, info.numPieces);
    auto piece = pieces.begin();
    touched_.clear();
    for (std::uint32_t r = access.firstRange; r < access.firstRange + access.numRanges; ++r) {
      const ElementRange &range = p.ranges[r];
      if (piece != pieces.end() && piece->elements.end <= range.begin) // usually it is the next piece
        piece = std::upper_bound(piece, pieces.end(), std::uint64_t(range.begin),
                                 [](std::uint64_t e2, const Piece &x) { return e2 < x.elements.end; });
      for (auto here = piece; here != pieces.end() && here->elements.begin < range.end; ++here) {
        const std::uint32_t home = here->home.index() - info.firstHome;
        if (elements_[home] == 0)
          touched_.push_back(home);
        elements_[home] += std::min<std::uint64_t>(range.end, here->elements.end) -
                           std::max<std::uint64_t>(range.begin, here->elements.begin);
        piece = here;
      }
    }
    for (const std::uint32_t home : touched_)
      touches_.push_back({home, unit, e.step(), e.access, std::exchange(elements_[home], 0)});
  }

  void splitHomes(VarId var, const StepVar &info) {
    ends_.clear(); // units in which even homes without a touch differ from the variable
    for (std::uint32_t u = 0; u < units_.size(); ++u)
      if (!units_[u].liveIn || !units_[u].liveOut)
        ends_.push_back(u);
    auto touch = touches_.cbegin();
    for (std::uint32_t h = 0; h < info.numHomes; ++h) {
      const HomeId home(info.firstHome + h);
      auto end = ends_.cbegin();
      cuts_.clear();
      while ((touch != touches_.cend() && touch->home == h) || end != ends_.cend()) {
        const bool touched = touch != touches_.cend() && touch->home == h;
        const std::uint32_t u = !touched ? *end : end != ends_.cend() ? std::min(*end, touch->unit) : touch->unit;
        if (end != ends_.cend() && *end == u)
          ++end;
        const auto from = touch;
        while (touch != touches_.cend() && touch->home == h && touch->unit == u)
          ++touch;
        occupy(info, home, units_[u], std::span(from, touch));
      }
      store(var, home);
    }
  }

  // Adds the cut of the unit for one home: the steps at which the home is occupied.
  void occupy(const StepVar &info, HomeId home, const Unit &unit, std::span<const HomeTouch> touches) {
    const StepIndex first(unit.first), pastLast(unit.last + 1);
    Cut cut{first, pastLast, {first, first}};
    if (touches.empty()) {
      if (unit.liveIn && unit.liveOut)
        cut.occupied = {first, pastLast};
    } else {
      const StepIndex touch(touches.front().step), touched(touches.back().step + 1);
      const bool neededBefore = unit.liveIn && needsOldValue(info, home, unit, touches);
      cut.occupied = {neededBefore ? first : touch, unit.liveOut ? pastLast : touched};
    }
    cuts_.push_back(cut);
  }

  // Returns whether the home must keep the contents from before the source until the source's first touch. The home
  // must keep these contents if a member reads them, or if the source does not write all elements and the variable is
  // live-out.
  [[nodiscard]] bool needsOldValue(const StepVar &info, HomeId home, const Unit &unit,
                                   std::span<const HomeTouch> touches) const {
    std::uint32_t read = kNoBlock, covering = kNoBlock; // the minimum over all merged copies
    std::vector<std::uint16_t> members;
    for (const HomeTouch &t : touches)
      if (const std::uint16_t member = c_.program.accesses[t.access].member;
          std::find(members.begin(), members.end(), member) == members.end())
        members.push_back(member);
    for (const std::uint16_t member : members) {
      MemberOnHome one(c_, info, home);
      for (const HomeTouch &t : touches)
        if (c_.program.accesses[t.access].member == member)
          one.add(t.access, t.step, t.elements);
      read = std::min(read, one.firstRead());
      covering = std::min(covering, one.covering());
    }
    return covering == kNoBlock ? read != kNoBlock || unit.liveOut : read <= covering;
  }

  // Stores the variable's intervals for the home. The cuts replace the steps of the units in these intervals.
  void store(VarId var, HomeId home) {
    const auto whole = ranges_.intervalsOf(ranges_.occupied[var]);
    occupied_.clear();
    auto at = whole.begin();
    StepIndex from(0); // the earlier intervals are done
    const auto copyUntil = [&](StepIndex until) {
      for (; at != whole.end() && at->begin < until; ++at) {
        append(occupied_, std::max(at->begin, from), std::min(at->end, until));
        if (at->end > until)
          break;
      }
      from = until;
    };
    for (const Cut &cut : cuts_) {
      copyUntil(cut.begin);
      append(occupied_, cut.occupied.begin, cut.occupied.end);
      from = cut.end;
      while (at != whole.end() && at->end <= from)
        ++at;
    }
    copyUntil(StepIndex(static_cast<std::uint32_t>(c_.program.steps.size())));
    if (std::equal(whole.begin(), whole.end(), occupied_.begin(), occupied_.end()))
      return;
    common(ranges_.intervalsOf(ranges_.live[var]), occupied_, live_);
    const std::uint32_t live = uniqueSets_.numberOf(live_);
    found.push_back({home, live, uniqueSets_.numberOf(occupied_)});
  }
  static void common(std::span<const StepInterval> a, const Intervals &b, Intervals &out) {
    out.clear();
    auto x = a.begin();
    auto y = b.begin();
    while (x != a.end() && y != b.end()) {
      append(out, std::max(x->begin, y->begin), std::min(x->end, y->end));
      if (x->end < y->end)
        ++x;
      else
        ++y;
    }
  }

  const AccessContext &c_;
  const LiveRanges &ranges_;
  const SourceSteps &sources_;
  VariableFlow flow_;
  UniqueRows<Intervals, hashOf> uniqueSets_{sets};
  std::vector<Unit> units_;
  std::vector<HomeTouch> touches_;
  std::vector<std::uint64_t> elements_; // per home: elements of the access at hand
  std::vector<std::uint32_t> touched_, ends_;
  std::vector<Cut> cuts_;
  Intervals occupied_, live_;
};

/// Finds the class of a set of intervals: an existing class with equal intervals, or else a new class.
class ClassIndex {
public:
  explicit ClassIndex(LiveRanges &ranges) : ranges_(ranges) {
    for (std::uint32_t c = 0; c < ranges.classes.size(); ++c)
      index_.numberOf(hashOf(ranges.intervalsOf(LiveClassId(c))), c, [](std::uint32_t) { return false; });
  }
  LiveClassId classOf(const Intervals &intervals) {
    const auto next = static_cast<std::uint32_t>(ranges_.classes.size());
    const std::uint32_t id = index_.numberOf(hashOf(intervals), next, [&](std::uint32_t number) {
      return std::ranges::equal(ranges_.intervalsOf(LiveClassId(number)), intervals);
    });
    if (id == next) {
      ranges_.classes.push_back(
          {static_cast<std::uint32_t>(ranges_.intervals.size()), static_cast<std::uint32_t>(intervals.size())});
      ranges_.intervals.insert(ranges_.intervals.end(), intervals.begin(), intervals.end());
    }
    return LiveClassId(id);
  }

private:
  LiveRanges &ranges_;
  HashIndex index_;
};

// Corrects liveBytes. Before this call, liveBytes counts the homes of homeLives at all steps at which the variables of
// these homes are live.
void takeBytes(const StepProgram &program, LiveRanges &ranges) {
  std::vector<std::int64_t> change(ranges.classes.size(), 0);
  for (const HomeLife &life : ranges.homeLives) {
    const auto bytes = static_cast<std::int64_t>(program.homeBytes(life.home).count());
    change[ranges.live[program.homes[life.home].var].index()] -= bytes;
    change[life.live.index()] += bytes;
  }
  std::vector<std::int64_t> atStep(ranges.liveBytes.size() + 1, 0);
  for (std::uint32_t c = 0; c < change.size(); ++c)
    if (change[c] != 0)
      for (const StepInterval &i : ranges.intervalsOf(LiveClassId(c))) {
        atStep[i.begin.index()] += change[c];
        atStep[i.end.index()] -= change[c];
      }
  std::int64_t now = 0;
  for (std::size_t s = 0; s < ranges.liveBytes.size(); ++s) {
    now += atStep[s];
    ranges.liveBytes[s] =
        Bytes(static_cast<std::uint64_t>(static_cast<std::int64_t>(ranges.liveBytes[s].count()) + now));
  }
}

} // namespace

// Splits the variables in parallel tasks of kSplitTogether variables. Then assigns classes to the results serially, in
// the order of the tasks, so that the classes do not depend on the number of threads.
void findHomeLives(const AccessContext &context, const FlowGraph &flow, Threads threads, LiveRanges &ranges) {
  const StepProgram &program = context.program;
  ranges.split.resize(program.vars.size());
  ranges.homeLives.clear();
  const SourceSteps sources(program, flow);
  struct Result {
    std::vector<HomeSplitter::Found> found;
    std::vector<Intervals> sets;
  };
  std::vector<Result> results((program.vars.size() + kSplitTogether - 1) / kSplitTogether);
  parallelRanges(threads, results.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      HomeSplitter splitter(context, flow, sources, ranges);
      for (std::size_t v = t * kSplitTogether; v < std::min((t + 1) * kSplitTogether, program.vars.size()); ++v)
        splitter.split(program.vars.idAt(v));
      results[t] = {std::move(splitter.found), std::move(splitter.sets)};
    }
  });
  if (std::all_of(results.begin(), results.end(), [](const Result &r) { return r.found.empty(); }))
    return;
  ClassIndex classes(ranges);
  for (const Result &result : results) {
    std::vector<LiveClassId> classOf;
    for (const Intervals &set : result.sets)
      classOf.push_back(classes.classOf(set));
    for (const HomeSplitter::Found &f : result.found) {
      ranges.homeLives.push_back({f.home, classOf[f.live], classOf[f.occupied]});
      ranges.split[program.homes[f.home].var] = 1;
    }
  }
  std::sort(ranges.homeLives.begin(), ranges.homeLives.end(),
            [](const HomeLife &a, const HomeLife &b) { return a.home < b.home; });
  takeBytes(program, ranges);
}

} // namespace popscope
