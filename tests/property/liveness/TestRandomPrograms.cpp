// Analysis and layout of random programs pass their independent checkers, and do not depend on the number of threads.
#include "base/Parallel.hpp"
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "liveness/check/DenseLiveness.hpp"
#include "liveness/explain/ExactLiveness.hpp"
#include "liveness/explain/ExplainLiveness.hpp"
#include "liveness/layout/PlaceAllocations.hpp"
#include "tests/property/liveness/RandomSteps.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

using namespace popscope;
using popscope::testing::RandomOptions;
using popscope::testing::randomSteps;
using popscope::testing::smallMachine;

namespace {

void expectNone(const std::vector<std::string> &findings, std::uint32_t seed) {
  for (std::size_t i = 0; i < std::min<std::size_t>(findings.size(), 3); ++i)
    FAIL_CHECK("seed " << seed << ": " << findings[i]);
}

// Returns all members of an allocation, for comparison.
auto tie(const Allocation &a) {
  return std::make_tuple(StorageCategory(a.category), AllocationRegion(a.region), OwnerKind(a.owner),
                         bool(a.overlapped), a.ownerIndex, a.address, a.bytes, std::uint32_t(a.alignment), a.occupied);
}

// Returns the same program, in which the variable has only this element.
StepProgram onlyElement(StepProgram program, VarId var, std::uint64_t element) {
  for (Access &access : program.accesses) {
    if (access.var != var)
      continue;
    const auto first = program.ranges.begin() + access.firstRange;
    const bool there = std::any_of(first, first + access.numRanges,
                                   [&](const ElementRange &r) { return r.begin <= element && element < r.end; });
    access.firstRange = static_cast<std::uint32_t>(program.ranges.size());
    access.numRanges = there ? 1 : 0;
    program.ranges.push_back({0, 1});
  }
  for (Step &step : program.steps) { // drops accesses without ranges
    std::uint32_t kept = 0;
    for (std::uint32_t a = 0; a < step.numAccesses; ++a)
      if (const Access access = program.accesses[step.firstAccess + a]; access.numRanges != 0)
        program.accesses[step.firstAccess + kept++] = access;
    step.numAccesses = kept;
  }
  program.vars[var].elements = 1;
  return program;
}

bool sameRanges(const LayoutResult &a, const LayoutResult &b) {
  const auto sameTile = [](const TileMemory &x, const TileMemory &y) {
    for (std::size_t c = 0; c < kNumStorageCategories; ++c)
      if (x.category[c] != y.category[c])
        return false;
    return x.excludingGaps == y.excludingGaps && x.includingGaps == y.includingGaps &&
           x.afterOverlapping == y.afterOverlapping && x.lowerBoundOverlapped == y.lowerBoundOverlapped &&
           x.alwaysLiveBytes == y.alwaysLiveBytes && x.maxNotAlwaysLiveBytes == y.maxNotAlwaysLiveBytes;
  };
  return a.firstOfTile == b.firstOfTile && a.tilesOutOfMemory == b.tilesOutOfMemory &&
         a.distinctProblems == b.distinctProblems &&
         std::equal(a.allocations.begin(), a.allocations.end(), b.allocations.begin(), b.allocations.end(),
                    [](const Allocation &x, const Allocation &y) { return tie(x) == tie(y); }) &&
         std::equal(a.tiles.begin(), a.tiles.end(), b.tiles.begin(), b.tiles.end(), sameTile);
}

bool sameRanges(const LiveRanges &a, const LiveRanges &b) {
  return a.intervals == b.intervals && a.live.raw() == b.live.raw() && a.occupied.raw() == b.occupied.raw() &&
         a.always.raw() == b.always.raw() && a.homeLives == b.homeLives && a.split.raw() == b.split.raw() &&
         a.liveBytes == b.liveBytes && a.alwaysLiveBytes == b.alwaysLiveBytes;
}

} // namespace

TEST_SUITE("liveness.property") {
  TEST_CASE("the analysis of random programs equals the dense solution") {
    std::size_t live = 0, always = 0, multiple = 0, homes = 0;
    for (std::uint32_t seed = 1; seed <= 1500; ++seed) {
      const StepProgram program = randomSteps(seed);
      const LiveRanges ranges = analyseLiveness(program);
      homes += ranges.homeLives.size();
      expectNone(checkLiveness(program, ranges), seed);
      for (std::size_t v = 0; v < program.vars.size(); ++v) {
        const LiveClassId c = ranges.live[program.vars.idAt(v)];
        live += c.index() > 1;
        multiple += ranges.classes[c.index()].numIntervals > 1;
        always += ranges.always[program.vars.idAt(v)];
      }
    }
    // The generator must produce many different lives.
    CHECK(live > 1000);
    CHECK(multiple > 300);
    CHECK(always > 300);
    CHECK(homes > 3000); // homes whose lives differ from their variable's
  }

  TEST_CASE("explanations cover exactly the lives, and name reads; false-live bytes stay inside them") {
    std::size_t rows = 0, failed = 0, carried = 0, falseLive = 0;
    for (std::uint32_t seed = 1; seed <= 400; ++seed) {
      const StepProgram program = randomSteps(seed);
      const LiveRanges ranges = analyseLiveness(program);
      const LivenessAdvice advice = explainLiveness(program, ranges);
      const DenseLiveness dense = solveDenseLiveness(program);
      std::vector<std::vector<int>> count(program.steps.size(), std::vector<int>(program.vars.size(), 0));
      for (const LiveExplanation &row : advice.explanations) {
        for (std::uint32_t s = row.steps.begin.index(); s < row.steps.end.index(); ++s)
          ++count[s][row.var.index()];
        const Step &read = program.steps[row.read];
        bool reads = false;
        for (std::uint32_t a = read.firstAccess; a < read.firstAccess + read.numAccesses; ++a)
          reads |= program.accesses[a].var == row.var && program.accesses[a].kind == AccessKind::Read;
        CHECK(reads);
        CHECK(row.failedKill.valid() == (row.numMissed > 0));
        ++rows;
        failed += row.failedKill.valid();
        carried += row.carrier != Carrier::None;
      }
      std::size_t wrong = 0;
      for (std::size_t s = 0; s < program.steps.size(); ++s)
        for (std::size_t v = 0; v < program.vars.size(); ++v)
          if (const StepVar &info = program.vars.raw()[v]; !info.constant)
            wrong += count[s][v] != (dense.live[s][v] ? 1 : 0);
      CHECK_MESSAGE(wrong == 0, "seed " << seed << ": " << wrong << " steps");
      for (const FalseLive &f : advice.falseLive) {
        ++falseLive;
        CHECK(f.bytes.count() <= program.vars[f.var].elements * 4);
        CHECK(f.bytesOnWorstTile <= f.bytes);
        for (std::uint32_t s = f.steps.begin.index(); s < f.steps.end.index(); ++s)
          CHECK(ranges.contains(ranges.live[f.var], StepIndex(s)));
      }
      for (const UndefPlacement &p : advice.placements)
        CHECK(p.savedOnWorstTile <= advice.worstPeak);
    }
    CHECK(rows > 3000);
    CHECK(failed > 300);
    CHECK(carried > 300);
    CHECK(falseLive > 100);
  }

  TEST_CASE(
      "groups of elements live where the elements would as variables of their own, inside the life of the whole") {
    std::size_t groups = 0, shorter = 0;
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
      const StepProgram program = randomSteps(seed);
      const ExplainContext context(program);
      VariableExplorer explorer(context.flow);
      const DenseLiveness whole = solveDenseLiveness(program);
      std::size_t wrong = 0;
      for (std::size_t v = 0; v < program.vars.size(); ++v)
        for (const ElementGroup &group : groupElements(context, program.vars.idAt(v), explorer)) {
          const DenseLiveness alone =
              solveDenseLiveness(onlyElement(program, program.vars.idAt(v), group.elements.front().begin));
          ++groups;
          for (std::size_t s = 0; s < program.steps.size(); ++s) {
            const bool live = std::any_of(group.live.begin(), group.live.end(), [&](const StepInterval &i) {
              return i.begin <= program.steps.idAt(s) && program.steps.idAt(s) < i.end;
            });
            wrong += live != (alone.live[s][v] && whole.live[s][v]);
            shorter += whole.live[s][v] && !live;
          }
        }
      CHECK_MESSAGE(wrong == 0, "seed " << seed << ": " << wrong << " steps");
    }
    CHECK(groups > 3000);
    CHECK(shorter > 1000);
  }

  TEST_CASE("the layout of random programs passes the all-pairs checker, in and out of memory") {
    std::size_t overlapped = 0, full = 0, shared = 0;
    for (std::uint32_t seed = 1; seed <= 400; ++seed) {
      RandomOptions options;
      options.numVars = seed % 50 == 0 ? 1 : 5 + seed % 40;
      const StepProgram program = randomSteps(seed, options);
      const TileMachine machine = smallMachine(options.numTiles);
      const LiveRanges ranges = analyseLiveness(program);
      LayoutOptions layoutOptions;
      layoutOptions.codeIncluded = seed % 3 != 0;
      const LayoutResult layout = placeAllocations(program, ranges, machine, layoutOptions);
      expectNone(checkLayout(program, ranges, layout, machine), seed);
      for (const Allocation &a : layout.allocations)
        overlapped += a.overlapped;
      full += layout.tilesOutOfMemory.size();
      shared += layout.distinctProblems < options.numTiles;
    }
    CHECK(overlapped > 1000);
    CHECK(full > 20);
    CHECK(shared > 0);
  }

  TEST_CASE("one thread and two threads give the same result") {
    RandomOptions options;
    options.numVars = 600; // more than one task of the analysis handles
    options.numTiles = 16;
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
      const StepProgram program = randomSteps(seed, options);
      const TileMachine machine = smallMachine(options.numTiles);
      const auto run = [&](unsigned threads) {
        const LiveRanges ranges = analyseLiveness(program, {threads});
        LayoutOptions layoutOptions;
        layoutOptions.threads = {threads};
        return std::make_pair(ranges, placeAllocations(program, ranges, machine, layoutOptions));
      };
      const auto one = run(1), two = run(2);
      CHECK(sameRanges(one.first, two.first));
      CHECK(sameRanges(one.second, two.second));
    }
  }
}
