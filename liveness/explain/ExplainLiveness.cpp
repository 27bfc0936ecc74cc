#include "liveness/explain/ExplainLiveness.hpp"

#include "base/Parallel.hpp"
#include "liveness/explain/ExactLiveness.hpp"
#include "liveness/explain/MeasureTiles.hpp"
#include "liveness/explain/PlaceUndefs.hpp"

#include <algorithm>
#include <map>

namespace popscope {
namespace {

constexpr std::size_t kExplainedPerTask = 64;

bool heldByNature(const StepVar &var) {
  return var.category != StorageCategory::Rearrangement &&
         (var.constant || var.category == StorageCategory::Constant || isSystemCategory(var.category));
}

struct OfVariable {
  VariableExplanation why;
  std::vector<FalseLive> falseLive;
  std::vector<UndefCandidate> candidates;
};

// Elements of sorted `ranges` that lie on the tile.
std::uint64_t elementsOnTile(const StepProgram &program, const StepVar &var, const std::vector<ElementRange> &ranges,
                             TileId tile) {
  std::uint64_t count = 0;
  auto range = ranges.begin();
  for (std::uint32_t i = var.firstPiece; i < var.firstPiece + var.numPieces; ++i) {
    const Piece &piece = program.pieces[i];
    if (program.homes[piece.home].tile != tile)
      continue;
    while (range != ranges.begin() && (range - 1)->end > piece.elements.begin)
      --range;
    for (; range != ranges.end() && range->begin < piece.elements.end; ++range) {
      const std::uint64_t begin = std::max(range->begin, piece.elements.begin),
                          end = std::min(range->end, piece.elements.end);
      count += end > begin ? end - begin : 0;
    }
  }
  return count;
}

// The variable's bytes where the array rule has it live, less those of its live groups.
std::vector<FalseLive> falselyLive(const StepProgram &program, const LiveRanges &ranges, VarId var,
                                   const std::vector<ElementGroup> &groups, TileId tile) {
  std::vector<FalseLive> out;
  if (groups.empty())
    return out;
  struct Change {
    std::int64_t bytes = 0, onTile = 0;
  };
  std::map<std::uint32_t, Change> changes; // by step
  const StepVar &info = program.vars[var];
  const auto size = static_cast<std::int64_t>(elementBytes(info.type));
  const auto add = [&](StepIndex begin, StepIndex end, std::int64_t bytes, std::int64_t onTile) {
    changes[begin.index()].bytes += bytes;
    changes[begin.index()].onTile += onTile;
    changes[end.index()].bytes -= bytes;
    changes[end.index()].onTile -= onTile;
  };
  std::int64_t allOnTile = 0;
  for (const ElementGroup &group : groups) {
    const std::int64_t bytes = static_cast<std::int64_t>(group.numElements) * size;
    const std::int64_t onTile = static_cast<std::int64_t>(elementsOnTile(program, info, group.elements, tile)) * size;
    allOnTile += onTile;
    for (const StepInterval &i : group.live)
      add(i.begin, i.end, -bytes, -onTile);
  }
  const LiveClass &live = ranges.classes[ranges.live[var].index()];
  for (std::uint32_t i = live.firstInterval; i < live.firstInterval + live.numIntervals; ++i)
    add(ranges.intervals[i].begin, ranges.intervals[i].end, static_cast<std::int64_t>(info.elements) * size, allOnTile);
  Change now;
  for (auto c = changes.begin(); c != changes.end(); ++c) {
    now.bytes += c->second.bytes;
    now.onTile += c->second.onTile;
    if (now.bytes > 0)
      out.push_back({var,
                     {StepIndex(c->first), StepIndex(std::next(c)->first)},
                     static_cast<std::uint64_t>(now.bytes),
                     static_cast<std::uint64_t>(now.onTile)});
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

LivenessAdvice explainLiveness(const StepProgram &program, const LiveRanges &ranges, const ExplainOptions &options) {
  LivenessAdvice advice;
  findWorstTile(program, ranges, options.threads, advice);
  if (program.steps.empty())
    return advice;
  const ExplainContext context(program, options.threads);
  std::vector<OfVariable> results(program.vars.size());
  parallelRanges(options.threads, results.size(), kExplainedPerTask, [&](std::size_t begin, std::size_t end) {
    VariableExplorer explorer(context.flow);
    VariableExplainer explainer(context);
    for (std::size_t v = begin; v < end; ++v) {
      const VarId var = program.vars.idAt(v);
      if (heldByNature(program.vars[var]) || ranges.live[var] == LiveClassId(0))
        continue;
      results[v].why = explainer.explain(var);
      const std::vector<ElementGroup> groups = groupElements(context, var, explorer);
      results[v].falseLive = falselyLive(program, ranges, var, groups, advice.worstTile);
      results[v].candidates = undefCandidates(context, ranges, var, groups);
    }
  });
  std::vector<UndefCandidate> candidates;
  for (const OfVariable &r : results) {
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
