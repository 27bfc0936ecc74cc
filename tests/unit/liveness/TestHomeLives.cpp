// Within the steps of one source, a home keeps its addresses from the first step that accesses it on its tile to the
// last. Between sources, the lives of the variable apply. Comments derive the numbers.
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "liveness/explain/MeasureTiles.hpp"
#include "tests/unit/liveness/StepBuilder.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

using namespace popscope;
using popscope::testing::AccessSpec;
using popscope::testing::StepBuilder;

namespace {

// Variables of 4 elements: [0, 2) on tile 0, [2, 4) on tile 1; 8 bytes on each.
struct TwoTiles {
  StepBuilder b{2};
  VarId variable(const char *name) { return b.variable(name, 4, {0, 1}); }
};
constexpr std::uint64_t kOn0 = 2; // elements below lie on tile 0

struct AnalysedHomes {
  StepProgram program;
  LiveRanges ranges;
  explicit AnalysedHomes(StepBuilder &b) : program(b.finish()), ranges(analyseLiveness(program)) {
    for (const std::string &finding : checkLiveness(program, ranges))
      FAIL_CHECK(finding);
  }
  // Returns the steps [first, last] at which the variable occupies memory on the tile, as text: "3-5 7".
  [[nodiscard]] std::string occupied(VarId v, std::uint32_t tile) const { return steps(v, tile, true); }
  [[nodiscard]] std::string live(VarId v, std::uint32_t tile) const { return steps(v, tile, false); }

private:
  [[nodiscard]] std::string steps(VarId v, std::uint32_t tile, bool occupied) const {
    const HomeId home(program.vars[v].firstHome + tile);
    const LiveClassId id = occupied ? ranges.occupiedOf(v, home) : ranges.liveOf(v, home);
    std::string text;
    for (std::uint32_t s = 0; s < program.steps.size(); ++s) {
      if (!ranges.contains(id, StepIndex(s)))
        continue;
      const std::uint32_t first = s;
      while (s + 1 < program.steps.size() && ranges.contains(id, StepIndex(s + 1)))
        ++s;
      text += (text.empty() ? "" : " ") + std::to_string(first) + (first == s ? "" : "-" + std::to_string(s));
    }
    return text;
  }
};

} // namespace

TEST_SUITE("liveness.homes") {
  TEST_CASE("operands gathered on tile 0 give its homes back though tile 1 is still at them") {
    TwoTiles t;
    const VarId a = t.variable("a"), b = t.variable("b");
    t.b.step({t.b.write(a)}); // 1
    const SourceId source = t.b.source();
    t.b.step({StepBuilder::readPart(a, 0, kOn0)}, source);                                     // 2 gathers on tile 0
    t.b.step({StepBuilder::readPart(a, kOn0, 4), StepBuilder::writePart(b, kOn0, 4)}, source); // 3 vertices
    t.b.step({StepBuilder::writePart(b, 0, kOn0)}, source);                                    // 4 scatters on tile 0
    t.b.step({t.b.read(b)});                                                                   // 5
    const AnalysedHomes h(t.b);
    CHECK(h.occupied(a, 0) == "1-2");
    CHECK(h.occupied(a, 1) == "1-3");
    CHECK(h.occupied(b, 0) == "4-5");
    CHECK(h.occupied(b, 1) == "3-5");
    CHECK(h.live(a, 0) == "1-2");
    CHECK(h.live(a, 1) == "1-3");
    CHECK(h.live(b, 0) == "4-5"); // b is born at the step by which all of it is written
    CHECK(h.live(b, 1) == "4-5");
    CHECK(h.ranges.homeLives.size() == 2);     // a and b on tile 0; the homes on tile 1 behave like their variables
    CHECK(h.ranges.liveBytes[2] == Bytes(16)); // a
    CHECK(h.ranges.liveBytes[3] == Bytes(8));  // a on tile 1
    CHECK(h.ranges.liveBytes[4] == Bytes(16)); // b
    CHECK(peakOfTile(h.program, h.ranges, TileId(0)).bytes == Bytes(8));
  }

  TEST_CASE("what tile 1 does changes nothing on tile 0") {
    std::string on0[2];
    for (const bool direct : {false, true}) {
      TwoTiles t;
      const VarId a = t.variable("a");
      t.b.step({t.b.write(a)}); // 1
      const SourceId source = t.b.source();
      t.b.step({StepBuilder::readPart(a, 0, direct ? kOn0 : 4)}, source); // 2
      t.b.step(direct ? std::vector<AccessSpec>{StepBuilder::readPart(a, kOn0, 4)} : std::vector<AccessSpec>(), source);
      const AnalysedHomes h(t.b);
      on0[direct ? 1 : 0] = h.occupied(a, 0);
    }
    CHECK(on0[0] == "1-2");
    CHECK(on0[1] == on0[0]);
  }

  TEST_CASE("a home that the last source to read the variable does not touch has no place in that source") {
    TwoTiles t;
    const VarId a = t.variable("a"), other = t.variable("other");
    t.b.step({t.b.write(a)}); // 1
    t.b.step({});             // 2: between sources all of it is live
    const SourceId source = t.b.source();
    t.b.step({t.b.write(other)}, source);                  // 3
    t.b.step({StepBuilder::readPart(a, kOn0, 4)}, source); // 4
    const AnalysedHomes h(t.b);
    CHECK(h.occupied(a, 0) == "1-2");
    CHECK(h.occupied(a, 1) == "1-4");
  }

  TEST_CASE("a value that is needed behind the source stays, whatever the tile does") {
    TwoTiles t;
    const VarId a = t.variable("a");
    t.b.step({t.b.write(a)}); // 1
    const SourceId source = t.b.source();
    t.b.step({StepBuilder::readPart(a, 0, kOn0)}, source); // 2
    t.b.step({StepBuilder::readPart(a, kOn0, 4)}, source); // 3
    t.b.step({t.b.read(a)});                               // 4
    const AnalysedHomes h(t.b);
    CHECK(h.occupied(a, 0) == "1-4");
    CHECK(h.occupied(a, 1) == "1-4");
    CHECK(h.ranges.homeLives.empty());
  }

  TEST_CASE("an operand that is read and written keeps its home from the copy before to the copy behind") {
    TwoTiles t;
    const VarId a = t.variable("a");
    t.b.step({t.b.write(a)}); // 1
    const SourceId source = t.b.source();
    t.b.step({StepBuilder::readPart(a, 0, kOn0)}, source);                                     // 2
    t.b.step({StepBuilder::readPart(a, kOn0, 4), StepBuilder::writePart(a, kOn0, 4)}, source); // 3
    t.b.step({StepBuilder::writePart(a, 0, kOn0)}, source);                                    // 4
    t.b.step({t.b.read(a)});                                                                   // 5
    const AnalysedHomes h(t.b);
    CHECK(h.occupied(a, 0) == "1-5");
    // the value that it reads at 3 was written before; the value that it writes is read at 5
    CHECK(h.occupied(a, 1) == "1-5");
  }

  TEST_CASE("a home that is overwritten whole has no place before, one that is overwritten in part has") {
    TwoTiles t;
    const VarId a = t.variable("a");
    t.b.step({t.b.write(a)}); // 1
    const SourceId source = t.b.source();
    t.b.step({StepBuilder::readPart(a, 3, 4)}, source);  // 2: reads on tile 1, so a is not killed
    t.b.step({}, source);                                // 3
    t.b.step({StepBuilder::writePart(a, 0, 3)}, source); // 4: all of tile 0, one element of tile 1
    t.b.step({t.b.read(a)});                             // 5
    const AnalysedHomes h(t.b);
    CHECK(h.occupied(a, 0) == "1 4-5");
    CHECK(h.occupied(a, 1) == "1-5");
    CHECK(h.live(a, 0) == "1 4-5");
    CHECK(h.ranges.liveBytes[3] == Bytes(8));
  }

  TEST_CASE("several writes of a source overwrite a home whole only if they cover each of its elements") {
    // Homes of 3 elements: [0, 3) on tile 0, [3, 6) on tile 1.
    const auto occupied = [](std::vector<std::pair<std::uint32_t, std::uint32_t>> writes) {
      StepBuilder b{2};
      const VarId a = b.variable("a", 6, {0, 1});
      b.step({b.write(a)}); // 1
      const SourceId source = b.source();
      b.step({StepBuilder::readPart(a, 5, 6)}, source); // 2: reads on tile 1, so a is not killed
      b.step({}, source);                               // 3
      for (const auto &write : writes)
        b.step({StepBuilder::writePart(a, write.first, write.second)}, source); // 4, 5, ...
      b.step({b.read(a)});
      const AnalysedHomes h(b);
      CHECK(h.occupied(a, 1) == "1-" + std::to_string(4 + writes.size()));
      return h.occupied(a, 0);
    };
    CHECK(occupied({{0, 1}, {1, 3}}) == "1 4-6");
    CHECK(occupied({{1, 3}, {0, 1}}) == "1 4-6"); // in whatever order
    CHECK(occupied({{0, 2}, {1, 3}}) == "1 4-6"); // also where they overlap
    CHECK(occupied({{2, 3}, {0, 1}, {1, 2}}) == "1 4-7");
    CHECK(occupied({{0, 2}, {0, 2}}) == "1-6"); // 4 elements in all, but not the last one
    CHECK(occupied({{0, 2}, {1, 2}}) == "1-6");
    CHECK(occupied({{1, 3}, {1, 3}}) == "1-6");         // not the first one
    CHECK(occupied({{0, 1}, {2, 3}, {0, 1}}) == "1-7"); // not the middle one
    CHECK(occupied({{0, 2}, {2, 4}}) == "1 4-6");       // a write that goes on, on tile 1
  }

  TEST_CASE("in a loop whose body ends with the source the way back counts") {
    for (const bool neededAgain : {false, true}) {
      TwoTiles t;
      const VarId a = t.variable("a");
      t.b.step({t.b.write(a)}); // 1
      t.b.beginRepeat(3);       // 2
      t.b.begin(StepKind::Sequence);
      if (!neededAgain)
        t.b.step({t.b.write(a)}); // 4
      const SourceId source = t.b.source();
      t.b.step({StepBuilder::readPart(a, 0, kOn0)}, source); // 5, or 4
      t.b.step({StepBuilder::readPart(a, kOn0, 4)}, source); // 6, or 5
      t.b.end();
      t.b.end();
      const AnalysedHomes h(t.b);
      CHECK(h.occupied(a, 0) == (neededAgain ? "1-5" : "1 4-5"));
      CHECK(h.occupied(a, 1) == (neededAgain ? "1-5" : "1 4-6"));
    }
  }

  TEST_CASE("in a function that is called twice a home is kept for what follows either call") {
    for (const bool neededBehind : {false, true}) {
      TwoTiles t;
      const VarId a = t.variable("a");
      t.b.step({t.b.write(a)}); // 1
      t.b.call(0);              // 2
      if (!neededBehind)
        t.b.step({t.b.write(a)}); // 3
      t.b.call(0);                // 4, or 3
      t.b.beginFunction();        // its Sequence: 5, or 4
      const SourceId source = t.b.source();
      t.b.step({StepBuilder::readPart(a, 0, kOn0)}, source); // 6, or 5
      t.b.step({StepBuilder::readPart(a, kOn0, 4)}, source); // 7, or 6
      const AnalysedHomes h(t.b);
      CHECK(h.occupied(a, 0) == (neededBehind ? "1-6" : "1-6"));
      CHECK(h.occupied(a, 1) == (neededBehind ? "1-6" : "1-7"));
    }
  }

  TEST_CASE("a variable that is always live, and a WriteUndef, are about all homes together") {
    TwoTiles t;
    const VarId constant = t.variable("c"), a = t.variable("a");
    t.b.info(constant).constant = true;
    t.b.step({t.b.write(a)}); // 1
    const SourceId source = t.b.source();
    t.b.step({StepBuilder::readPart(constant, 0, kOn0), StepBuilder::readPart(a, 0, 4)}, source); // 2
    t.b.step({StepBuilder::readPart(constant, kOn0, 4)}, source);                                 // 3
    t.b.leaf(StepKind::WriteUndef, {StepBuilder::undefPart(a, 0, kOn0)});                         // 4
    const AnalysedHomes h(t.b);
    CHECK(h.occupied(constant, 0) == "0-4");
    CHECK(h.ranges.homeLives.empty());
  }
}
