// The liveness checker finds each planted fault, and accepts the unchanged result.
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "tests/unit/liveness/StepBuilder.hpp"

#include <doctest/doctest.h>

using namespace popscope;
using popscope::testing::StepBuilder;

namespace {

struct CheckedSubject {
  VarId v, dead, constant;
  StepProgram program;
  LiveRanges ranges;

  CheckedSubject() {
    StepBuilder b;
    v = b.variable("v", 4);
    dead = b.variable("dead", 2);
    constant = b.variable("c", 8);
    b.info(constant).constant = true;
    b.step({b.write(v)});
    b.step({b.write(dead)});
    b.step({b.read(v), b.read(constant)});
    b.step({});
    program = b.finish();
    ranges = analyseLiveness(program);
  }
  [[nodiscard]] bool finds(const std::string &text) const {
    for (const std::string &finding : checkLiveness(program, ranges))
      if (finding.find(text) != std::string::npos)
        return true;
    return false;
  }
};

} // namespace

TEST_SUITE("liveness.check.liveness") {
  TEST_CASE("a right result passes") {
    CHECK(checkLiveness(CheckedSubject().program, CheckedSubject().ranges).empty());
  }

  TEST_CASE("an interval that ends too early, too late or begins too early is found") {
    CheckedSubject s;
    StepInterval &interval = s.ranges.intervals[s.ranges.classes[s.ranges.live[s.v].index()].firstInterval];
    const StepInterval right = interval;
    interval.end = StepIndex(right.end.index() - 1);
    CHECK(s.finds("'v' is wrongly not live at step 3"));
    interval = {right.begin, StepIndex(right.end.index() + 1)};
    CHECK(s.finds("'v' is wrongly live at step 4"));
    interval = {StepIndex(0), right.end};
    CHECK(s.finds("'v' is wrongly live at step 0"));
    interval = right;
    CHECK(checkLiveness(s.program, s.ranges).empty());
  }

  TEST_CASE("a dead write without a place is found") {
    CheckedSubject s;
    s.ranges.occupied[s.dead] = LiveClassId(0);
    CHECK(s.finds("'dead' is wrongly not occupied at step 2"));
  }

  TEST_CASE("a live variable that is not occupied breaks L1") {
    CheckedSubject s;
    s.ranges.occupied[s.v] = LiveClassId(0);
    CHECK(s.finds("L1"));
  }

  TEST_CASE("live steps of a variable that is never read break L2") {
    CheckedSubject s;
    s.ranges.live[s.dead] = s.ranges.live[s.v];
    CHECK(s.finds("L2"));
  }

  TEST_CASE("a wrong always-live mark of a constant or a variable breaks L3") {
    CheckedSubject s;
    s.ranges.always[s.constant] = 0;
    CHECK(s.finds("L3: variable 2"));
    CheckedSubject t;
    t.ranges.always[t.v] = 1;
    CHECK(t.finds("L3: variable 0"));
  }

  TEST_CASE("wrong sums of bytes are found") {
    CheckedSubject s;
    s.ranges.liveBytes[3] += Bytes(1);
    CHECK(s.finds("L4: 17 live bytes at step 3 instead of 16"));
    s.ranges.liveBytes[3] -= Bytes(1);
    s.ranges.alwaysLiveBytes += Bytes(4);
    CHECK(s.finds("always-live bytes are 36 instead of 32"));
  }

  TEST_CASE("classes that repeat, touch or do not exist are found") {
    CheckedSubject s;
    s.ranges.classes.push_back(s.ranges.classes.back());
    CHECK(s.finds("repeats an earlier class"));
    CheckedSubject t;
    t.ranges.classes.push_back({static_cast<std::uint32_t>(t.ranges.intervals.size()), 2});
    t.ranges.intervals.push_back({StepIndex(0), StepIndex(1)});
    t.ranges.intervals.push_back({StepIndex(1), StepIndex(2)});
    CHECK(t.finds("unsorted or touch"));
    CheckedSubject u;
    u.ranges.live[u.v] = LiveClassId(99);
    CHECK(u.finds("a class that does not exist"));
    CheckedSubject w;
    w.ranges.liveBytes.pop_back();
    CHECK(w.finds("tables have"));
  }

  TEST_CASE("a home that keeps its place, loses it or is not listed is found") {
    StepBuilder b;
    const VarId v = b.variable("v", 4, {0, 1}); // elements [0,2) on tile 0, [2,4) on tile 1
    b.step({b.write(v)});
    const SourceId source = b.source();
    b.step({StepBuilder::readPart(v, 0, 2)}, source); // step 2: the last read on tile 0
    b.step({StepBuilder::readPart(v, 2, 4)}, source); // step 3: the last read on tile 1
    const StepProgram program = b.finish();
    const LiveRanges right = analyseLiveness(program);
    const auto finds = [&](const LiveRanges &ranges, const std::string &text) {
      for (const std::string &finding : checkLiveness(program, ranges))
        if (finding.find(text) != std::string::npos)
          return true;
      return false;
    };
    CHECK(checkLiveness(program, right).empty());
    REQUIRE(right.homeLives.size() == 1);
    LiveRanges wrong = right;
    wrong.homeLives.clear(); // both tiles then use the intervals of the variable
    CHECK(finds(wrong, "'v' is wrongly occupied on tile 0 at step 3"));
    CHECK(finds(wrong, "'v' is wrongly live on tile 0 at step 3"));
    wrong = right;
    wrong.homeLives[0].occupied = LiveClassId(0);
    CHECK(finds(wrong, "'v' is wrongly not occupied on tile 0 at step 2"));
    wrong = right;
    wrong.homeLives[0].home = HomeId(1);
    CHECK(finds(wrong, "'v' is wrongly not occupied on tile 1 at step 3"));
    wrong = right;
    wrong.homeLives[0].occupied = wrong.occupied[v];
    CHECK(finds(wrong, "is listed, although it is occupied at the same steps as its variable"));
    wrong = right;
    wrong.split[v] = 0;
    CHECK(finds(wrong, "its variable is not split"));
    wrong = right;
    wrong.liveBytes[3] += Bytes(8); // as if all elements were live at step 3
    CHECK(finds(wrong, "L4: 16 live bytes at step 3 instead of 8"));
  }
}
