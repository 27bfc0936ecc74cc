// Explanations, false-live bytes and WriteUndef placements, with answers worked by hand.
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/DenseLiveness.hpp"
#include "liveness/explain/ExplainLiveness.hpp"
#include "liveness/explain/ExplainVariable.hpp"
#include "liveness/explain/MeasureTiles.hpp"
#include "liveness/explain/PlaceUndefs.hpp"
#include "liveness/explain/WalkReasons.hpp"
#include "tests/unit/liveness/StepBuilder.hpp"

#include <doctest/doctest.h>

using namespace popscope;
using popscope::testing::StepBuilder;

namespace {

struct Explained {
  StepProgram program;
  LiveRanges ranges;
  LivenessAdvice advice;
  explicit Explained(StepBuilder &b)
      : program(b.finish()), ranges(analyseLiveness(program)), advice(explainLiveness(program, ranges)) {}
  [[nodiscard]] LiveExplanation at(VarId v, std::uint32_t step) const {
    for (const LiveExplanation &row : advice.explanations)
      if (row.var == v && row.steps.begin <= StepIndex(step) && StepIndex(step) < row.steps.end)
        return row;
    FAIL("no explanation of variable " << v.index() << " at step " << step);
    return {};
  }
};

} // namespace

TEST_SUITE("liveness.explain") {
  TEST_CASE("example 3 in full: born, failed kills with the elements they missed, keeping read, cost and cure") {
    StepBuilder b;
    const VarId v = b.variable("v", 4), w = b.variable("w", 1);
    const std::uint32_t first = b.step({b.write(v)});                                 // 1
    const std::uint32_t use = b.step({b.read(v)});                                    // 2
    const std::uint32_t between = b.step({});                                         // 3
    const std::uint32_t low = b.step({StepBuilder::writePart(v, 0, 2)}, b.source());  // 4
    const std::uint32_t high = b.step({StepBuilder::writePart(v, 2, 4)}, b.source()); // 5
    const std::uint32_t last = b.step({b.read(v)});                                   // 6
    b.step({b.write(w)});
    const Explained e(b);
    CHECK(e.at(v, first).read == StepIndex(use));
    CHECK(e.at(v, first).born == StepIndex(first));
    CHECK_FALSE(e.at(v, first).failedKill.valid());
    const LiveExplanation here = e.at(v, between);
    CHECK(here.born == StepIndex(first));
    CHECK(here.read == StepIndex(last));
    CHECK(here.failedKill == StepIndex(low));
    CHECK(here.carrier == Carrier::None);
    REQUIRE(here.numMissed == 1);
    CHECK(e.advice.missed[here.firstMissed] == ElementRange{2, 4});
    CHECK(e.at(v, high).failedKill == StepIndex(high));
    CHECK(e.at(v, last).read == StepIndex(last));
    // At step 3 all 16 bytes are false-live, at step 4 the upper half.
    REQUIRE(e.advice.falseLive.size() == 2);
    CHECK(e.advice.falseLive[0].steps == StepInterval{StepIndex(between), StepIndex(low)});
    CHECK(e.advice.falseLive[0].bytes.count() == 16);
    CHECK(e.advice.falseLive[1].steps == StepInterval{StepIndex(low), StepIndex(high)});
    CHECK(e.advice.falseLive[1].bytes.count() == 8);
    CHECK(e.advice.worstPeak.count() == 16);
    CHECK(e.advice.candidates == 1);
    CHECK(e.advice.placements.empty()); // another step has the same peak, so nothing is saved
    CHECK(e.advice.worstPeakAfterAll.count() == 16);
  }

  TEST_CASE("variables that the same steps use as a whole have the same explanation, and each its own otherwise") {
    StepBuilder b;
    std::vector<VarId> vars;
    for (std::uint64_t elements : {4, 7, 4, 4, 7})
      vars.push_back(b.variable("v", elements));
    b.step({b.write(vars[0]), b.write(vars[1]), b.write(vars[2]), b.write(vars[3]), b.write(vars[4])}); // 1
    b.step({b.read(vars[0]), b.read(vars[1])});                                                         // 2
    // 3: writes all of it
    b.step({StepBuilder::writePart(vars[4], 0, 7)});
    b.step({StepBuilder::writePart(vars[3], 0, 3), b.read(vars[4])}, b.source()); // 4: does not write all of it
    b.step({b.read(vars[0]), b.read(vars[1]), b.read(vars[2]), b.read(vars[3])}); // 5
    const Explained e(b);
    const ExplainContext context(e.program);
    std::vector<LiveExplanation> alone;
    for (const VarId v : vars) {
      ReasonWalk walk(context); // without the cache of explainLiveness
      const VariableExplanation why = explainVariable(context, walk, v);
      alone.insert(alone.end(), why.rows.begin(), why.rows.end());
    }
    const auto same = [](const LiveExplanation &a, const LiveExplanation &c) {
      return a.var == c.var && a.steps == c.steps && a.born == c.born && a.read == c.read &&
             a.failedKill == c.failedKill && a.numMissed == c.numMissed && a.carrier == c.carrier &&
             a.carriedBy == c.carriedBy;
    };
    CHECK(std::equal(alone.begin(), alone.end(), e.advice.explanations.begin(), e.advice.explanations.end(), same));
    CHECK(e.at(vars[1], 3).read == e.at(vars[0], 3).read);
    CHECK(e.at(vars[3], 3).failedKill == StepIndex(4));
    CHECK_FALSE(e.at(vars[2], 3).failedKill.valid());
  }

  TEST_CASE("merged copies have an explanation for each variable, because their steps belong to several sources") {
    StepBuilder b;
    const VarId same = b.variable("same", 4), other = b.variable("other", 4);
    b.step({b.write(same), b.write(other)}); // 1
    const SourceId source = b.source();      // of member 0; the sources of members 1 and 2 follow
    b.source();
    b.source();
    b.step({b.read(same), b.read(other)}, source);   // 2
    b.step({b.write(same), b.write(other)}, source); // 3
    b.step({b.read(same), b.read(other)});           // 4
    for (Access &access : b.program().accesses)
      access.member = 1;
    Access &write = b.program().accesses[5]; // so step 3 replaces a value of `other` that its own source has not read
    REQUIRE((write.var == other && write.kind == AccessKind::Write));
    write.member = 2;
    const Explained e(b);
    CHECK(e.at(other, 2).read == StepIndex(2));
    const ExplainContext context(e.program);
    std::vector<StepInterval> alone, together;
    for (const VarId v : {same, other}) {
      ReasonWalk walk(context); // without the cache of explainLiveness
      for (const LiveExplanation &row : explainVariable(context, walk, v).rows)
        alone.push_back(row.steps);
    }
    for (const LiveExplanation &row : e.advice.explanations)
      together.push_back(row.steps);
    CHECK(alone == together);
  }

  TEST_CASE("a Repeat that reads keeps a variable live through its body, because it reads again after each iteration") {
    StepBuilder b;
    const VarId v = b.variable("v", 4), w = b.variable("w", 1);
    b.step({b.write(v)}); // 1
    b.program().repeats.push_back({3});
    const std::uint32_t repeat =
        b.begin(StepKind::Repeat, {b.read(v)}, static_cast<std::uint32_t>(b.program().repeats.size() - 1));
    const std::uint32_t body = b.step({b.write(w)});
    b.end();
    const Explained e(b);
    CHECK(e.at(v, body).read == StepIndex(repeat));
    CHECK(e.at(v, body).born == StepIndex(1));
  }

  TEST_CASE("plain lives are left out where nobody asks for them") {
    StepBuilder b;
    const VarId plain = b.variable("plain", 4), twice = b.variable("twice", 4);
    b.step({b.write(plain), b.write(twice)});
    b.step({b.read(twice)});
    b.step({b.read(plain), b.read(twice)});
    const Explained e(b);
    ExplainOptions options;
    options.plainLives = false;
    const LivenessAdvice without = explainLiveness(e.program, e.ranges, options);
    std::size_t others = 0;
    for (const LiveExplanation &row : e.advice.explanations)
      others += isPlainLife(row, e.ranges) ? 0 : 1;
    CHECK(others == 2);
    CHECK(e.advice.explanations.size() == 3);
    REQUIRE(without.explanations.size() == 2);
    CHECK(without.explanations[0].var == twice);
    CHECK(without.explanations[1].var == twice);
  }

  TEST_CASE("placements that save nothing alone are listed if they save bytes together") {
    for (std::uint32_t rounds = 2; rounds <= 4; ++rounds) {
      StepBuilder b;
      const VarId v = b.variable("v", 4);
      std::vector<std::pair<VarId, StepIndex>> places;
      b.step({b.write(v)});
      b.step({b.read(v)});
      for (std::uint32_t i = 0; i != rounds; ++i) { // each round has a peak of 56 bytes, 16 of them false-live
        const VarId large = b.variable("large", 10);
        b.step({b.write(large)});
        b.step({b.read(large)});
        places.emplace_back(v, StepIndex(b.step({StepBuilder::writePart(v, 0, 2)}, b.source())));
        b.step({StepBuilder::writePart(v, 2, 4)}, b.source());
        b.step({b.read(v)});
      }
      const Explained e(b);
      CHECK(e.advice.worstPeak.count() == 56);
      CHECK(e.advice.worstPeakAfterAll.count() == 40);
      REQUIRE(e.advice.placements.size() == rounds);
      for (std::uint32_t i = 0; i != rounds; ++i) {
        const UndefPlacement &p = e.advice.placements[i];
        CHECK((std::pair(p.var, p.before) == places[i] && p.together));
        CHECK((p.savedOnWorstTile == Bytes() && p.savedOnDevice == Bytes()));
      }
      // Only all places together reach the lowest peak.
      for (std::uint32_t chosen = 0; chosen != 1u << rounds; ++chosen) {
        std::vector<std::pair<VarId, StepIndex>> some;
        for (std::uint32_t i = 0; i != rounds; ++i)
          if ((chosen >> i & 1u) != 0)
            some.push_back(places[i]);
        const DenseLiveness dense = solveDenseLiveness(withUndefs(e.program, some));
        std::uint64_t peak = 0;
        for (const auto &live : dense.live) {
          std::uint64_t bytes = 0;
          for (std::size_t var = 0; var != live.size(); ++var)
            bytes += live[var] ? 4 * e.program.vars.raw()[var].elements : 0;
          peak = std::max(peak, bytes);
        }
        CHECK(peak == (some.size() == rounds ? 40 : 56));
      }
    }
  }

  TEST_CASE("placements that save only on other tiles than the worst one are marked if they save more together") {
    StepBuilder b(3);
    const VarId v = b.variable("v", 8, {1, 2}), w = b.variable("w", 8, {1, 2});
    // Tile 0 has the highest peak, 80 bytes in `full`. All tiles together have their highest peak in the rounds: 80
    // bytes of `large`, and 32 false-live bytes of v and 32 of w. v and w are needed before and after the rounds.
    const VarId full = b.variable("full", 20, {0});
    b.step({b.write(full)});
    b.step({b.read(full)});
    b.step({b.write(v), b.write(w)});
    b.step({b.read(v), b.read(w)});
    const VarId large = b.variable("large", 20, {1, 2});
    b.step({b.write(large)});
    b.step({b.read(large)});
    for (const VarId one : {v, w}) {
      b.step({StepBuilder::writePart(one, 0, 4)}, b.source());
      b.step({StepBuilder::writePart(one, 4, 8)}, b.source());
      b.step({b.read(one)});
    }
    const Explained e(b);
    CHECK(e.advice.worstTile == TileId(0));
    CHECK(e.advice.worstPeak.count() == 80);
    CHECK(e.advice.worstPeakAfterAll.count() == 80);
    REQUIRE(e.advice.placements.size() == 2);
    for (const UndefPlacement &p : e.advice.placements) {
      CHECK(p.savedOnWorstTile == Bytes());
      CHECK(p.savedOnDevice.count() == 32);
      CHECK(p.together);
    }
    CHECK(peakOfDevice(e.ranges).count() == 144);
  }

  TEST_CASE("a placement is worth what applying it saves at the peak of the worst tile") {
    StepBuilder b(2);
    const VarId v = b.variable("v", 4, {1}), big = b.variable("big", 10, {1}), other = b.variable("other", 5, {0});
    b.step({b.write(v), b.write(other)});
    b.step({b.read(v)});
    b.step({b.write(big)});
    const std::uint32_t peak = b.step({b.read(big)});
    const std::uint32_t low = b.step({StepBuilder::writePart(v, 0, 1)}, b.source());
    b.step({StepBuilder::writePart(v, 1, 4)}, b.source());
    b.step({b.read(v), b.read(other)});
    const Explained e(b);
    CHECK(e.advice.worstTile == TileId(1));
    CHECK(e.advice.worstPeak.count() == 56);
    CHECK(e.advice.falseLiveAtPeak.count() == 16);
    REQUIRE(e.advice.placements.size() == 1);
    CHECK(e.advice.placements[0].var == v);
    CHECK(e.advice.placements[0].before == StepIndex(low));
    CHECK(e.advice.placements[0].savedOnWorstTile.count() == 16); // 56 -> 40
    CHECK_FALSE(e.advice.placements[0].together);                 // it reaches the lowest peak alone
    CHECK(e.advice.worstPeakAfterAll.count() == 40);
    const StepProgram changed = withUndefs(e.program, {{v, StepIndex(low)}});
    const LiveRanges after = analyseLiveness(changed);
    CHECK_FALSE(after.contains(after.live[v], StepIndex(peak)));
    CHECK(peakOfTile(changed, after, TileId(1)).bytes.count() == 40);
  }

  TEST_CASE("what an InOut field on another tile writes back is born there, and its message where it is filled") {
    StepBuilder b;
    const VarId v = b.variable("v", 2), message = b.variable("<message:v>", 2);
    const SourceId s = b.source();
    const std::uint32_t write = b.step({b.write(v)});
    const std::uint32_t fill = b.step({b.read(v), b.write(message)}, s);
    const std::uint32_t vertex = b.step({b.read(message), b.write(message)}, s);
    const std::uint32_t back = b.step({b.read(message), b.write(v)}, s);
    const std::uint32_t use = b.step({b.read(v)});
    const Explained e(b);
    CHECK(e.at(message, fill).read == StepIndex(vertex));
    CHECK(e.at(message, vertex).born == StepIndex(fill));
    CHECK(e.at(message, back).born == StepIndex(fill));
    CHECK(e.at(v, fill).born == StepIndex(write));
    CHECK(e.at(v, vertex).born == StepIndex(write));
    CHECK(e.at(v, vertex).read == StepIndex(use));
    CHECK(e.at(v, use).born == StepIndex(back));
    CHECK(e.advice.falseLive.empty());
  }

  TEST_CASE("what a loop brings round, a call brings back and the next run reads is said so") {
    StepBuilder b;
    const VarId looped = b.variable("looped", 1), called = b.variable("called", 1), rerun = b.variable("rerun", 1);
    b.step({b.write(looped), b.read(rerun)});
    const std::uint32_t loop = b.beginRepeat(3);
    b.step({b.read(looped)});
    const std::uint32_t behind = b.step({});
    b.end();
    b.step({b.write(called)});
    const std::uint32_t call = b.call(0);
    const std::uint32_t afterCall = b.step({b.write(rerun)});
    b.beginFunction();
    const std::uint32_t body = b.step({b.read(called)});
    const Explained e(b);
    CHECK(e.at(looped, behind).carrier == Carrier::Loop);
    CHECK(e.at(looped, behind).carriedBy == StepIndex(loop));
    CHECK(e.at(called, call).carrier == Carrier::Call);
    CHECK(e.at(called, call).carriedBy == StepIndex(call));
    CHECK(e.at(called, call).read == StepIndex(body));
    CHECK(e.at(rerun, afterCall).carrier == Carrier::NextRun);
    CHECK_FALSE(e.at(rerun, 0).carrier == Carrier::NextRun);
  }

  TEST_CASE("every step of every life is explained once, by a read, and false-live bytes never exceed the variable") {
    StepBuilder b;
    const VarId v = b.variable("v", 4);
    b.begin(StepKind::RepeatWhile);
    b.begin(StepKind::Sequence);
    b.step({StepBuilder::writePart(v, 1, 3)}, b.source());
    b.leaf(StepKind::WhileTest);
    b.end();
    b.begin(StepKind::Sequence);
    b.step({StepBuilder::readPart(v, 0, 2)});
    b.end();
    b.end();
    const Explained e(b);
    for (std::uint32_t s = 0; s < e.program.steps.size(); ++s) {
      std::size_t rows = 0;
      for (const LiveExplanation &row : e.advice.explanations)
        rows += row.steps.begin <= StepIndex(s) && StepIndex(s) < row.steps.end;
      CHECK(rows == (e.ranges.contains(e.ranges.live[v], StepIndex(s)) ? 1 : 0));
    }
    for (const FalseLive &f : e.advice.falseLive)
      CHECK(f.bytes.count() <= 16);
    CHECK(e.at(v, 1).failedKill == StepIndex(3));
  }
}
