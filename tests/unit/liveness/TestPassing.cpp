// Lives that span calls of functions which do not access the variable, and lives that end inside a control of their own
// level: the analysis has shortcuts for both. Every program is also compared with the dense reference.
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "tests/unit/liveness/StepBuilder.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace popscope;
using popscope::testing::StepBuilder;

namespace {

LiveRanges analysed(const StepProgram &program) {
  LiveRanges ranges = analyseLiveness(program);
  const auto findings = checkLiveness(program, ranges);
  CHECK_MESSAGE(findings.empty(), (findings.empty() ? "" : findings.front()));
  return ranges;
}

// A step in each control; the test selects where the variable is read and killed.
struct Controls {
  StepBuilder b;
  VarId v = b.variable("v", 2);
  std::uint32_t nothing() { return b.step({}); }
  [[nodiscard]] static bool live(const LiveRanges &ranges, VarId var, std::uint32_t step) {
    return ranges.contains(ranges.live[var], StepIndex(step));
  }
  template <class First, class Second> std::uint32_t branch(First first, Second second) {
    const std::uint32_t at = b.begin(StepKind::If);
    b.begin(StepKind::Sequence);
    first();
    b.end();
    b.begin(StepKind::Sequence);
    second();
    b.end();
    b.end();
    return at;
  }
};

} // namespace

TEST_SUITE("liveness.passing") {
  // The write and the read are on one level, and the call between them is in a control of that level.
  TEST_CASE("what lives across a control that holds a call is live in the function") {
    Controls c;
    c.b.step({c.b.write(c.v)});
    c.branch([&] { c.b.call(0); }, [&] { c.nothing(); });
    c.b.step({c.b.read(c.v)});
    c.nothing();
    c.b.beginFunction();
    const std::uint32_t body = c.nothing();
    const StepProgram program = c.b.finish();
    CHECK(Controls::live(analysed(program), c.v, body));
  }

  // Variable i is live from its write across calls 0 .. i % 4 of functions 0 .. 3; function 0 calls function 2.
  TEST_CASE("however many variables live across calls, each is live in what its calls reach and nowhere else") {
    for (const std::uint32_t count : {1U, 3U, 64U, 65U, 511U, 512U, 513U, 1100U}) {
      StepBuilder b;
      std::vector<VarId> vars;
      for (std::uint32_t i = 0; i < count; ++i)
        vars.push_back(b.variable("v" + std::to_string(i), 2));
      for (const VarId v : vars)
        b.step({b.write(v)});
      for (std::uint32_t f = 0; f < 4; ++f) {
        b.call(f);
        for (std::uint32_t i = f; i < count; i += 4)
          b.step({b.read(vars[i])});
      }
      std::array<std::uint32_t, 4> body{};
      for (std::uint32_t f = 0; f < 4; ++f) {
        b.beginFunction();
        body[f] = b.step({});
        if (f == 0)
          b.call(2);
      }
      const StepProgram program = b.finish();
      const LiveRanges ranges = analysed(program);
      std::size_t wrong = 0;
      for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t f = 0; f < 4; ++f)
          wrong += Controls::live(ranges, vars[i], body[f]) != (f <= i % 4 || f == 2);
      CHECK_MESSAGE(wrong == 0, count << " variables: " << wrong << " wrong answers");
    }
  }

  TEST_CASE("what only arms read last is live in each arm up to its own last read") {
    for (const bool readsBehind : {false, true}) {
      Controls c;
      c.b.step({c.b.write(c.v)});
      std::uint32_t afterFirst = 0, beforeSecond = 0, afterSecond = 0;
      c.branch(
          [&] {
            c.b.step({c.b.read(c.v)});
            afterFirst = c.nothing();
          },
          [&] {
            beforeSecond = c.nothing();
            c.b.step({c.b.read(c.v)});
            afterSecond = c.nothing();
          });
      const std::uint32_t behind = c.nothing();
      if (readsBehind)
        c.b.step({c.b.read(c.v)});
      c.b.step({c.b.write(c.v)});
      const StepProgram program = c.b.finish();
      const LiveRanges ranges = analysed(program);
      CHECK(Controls::live(ranges, c.v, beforeSecond));
      CHECK(Controls::live(ranges, c.v, afterFirst) == readsBehind);
      CHECK(Controls::live(ranges, c.v, afterSecond) == readsBehind);
      CHECK(Controls::live(ranges, c.v, behind) == readsBehind);
    }
  }

  TEST_CASE("an arm that does not read is passed only when something behind does") {
    Controls c;
    c.b.step({c.b.write(c.v)});
    std::uint32_t first = 0, second = 0;
    const std::uint32_t branch = c.branch([&] { first = c.nothing(); },
                                          [&] {
                                            second = c.nothing();
                                            c.b.step({c.b.read(c.v)});
                                          });
    const StepProgram program = c.b.finish();
    const LiveRanges ranges = analysed(program);
    CHECK(Controls::live(ranges, c.v, branch));
    CHECK_FALSE(Controls::live(ranges, c.v, first));
    CHECK(Controls::live(ranges, c.v, second));
  }

  TEST_CASE("a loop needs what it reads to its end; a kill in it ends what comes round again") {
    for (const bool kills : {false, true}) {
      Controls c;
      c.b.step({c.b.write(c.v)});
      c.b.beginRepeat(3);
      c.b.begin(StepKind::Sequence);
      c.b.step({c.b.read(c.v)});
      const std::uint32_t inLoop = c.nothing();
      if (kills)
        c.b.step({c.b.write(c.v)});
      const std::uint32_t last = c.nothing();
      c.b.end();
      c.b.end();
      const std::uint32_t behind = c.nothing();
      const StepProgram program = c.b.finish();
      const LiveRanges ranges = analysed(program);
      CHECK(Controls::live(ranges, c.v, inLoop) == !kills);
      CHECK(Controls::live(ranges, c.v, last));
      CHECK_FALSE(Controls::live(ranges, c.v, behind));
    }
  }

  TEST_CASE("a kill in a control behind the last read changes nothing; one before a read behind the control does") {
    for (const bool readsBehind : {false, true}) {
      Controls c;
      c.b.step({c.b.write(c.v)});
      c.b.step({c.b.read(c.v)});
      const std::uint32_t between = c.nothing();
      c.branch([&] { c.b.step({c.b.write(c.v)}); }, [&] { c.nothing(); });
      const std::uint32_t behind = c.nothing();
      if (readsBehind)
        c.b.step({c.b.read(c.v)});
      const StepProgram program = c.b.finish();
      const LiveRanges ranges = analysed(program);
      CHECK(Controls::live(ranges, c.v, between) == readsBehind); // through the branch that does not write
      CHECK(Controls::live(ranges, c.v, behind) == readsBehind);
    }
  }

  TEST_CASE("a source that reads in one step and writes in a later one reads first, and is occupied in between") {
    Controls c;
    c.b.step({c.b.write(c.v)});
    const SourceId source = c.b.source();
    c.b.step({c.b.read(c.v)}, source);
    const std::uint32_t within = c.b.step({}, source);
    const std::uint32_t written = c.b.step({c.b.write(c.v)}, source);
    const StepProgram program = c.b.finish();
    const LiveRanges ranges = analysed(program);
    CHECK_FALSE(Controls::live(ranges, c.v, within));
    CHECK(ranges.contains(ranges.occupied[c.v], StepIndex(within)));
    CHECK(ranges.contains(ranges.occupied[c.v], StepIndex(written)));
  }
}
