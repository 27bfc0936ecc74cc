// The user guide's examples inside loops, branches, functions and engine programs. Every program is also compared with
// the dense reference.
#include "base/Check.hpp"
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "tests/unit/liveness/StepBuilder.hpp"

#include <doctest/doctest.h>

using namespace popscope;
using popscope::testing::StepBuilder;

namespace {

struct Fixture {
  StepBuilder b;
  VarId var = b.variable("var", 2);
  StepProgram program;
  LiveRanges ranges;

  void analyse() {
    program = b.finish();
    ranges = analyseLiveness(program);
    for (const std::string &finding : checkLiveness(program, ranges))
      FAIL_CHECK(finding);
  }
  [[nodiscard]] bool live(std::uint32_t s) const { return ranges.contains(ranges.live[var], StepIndex(s)); }
  [[nodiscard]] bool live(VarId v, std::uint32_t s) const { return ranges.contains(ranges.live[v], StepIndex(s)); }

  std::uint32_t nothing() { return b.step({}); }
  std::uint32_t writeAll() { return b.step({b.write(var)}); }
  std::uint32_t readAll() { return b.step({b.read(var)}); }
  // Adds the second half of example 1, 2 or 3.
  void overwrite(int example) {
    if (example == 1)
      writeAll();
    if (example >= 2)
      b.step({StepBuilder::writePart(var, 0, 1)}, b.source());
    if (example == 3)
      b.step({StepBuilder::writePart(var, 1, 2)}, b.source());
  }
  template <class Body> void inside(StepKind kind, Body body) {
    b.begin(kind);
    body();
    b.end();
  }
};

} // namespace

TEST_SUITE("liveness.control-flow") {
  TEST_CASE("a Repeat runs at least once, so that a kill in its body kills") {
    for (int example = 1; example <= 3; ++example) {
      Fixture f;
      f.writeAll();
      const std::uint32_t between = f.nothing();
      f.b.beginRepeat(3);
      f.overwrite(example);
      f.b.end();
      f.readAll();
      f.analyse();
      CHECK(f.live(between) == (example != 1));
    }
  }

  TEST_CASE("a Repeat of 0 is skipped") {
    Fixture f;
    f.writeAll();
    const std::uint32_t between = f.nothing();
    f.b.beginRepeat(0);
    const std::uint32_t body = f.writeAll();
    f.b.end();
    f.readAll();
    f.analyse();
    CHECK(f.live(between));
    CHECK_FALSE(f.live(body));
    CHECK(f.ranges.contains(f.ranges.occupied[f.var], StepIndex(body)));
  }

  TEST_CASE("the back edge of a Repeat keeps what the next round reads") {
    for (int example = 1; example <= 3; ++example) {
      Fixture f;
      f.writeAll();
      const std::uint32_t loop = f.b.beginRepeat(2);
      f.readAll();
      const std::uint32_t between = f.nothing();
      f.overwrite(example);
      const std::uint32_t last = f.nothing();
      f.b.end();
      const std::uint32_t after = f.nothing();
      f.analyse();
      CHECK(f.live(between) == (example != 1));
      CHECK(f.live(last));
      CHECK(f.live(loop));
      CHECK_FALSE(f.live(after));
    }
  }

  TEST_CASE("a Repeat of one iteration has no back edge") {
    for (const std::uint32_t count : {1U, 2U}) {
      Fixture f;
      f.writeAll();
      const std::uint32_t loop = f.b.beginRepeat(count);
      f.readAll();
      const std::uint32_t between = f.nothing();
      f.b.end();
      const std::uint32_t after = f.nothing();
      f.analyse();
      CHECK(f.live(loop));
      CHECK(f.live(between) == (count == 2));
      CHECK_FALSE(f.live(after));
    }
    Fixture f; // born in the body: the single visit of the Repeat's step is before the body
    const std::uint32_t loop = f.b.beginRepeat(1);
    const std::uint32_t first = f.nothing();
    f.writeAll();
    const std::uint32_t last = f.nothing();
    f.b.end();
    f.readAll();
    f.analyse();
    CHECK_FALSE(f.live(loop));
    CHECK_FALSE(f.live(first));
    CHECK(f.live(last));
  }

  TEST_CASE("a RepeatWhile tests first, so that a kill in its body may not happen and one in its condition does") {
    for (const bool inCondition : {true, false}) {
      Fixture f;
      f.writeAll();
      const std::uint32_t between = f.nothing();
      f.inside(StepKind::RepeatWhile, [&] {
        f.inside(StepKind::Sequence, [&] {
          if (inCondition)
            f.writeAll();
          f.b.leaf(StepKind::WhileTest);
        });
        f.inside(StepKind::Sequence, [&] {
          if (!inCondition)
            f.writeAll();
        });
      });
      f.readAll();
      f.analyse();
      CHECK(f.live(between) == !inCondition);
    }
  }

  TEST_CASE("an If kills only when both arms do") {
    for (int example = 1; example <= 3; ++example)
      for (const bool both : {true, false}) {
        Fixture f;
        f.writeAll();
        const std::uint32_t between = f.nothing();
        f.inside(StepKind::If, [&] {
          f.inside(StepKind::Sequence, [&] { f.overwrite(example); });
          f.inside(StepKind::Sequence, [&] {
            if (both)
              f.overwrite(example);
          });
        });
        f.readAll();
        f.analyse();
        CHECK(f.live(between) == !(both && example == 1));
      }
  }

  TEST_CASE("a Switch kills when all cases do and there is a default") {
    for (int example = 1; example <= 3; ++example)
      for (const bool hasDefault : {true, false}) {
        Fixture f;
        f.writeAll();
        const std::uint32_t between = f.nothing();
        f.b.beginSwitch(hasDefault ? std::vector<std::int32_t>{7} : std::vector<std::int32_t>{7, 9});
        for (int arm = 0; arm < 2; ++arm)
          f.inside(StepKind::Sequence, [&] { f.overwrite(example); });
        f.b.end();
        f.readAll();
        f.analyse();
        CHECK(f.live(between) == !(hasDefault && example == 1));
      }
  }

  TEST_CASE("a function is analysed once, for all its call sites together") {
    for (int example = 1; example <= 3; ++example) {
      Fixture f;
      f.writeAll();
      const std::uint32_t between = f.nothing();
      const std::uint32_t firstCall = f.b.call(0);
      const std::uint32_t middle = f.nothing(); // nothing reads between the calls
      const std::uint32_t secondCall = f.b.call(0);
      f.readAll();
      f.b.beginFunction();
      const std::uint32_t entry = f.nothing();
      f.overwrite(example);
      const std::uint32_t exit = f.nothing();
      f.analyse();
      CHECK(f.live(between) == (example != 1));
      CHECK(f.live(firstCall) == (example != 1));
      CHECK(f.live(middle) == (example != 1));
      CHECK(f.live(secondCall) == (example != 1));
      CHECK(f.live(entry) == (example != 1));
      CHECK(f.live(exit)); // the value is read after the second call
    }
  }

  TEST_CASE("what any caller needs afterwards is live throughout the function") {
    Fixture f;
    const VarId other = f.b.variable("other", 1);
    f.b.step({f.b.write(other)});
    f.b.call(0);
    f.b.step({f.b.read(other)});
    f.b.call(0);
    f.b.beginFunction();
    const std::uint32_t body = f.nothing();
    f.analyse();
    CHECK(f.live(other, body));
    CHECK(f.ranges.always[other] == 0); // written at the start of each run, so never always live
  }

  TEST_CASE("what one caller needs does not leak to the other callers of the function") {
    for (const bool touched : {false, true}) { // whether the function or one of its callees reads and writes part of it
      Fixture f;
      const VarId other = f.b.variable("other", 2);
      const std::uint32_t before = f.nothing();
      const std::uint32_t firstCall = f.b.call(0);
      const std::uint32_t between = f.nothing();
      f.writeAll();
      const std::uint32_t secondCall = f.b.call(0);
      f.readAll();
      const std::uint32_t behind = f.nothing();
      const std::uint32_t thirdCall = f.b.call(0);
      f.b.beginFunction();
      const std::uint32_t outer = f.nothing();
      f.b.call(1);
      f.b.beginFunction();
      const std::uint32_t inner = f.b.step({f.b.write(other)});
      if (touched)
        f.b.step({StepBuilder::writePart(f.var, 0, 1)}, f.b.source());
      f.analyse();
      CHECK(f.live(secondCall));
      CHECK(f.live(outer));
      CHECK(f.live(inner));
      for (const std::uint32_t s : {before, firstCall, between, behind, thirdCall})
        CHECK_FALSE(f.live(s));
    }
  }

  TEST_CASE("a function that kills on one path passes on what the other path leaves") {
    for (const bool both : {false, true}) {
      Fixture f;
      f.writeAll();
      const std::uint32_t between = f.nothing();
      const std::uint32_t call = f.b.call(0);
      f.readAll();
      const std::uint32_t unrelated = f.nothing();
      f.b.call(0); // nothing after the call reads it
      f.b.beginFunction();
      std::uint32_t spared = 0;
      f.inside(StepKind::If, [&] {
        f.inside(StepKind::Sequence, [&] { f.writeAll(); });
        f.inside(StepKind::Sequence, [&] {
          spared = f.nothing();
          if (both)
            f.writeAll();
        });
      });
      f.analyse();
      CHECK(f.live(between) == !both);
      CHECK(f.live(call) == !both);
      CHECK(f.live(spared) == !both);
      CHECK_FALSE(f.live(unrelated));
    }
  }

  TEST_CASE("a read in a function needs the value before every call of it") {
    Fixture f;
    f.writeAll();
    const std::uint32_t before = f.nothing();
    f.b.call(0);
    const std::uint32_t between = f.nothing();
    f.b.call(0);
    const std::uint32_t behind = f.nothing();
    f.b.beginFunction();
    f.readAll();
    f.analyse();
    CHECK(f.live(before));
    CHECK(f.live(between));
    CHECK_FALSE(f.live(behind));
  }

  TEST_CASE("steps that cannot come to a function's end hold nothing for its callers") {
    Fixture f;
    f.writeAll();
    const std::uint32_t call = f.b.call(0);
    f.readAll();
    f.b.beginFunction();
    const std::uint32_t entry = f.nothing();
    std::uint32_t doomed = 0;
    f.inside(StepKind::If, [&] {
      f.inside(StepKind::Sequence, [&] {
        doomed = f.nothing();
        f.b.leaf(StepKind::Abort);
      });
      f.inside(StepKind::Sequence, [&] { f.nothing(); });
    });
    f.analyse();
    CHECK(f.live(call));
    CHECK(f.live(entry));
    CHECK_FALSE(f.live(doomed));
  }

  TEST_CASE("a function that calls itself is refused") {
    StepBuilder b;
    b.call(0);
    b.beginFunction();
    b.call(1);
    b.beginFunction();
    b.call(0);
    const StepProgram program = b.finish();
    CHECK_THROWS_WITH_AS(analyseLiveness(program), doctest::Contains("calls itself: 0 -> 1 and the first again"),
                         InternalError);
  }

  TEST_CASE("a function that nobody calls is never reached") {
    Fixture f;
    f.nothing();
    f.b.beginFunction();
    const std::uint32_t body = f.readAll();
    f.analyse();
    CHECK_FALSE(f.live(body));
    CHECK(f.ranges.liveBytes[body] == Bytes(0));
  }

  TEST_CASE("a call that is never reached neither comes back nor keeps anything live in the function") {
    Fixture f;
    f.b.call(0);
    f.b.beginRepeat(0);
    std::uint32_t behind = 0;
    f.inside(StepKind::Sequence, [&] {
      f.b.call(0);
      behind = f.readAll();
    });
    f.b.end();
    f.b.beginFunction();
    const std::uint32_t body = f.nothing();
    f.analyse();
    CHECK_FALSE(f.live(behind));
    CHECK_FALSE(f.live(body));
  }

  TEST_CASE("a value written by one engine program and read by another lives between the runs") {
    for (int example = 1; example <= 3; ++example) {
      Fixture f;
      const std::uint32_t select = f.b.beginSwitch({}, true);
      std::uint32_t beforeOverwrite = 0, unrelated = 0;
      f.inside(StepKind::Sequence, [&] { f.writeAll(); });
      f.inside(StepKind::Sequence, [&] {
        beforeOverwrite = f.nothing();
        f.overwrite(example);
      });
      f.inside(StepKind::Sequence, [&] { unrelated = f.nothing(); });
      f.inside(StepKind::Sequence, [&] { f.readAll(); });
      f.b.end();
      f.analyse();
      CHECK(f.live(0));
      CHECK(f.live(select));
      CHECK(f.live(unrelated)); // any program may run next
      CHECK(f.live(beforeOverwrite) == (example != 1));
      CHECK(f.ranges.always[f.var] == 0);
    }
  }

  TEST_CASE("nothing is live before an Abort, and the engine's programs are not skipped") {
    Fixture f;
    f.b.beginSwitch({}, true);
    std::uint32_t abort = 0, behind = 0;
    f.inside(StepKind::Sequence, [&] {
      abort = f.b.leaf(StepKind::Abort);
      behind = f.readAll();
    });
    f.b.end();
    f.analyse();
    CHECK_FALSE(f.live(abort));
    CHECK_FALSE(f.live(behind));
    CHECK(f.ranges.live[f.var] == LiveClassId(0));
  }

  TEST_CASE("an initial value that the first step may read is occupied from the start") {
    Fixture f;
    f.b.info(f.var).initialData = 0;
    f.nothing();
    const std::uint32_t use = f.readAll();
    const std::uint32_t gap = f.nothing();
    f.writeAll();
    f.analyse();
    CHECK(f.live(0));
    CHECK(f.live(use));
    CHECK_FALSE(f.live(gap));
  }
}
