#include "liveness/explain/ExplainLiveness.hpp"

#include "base/HashIndex.hpp"
#include "base/Parallel.hpp"
#include "liveness/explain/ExactLiveness.hpp"
#include "liveness/explain/MeasureTiles.hpp"
#include "liveness/explain/PlaceUndefs.hpp"
#include "liveness/explain/WalkReasons.hpp"

#include <algorithm>
#include <map>

namespace popscope {
namespace {

constexpr std::size_t kExplainedPerTask = 256; // variables per task
constexpr std::size_t kTasksOfThread = 16;     // minimum number of tasks per thread, because the explorer of a thread
                                               // has tables over all blocks

bool heldByNature(const StepVar &var) {
  return var.category != StorageCategory::Rearrangement &&
         (var.constant || var.category == StorageCategory::Constant || isSystemCategory(var.category));
}

/// The results of one task, for consecutive variables.
struct OfVariables {
  VariableExplanation why; // firstMissed is an index in this `missed`
  std::vector<FalseLive> falseLive;
  std::vector<UndefCandidate> candidates;

  /// Adds the explanation of a variable. The explanation may have been computed for another variable.
  void add(VarId var, const VariableExplanation &one, const LiveRanges &ranges, bool plainLives) {
    const auto firstMissed = static_cast<std::uint32_t>(why.missed.size());
    for (LiveExplanation row : one.rows) {
      row.var = var;
      row.firstMissed += firstMissed;
      if (plainLives || !isPlainLife(row, ranges))
        why.rows.push_back(row);
    }
    why.missed.insert(why.missed.end(), one.missed.begin(), one.missed.end());
  }
};

/// A cache of explanations, because programs access many variables alike. The cache holds only variables that every
/// access covers whole, so the steps and kinds of the accesses are the complete key.
class KnownExplanations {
public:
  /// Returns the cached explanation. Returns null if there is none or if some access is partial.
  const VariableExplanation *find(const ExplainContext &c, VarId var) {
    place_ = nullptr;
    const std::uint32_t first = c.table.first[var.index()], last = c.table.first[var.index() + 1];
    if (last - first > kMaxAccesses)
      return nullptr;
    key_.clear();
    std::uint64_t hash = 0;
    for (std::uint32_t e = first; e < last; ++e) {
      const Access &access = c.program.accesses[c.table.entries[e].access];
      if (access.numRanges != 1 || access.member != 0 || c.program.ranges[access.firstRange].begin != 0 ||
          c.program.ranges[access.firstRange].end != c.program.vars[var].elements)
        return nullptr;
      const std::uint64_t step = c.table.entries[e].step();
      key_.push_back(step << 2U | static_cast<std::uint64_t>(access.kind));
      hash = mixHash(hash, key_.back());
    }
    place_ = &places_[hash >> (64U - kPlacesLog)];
    return place_->key == key_ && !key_.empty() ? &place_->why : nullptr;
  }
  /// Stores the explanation of the variable of the last find(). Does nothing if the cache cannot hold this explanation.
  void keep(const VariableExplanation &why) {
    if (place_ != nullptr)
      *place_ = {key_, why};
  }

private:
  static constexpr std::uint32_t kMaxAccesses = 16;
  static constexpr unsigned kPlacesLog = 10;
  struct Place {
    std::vector<std::uint64_t> key; // steps and kinds of the accesses; empty if the place is free
    VariableExplanation why;
  };
  std::vector<std::uint64_t> key_;
  Place *place_ = nullptr;
  std::vector<Place> places_ = std::vector<Place>(std::size_t(1) << kPlacesLog);
};

// Returns the variable's elements that lie on the tile, ascending.
std::vector<ElementRange> elementsOnTile(const StepProgram &program, const StepVar &var, TileId tile) {
  std::vector<ElementRange> here;
  for (std::uint32_t i = var.firstPiece; i < var.firstPiece + var.numPieces; ++i)
    if (program.homes[program.pieces[i].home].tile == tile)
      here.push_back(program.pieces[i].elements);
  std::sort(here.begin(), here.end(), [](const ElementRange &a, const ElementRange &b) { return a.begin < b.begin; });
  return here;
}

// Returns the number of elements that both lists contain. Both lists must ascend.
std::uint64_t commonElements(const std::vector<ElementRange> &few, const std::vector<ElementRange> &ranges) {
  std::uint64_t count = 0;
  for (const ElementRange &one : few)
    for (auto range = std::upper_bound(ranges.begin(), ranges.end(), one.begin,
                                       [](std::uint64_t e, const ElementRange &r) { return e < r.end; });
         range != ranges.end() && range->begin < one.end; ++range)
      count += std::min(range->end, one.end) - std::max(range->begin, one.begin);
  return count;
}

// Returns the steps at which bytes of the variable are live only by the array rule, with the number of these bytes.
// This number is the bytes that are live by the array rule, minus the bytes of the live groups. Sums up changes at
// steps, and corrects the sum for homes with their own lives.
std::vector<FalseLive> falselyLive(const StepProgram &program, const LiveRanges &ranges, VarId var,
                                   const std::vector<ElementGroup> &groups, TileId tile) {
  std::vector<FalseLive> out;
  if (groups.empty())
    return out;
  struct Change {
    std::int64_t bytes = 0, onTile = 0;
  };
  std::map<std::uint32_t, Change> changes; // per step
  const StepVar &info = program.vars[var];
  const auto size = static_cast<std::int64_t>(elementBytes(info.type));
  const auto add = [&](StepIndex begin, StepIndex end, std::int64_t bytes, std::int64_t onTile) {
    changes[begin.index()].bytes += bytes;
    changes[begin.index()].onTile += onTile;
    changes[end.index()].bytes -= bytes;
    changes[end.index()].onTile -= onTile;
  };
  std::int64_t allOnTile = 0;
  const std::vector<ElementRange> here = elementsOnTile(program, info, tile);
  for (const ElementGroup &group : groups) {
    const std::int64_t bytes = static_cast<std::int64_t>(group.numElements) * size;
    const std::int64_t onTile = static_cast<std::int64_t>(commonElements(here, group.elements)) * size;
    allOnTile += onTile;
    for (const StepInterval &i : group.live)
      add(i.begin, i.end, -bytes, -onTile);
  }
  for (const StepInterval &i : ranges.intervalsOf(ranges.live[var]))
    add(i.begin, i.end, static_cast<std::int64_t>(info.elements) * size, allOnTile);
  for (std::uint32_t h = info.firstHome; ranges.split[var] != 0 && h < info.firstHome + info.numHomes; ++h)
    // the home is live at other steps than its variable
    if (const HomeLife *const own = ranges.homeLife(var, HomeId(h))) {
      const auto bytes = static_cast<std::int64_t>(program.homeBytes(own->home).count());
      const std::int64_t onTile = program.homes[own->home].tile == tile ? bytes : 0;
      for (const StepInterval &i : ranges.intervalsOf(ranges.live[var]))
        add(i.begin, i.end, -bytes, -onTile);
      for (const StepInterval &i : ranges.intervalsOf(own->live))
        add(i.begin, i.end, bytes, onTile);
    }
  Change now;
  for (auto c = changes.begin(); c != changes.end(); ++c) {
    now.bytes += c->second.bytes;
    now.onTile += c->second.onTile;
    if (now.bytes > 0)
      out.push_back({var, {StepIndex(c->first), StepIndex(std::next(c)->first)}, Bytes(now.bytes), Bytes(now.onTile)});
  }
  return out;
}

void findWorstTile(const StepProgram &program, const LiveRanges &ranges, Threads threads, LivenessAdvice &advice) {
  const std::vector<TilePeak> peaks = peakOfTiles(program, ranges, threads);
  for (std::uint32_t t = 0; t < peaks.size(); ++t)
    if (t == 0 || peaks[t].bytes > advice.worstPeak) {
      advice.worstTile = TileId(t);
      advice.worstPeak = peaks[t].bytes;
      advice.worstStep = peaks[t].step;
    }
}

} // namespace

// Explains all variables in parallel tasks, and joins the results in the order of variables. Then counts the false-live
// bytes at the worst tile's peak, and measures the placements.
LivenessAdvice explainLiveness(const StepProgram &program, const LiveRanges &ranges, const ExplainOptions &options) {
  LivenessAdvice advice;
  findWorstTile(program, ranges, options.threads, advice);
  if (program.steps.empty())
    return advice;
  const ExplainContext context(program, options.threads, options.accesses);
  const std::size_t numTasks = (program.vars.size() + kExplainedPerTask - 1) / kExplainedPerTask;
  std::vector<OfVariables> results(numTasks);
  parallelRanges(options.threads, numTasks, kTasksOfThread, [&](std::size_t firstTask, std::size_t endTask) {
    VariableExplorer explorer(context.flow);
    ReasonWalk walk(context);
    KnownExplanations known;
    for (std::size_t task = firstTask; task < endTask; ++task) {
      OfVariables &out = results[task];
      const std::size_t end = std::min(program.vars.size(), (task + 1) * kExplainedPerTask);
      for (std::size_t v = task * kExplainedPerTask; v < end; ++v) {
        const VarId var = program.vars.idAt(v);
        if (heldByNature(program.vars[var]) || ranges.live[var] == LiveClassId(0))
          continue;
        if (const VariableExplanation *same = known.find(context, var)) { // the cached variable has no groups, so
                                                                          // nothing is false-live
          out.add(var, *same, ranges, options.plainLives);
          continue;
        }
        const VariableExplanation why = explainVariable(context, walk, var);
        known.keep(why);
        out.add(var, why, ranges, options.plainLives);
        const std::vector<ElementGroup> groups = groupElements(context, var, explorer);
        const auto falseLive = falselyLive(program, ranges, var, groups, advice.worstTile);
        out.falseLive.insert(out.falseLive.end(), falseLive.begin(), falseLive.end());
        const auto candidates = undefCandidates(context, ranges, var, groups);
        out.candidates.insert(out.candidates.end(), candidates.begin(), candidates.end());
      }
    }
  });
  std::vector<UndefCandidate> candidates;
  for (const OfVariables &r : results) {
    const auto firstMissed = static_cast<std::uint32_t>(advice.missed.size());
    for (LiveExplanation row : r.why.rows) {
      row.firstMissed += firstMissed;
      advice.explanations.push_back(row);
    }
    advice.missed.insert(advice.missed.end(), r.why.missed.begin(), r.why.missed.end());
    advice.falseLive.insert(advice.falseLive.end(), r.falseLive.begin(), r.falseLive.end());
    candidates.insert(candidates.end(), r.candidates.begin(), r.candidates.end());
  }
  for (const FalseLive &f : advice.falseLive)
    if (f.steps.begin <= advice.worstStep && advice.worstStep < f.steps.end)
      advice.falseLiveAtPeak += f.bytesOnWorstTile;
  measureUndefs(program, ranges, candidates, options.maxPlacementsTried, options.threads, advice);
  return advice;
}

} // namespace popscope
