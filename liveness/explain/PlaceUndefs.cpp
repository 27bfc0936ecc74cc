#include "liveness/explain/PlaceUndefs.hpp"

#include "base/Parallel.hpp"
#include "base/UniteRanges.hpp"
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/explain/MeasureTiles.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace popscope {
namespace {

// Returns whether some group is live-in at the step.
bool anyLiveBefore(const std::vector<ElementGroup> &groups, std::uint32_t step) {
  return std::any_of(groups.begin(), groups.end(),
                     [&](const ElementGroup &g) { return liveBefore(step, g.live, g.events); });
}

// Returns the step's parent, or no value for roots.
std::optional<std::uint32_t> parentOf(const StepProgram &program, std::uint32_t step) {
  const auto &steps = program.steps.raw();
  for (std::uint32_t p = step; p-- > 0;)
    if (steps[p].end > step)
      return p;
  return std::nullopt;
}

std::vector<StepInterval> union_(const std::vector<ElementGroup> &groups) {
  std::vector<StepInterval> all;
  for (const ElementGroup &group : groups)
    all.insert(all.end(), group.live.begin(), group.live.end());
  uniteRanges(all);
  return all;
}

Bytes bytesOnTile(const StepProgram &program, VarId var, TileId tile) {
  const StepVar &info = program.vars[var];
  for (std::uint32_t h = info.firstHome; h < info.firstHome + info.numHomes; ++h)
    if (program.homes[HomeId(h)].tile == tile)
      return program.homeBytes(HomeId(h));
  return {};
}

StepProgram livenessParts(const StepProgram &p) {
  StepProgram out;
  out.numTiles = p.numTiles;
  out.tilesPerIpu = p.tilesPerIpu;
  out.vars = p.vars;
  out.homes = p.homes;
  out.pieces = p.pieces;
  out.root = p.root;
  out.functions = p.functions;
  out.accesses = p.accesses;
  out.ranges = p.ranges;
  out.sources = p.sources;
  out.switches = p.switches;
  out.repeats = p.repeats;
  out.calls = p.calls;
  return out;
}

} // namespace

// Walks over each interval of the variable's life and finds maximal runs of steps at which no group is live. In each
// run, the last possible place is a candidate: before the end of the run, but not inside a source.
std::vector<UndefCandidate> undefCandidates(const ExplainContext &context, const LiveRanges &ranges, VarId var,
                                            const std::vector<ElementGroup> &groups) {
  std::vector<UndefCandidate> out;
  if (groups.empty())
    return out;
  const auto &steps = context.program.steps.raw();
  const std::vector<StepInterval> exact = union_(groups);
  for (const StepInterval &live : ranges.intervalsOf(ranges.live[var])) {
    const std::uint32_t end = live.end.index();
    for (std::uint32_t from = live.begin.index(); from < end;) {
      if (contains(exact, StepIndex(from))) {
        ++from;
        continue;
      }
      std::uint32_t to = from; // false-live steps are [from, to)
      while (to < end && !contains(exact, StepIndex(to)))
        ++to;
      std::uint32_t before = to;
      while (before > from && before < steps.size() && steps[before].source.valid() &&
             steps[before - 1].source == steps[before].source)
        --before;
      const auto parent = before < end && before > from ? parentOf(context.program, before) : std::nullopt;
      if (parent && steps[*parent].kind == StepKind::Sequence && !anyLiveBefore(groups, before) &&
          context.flow.blockOf[before] != FlowGraph::kNone)
        out.push_back({var, StepIndex(before), {StepIndex(from), StepIndex(before)}});
      from = to;
    }
  }
  return out;
}

bool mayUndef(const ExplainContext &context, VarId var, StepIndex before) {
  const auto &steps = context.program.steps.raw();
  const std::uint32_t at = before.index();
  if (at == 0 || (steps[at].source.valid() && steps[at - 1].source == steps[at].source))
    return false;
  const auto parent = parentOf(context.program, at);
  if (!parent || steps[*parent].kind != StepKind::Sequence || context.flow.blockOf[at] == FlowGraph::kNone)
    return false;
  VariableExplorer explorer(context.flow);
  std::vector<ElementGroup> groups = groupElements(context, var, explorer);
  if (groups.empty()) // every access covers the whole variable
    groups.push_back(wholeGroup(context, var, explorer));
  return !anyLiveBefore(groups, at);
}

namespace {

/// Copies the steps of `program` to `out`, with the WriteUndef steps inserted. `out` must be a copy of `program`, or of
/// parts of it, without steps.
void insertUndefs(const StepProgram &program, std::vector<std::pair<VarId, StepIndex>> undefs, bool whole,
                  StepProgram &out) {
  std::sort(undefs.begin(), undefs.end(), [](const auto &a, const auto &b) {
    return a.second != b.second ? a.second < b.second : a.first < b.first;
  });
  // A step moves by the number of insertions at or before it. A subtree's end moves by the number of insertions before
  // it.
  const auto moved = [&](std::uint32_t step) {
    return step + static_cast<std::uint32_t>(std::upper_bound(undefs.begin(), undefs.end(), StepIndex(step),
                                                              [](StepIndex s, const auto &u) { return s < u.second; }) -
                                             undefs.begin());
  };
  const auto movedEnd = [&](std::uint32_t end) {
    return end + static_cast<std::uint32_t>(std::lower_bound(undefs.begin(), undefs.end(), StepIndex(end),
                                                             [](const auto &u, StepIndex s) { return u.second < s; }) -
                                            undefs.begin());
  };
  std::size_t next = 0;
  for (std::uint32_t s = 0; s < program.steps.size(); ++s) {
    for (; next < undefs.size() && undefs[next].second.index() == s; ++next) {
      Step undef;
      undef.kind = StepKind::WriteUndef;
      undef.firstAccess = static_cast<std::uint32_t>(out.accesses.size());
      undef.numAccesses = 1;
      undef.end = static_cast<std::uint32_t>(out.steps.size()) + 1;
      out.accesses.push_back(
          {undefs[next].first, AccessKind::Undef, 0, static_cast<std::uint32_t>(out.ranges.size()), 1});
      out.ranges.push_back({0, program.vars[undefs[next].first].elements});
      if (whole)
        undef.name = program.vars[undefs[next].first].name;
      out.steps.push(undef);
      if (!program.contexts.empty() && whole)
        out.contexts.push_back(0);
    }
    if (!program.contexts.empty() && whole)
      out.contexts.push_back(program.contexts[s]);
    Step step = program.steps.raw()[s];
    step.end = movedEnd(step.end);
    out.steps.push(step);
  }
  out.root = StepIndex(moved(program.root.index()));
  for (auto &function : out.functions)
    function.root = StepIndex(moved(function.root.index()));
  for (EngineProgram &one : out.programs)
    one.root = StepIndex(moved(one.root.index()));
  for (StepContext &context : out.moreContexts)
    context.step = StepIndex(moved(context.step.index()));
  for (StepStorage &storage : out.storage)
    storage.step = StepIndex(moved(storage.step.index()));
}

} // namespace

// Returns the program with the WriteUndef steps, reduced to the tables that liveness reads.
StepProgram withUndefs(const StepProgram &program, std::vector<std::pair<VarId, StepIndex>> undefs) {
  StepProgram out = livenessParts(program);
  insertUndefs(program, std::move(undefs), false, out);
  return out;
}

StepProgram withUndefSteps(const StepProgram &program, std::vector<std::pair<VarId, StepIndex>> undefs) {
  StepProgram out = program;
  out.steps = {};
  out.contexts.clear();
  insertUndefs(program, std::move(undefs), true, out);
  return out;
}

namespace {

using PeakOfProgram = std::function<Bytes(const StepProgram &, const LiveRanges &)>;

/// Marks a minimal subset of the placements that still gives the peak `peak`, measured by `peakOf`. Tries once to leave
/// out each placement, beginning with the last. Each trial costs one analysis.
void markLeast(const StepProgram &program, Bytes peak, Threads threads, const PeakOfProgram &peakOf,
               std::vector<UndefPlacement> &all) {
  for (UndefPlacement &p : all)
    p.together = true;
  for (std::size_t i = all.size(); i-- > 0;) {
    all[i].together = false;
    std::vector<std::pair<VarId, StepIndex>> others;
    for (const UndefPlacement &p : all)
      if (p.together)
        others.emplace_back(p.var, p.before);
    const StepProgram changed = withUndefs(program, others);
    all[i].together = peakOf(changed, analyseLiveness(changed, {threads})) != peak;
  }
}

} // namespace

// Ranks candidates by the bytes that they may free at the worst tile's peak, then by steps. Applies each of the first
// `limit` candidates alone, in parallel, and measures the peaks again. Last, applies these candidates together. If all
// together save more than the best single candidate, reduces the set to a minimal one. First compares the savings on
// the worst tile. If all candidates together save no more on this tile than the best single candidate, compares the
// savings on all tiles.
void measureUndefs(const StepProgram &program, const LiveRanges &ranges, const std::vector<UndefCandidate> &candidates,
                   std::uint32_t limit, Threads threads, LivenessAdvice &advice) {
  struct Ranked {
    UndefCandidate candidate;
    Bytes atPeak;
    std::uint64_t steps;
  };
  std::vector<Ranked> ranked;
  for (const UndefCandidate &c : candidates) {
    const bool peak = c.freed.begin <= advice.worstStep && advice.worstStep < c.freed.end;
    ranked.push_back({c, peak ? bytesOnTile(program, c.var, advice.worstTile) : Bytes(),
                      std::uint64_t(c.freed.end.index()) - c.freed.begin.index()});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked &a, const Ranked &b) {
    return a.atPeak != b.atPeak ? a.atPeak > b.atPeak : a.steps > b.steps;
  });
  advice.candidates = static_cast<std::uint32_t>(ranked.size());
  advice.tried = std::min(limit, advice.candidates);
  const Bytes device = peakOfDevice(ranges);
  std::vector<UndefPlacement> measured(advice.tried);
  parallelFor(threads, measured.size(), [&](std::size_t i) {
    const UndefCandidate &c = ranked[i].candidate;
    const StepProgram changed = withUndefs(program, {{c.var, c.before}});
    const LiveRanges after = analyseLiveness(changed, {threads});
    measured[i] = {c.var, c.before,
                   advice.worstPeak - std::min(advice.worstPeak, peakOfTile(changed, after, advice.worstTile).bytes),
                   device - std::min(device, peakOfDevice(after))};
  });
  std::stable_sort(measured.begin(), measured.end(), [](const UndefPlacement &a, const UndefPlacement &b) {
    if (a.savedOnWorstTile != b.savedOnWorstTile)
      return a.savedOnWorstTile > b.savedOnWorstTile;
    return a.savedOnDevice != b.savedOnDevice ? a.savedOnDevice > b.savedOnDevice : a.before < b.before;
  });
  advice.worstPeakAfterAll = advice.worstPeak;
  if (measured.empty())
    return;
  std::vector<std::pair<VarId, StepIndex>> all;
  for (const UndefPlacement &p : measured)
    all.emplace_back(p.var, p.before);
  const StepProgram changed = withUndefs(program, all);
  const LiveRanges after = analyseLiveness(changed, {threads});
  const PeakOfProgram ofWorstTile = [&](const StepProgram &p, const LiveRanges &r) {
    return peakOfTile(p, r, advice.worstTile).bytes;
  };
  const PeakOfProgram ofDevice = [](const StepProgram &, const LiveRanges &r) { return peakOfDevice(r); };
  advice.worstPeakAfterAll = ofWorstTile(changed, after);
  Bytes bestOnDevice;
  for (const UndefPlacement &p : measured)
    bestOnDevice = std::max(bestOnDevice, p.savedOnDevice);
  if (advice.worstPeakAfterAll + measured.front().savedOnWorstTile < advice.worstPeak)
    markLeast(program, advice.worstPeakAfterAll, threads, ofWorstTile, measured);
  else if (peakOfDevice(after) + bestOnDevice < device)
    markLeast(program, peakOfDevice(after), threads, ofDevice, measured);
  std::copy_if(measured.begin(), measured.end(), std::back_inserter(advice.placements),
               [](const UndefPlacement &p) { return p.together || p.savesAlone(); });
}

} // namespace popscope
