// The array rule in straight-line programs: the three examples of the user guide's chapter on liveness, and related
// cases.
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "tests/unit/liveness/StepBuilder.hpp"

#include <doctest/doctest.h>

using namespace popscope;
using popscope::testing::StepBuilder;

namespace {

struct Analysed {
  StepProgram program;
  LiveRanges ranges;
  explicit Analysed(StepBuilder &b) : program(b.finish()), ranges(analyseLiveness(program)) {
    for (const std::string &finding : checkLiveness(program, ranges))
      FAIL_CHECK(finding);
  }
  [[nodiscard]] bool live(VarId v, std::uint32_t s) const { return ranges.contains(ranges.live[v], StepIndex(s)); }
  [[nodiscard]] bool occupied(VarId v, std::uint32_t s) const {
    return ranges.contains(ranges.occupied[v], StepIndex(s));
  }
  [[nodiscard]] bool neverLive(VarId v) const { return ranges.live[v] == LiveClassId(0); }
};

// The unrelated step between the writes is the position "here" of the examples.
struct Example {
  StepBuilder b;
  VarId var = b.variable("var", 2);
  std::uint32_t first = 0, between = 0, last = 0;

  void firstWrite() {
    first = b.step({b.write(var)});
    between = b.step({});
  }
};

} // namespace

TEST_SUITE("liveness.analysis") {
  TEST_CASE("example 1: a variable is dead before a compute set that writes all its elements") {
    Example e;
    e.firstWrite();
    e.last = e.b.step({e.b.write(e.var)});
    const std::uint32_t use = e.b.step({e.b.read(e.var)});
    const Analysed a(e.b);
    CHECK_FALSE(a.live(e.var, e.first)); // its value can never be read
    CHECK_FALSE(a.live(e.var, e.between));
    CHECK(a.live(e.var, e.last));
    CHECK(a.live(e.var, use));
    CHECK(a.occupied(e.var, e.first)); // the dead write still needs memory
    CHECK_FALSE(a.occupied(e.var, e.between));
  }

  TEST_CASE("example 2: a variable stays alive before a write of some of its elements") {
    Example e;
    e.firstWrite();
    e.last = e.b.step({StepBuilder::writePart(e.var, 0, 1)});
    e.b.step({e.b.read(e.var)});
    const Analysed a(e.b);
    CHECK(a.live(e.var, e.first));
    CHECK(a.live(e.var, e.between));
    CHECK(a.live(e.var, e.last));
    CHECK_FALSE(a.live(e.var, 0)); // killed by the first write, also for the engine's next run
  }

  TEST_CASE("example 3: writes of all elements in separate compute sets do not kill") {
    Example e;
    e.firstWrite();
    e.b.step({StepBuilder::writePart(e.var, 0, 1)}, e.b.source());
    e.last = e.b.step({StepBuilder::writePart(e.var, 1, 2)}, e.b.source());
    e.b.step({e.b.read(e.var)});
    const Analysed a(e.b);
    CHECK(a.live(e.var, e.between));
    CHECK(a.live(e.var, e.last));
  }

  TEST_CASE("without a reader, the variable of each example is never live") {
    for (int example = 1; example <= 3; ++example) {
      Example e;
      e.firstWrite();
      if (example == 1)
        e.b.step({e.b.write(e.var)});
      if (example >= 2)
        e.b.step({StepBuilder::writePart(e.var, 0, 1)});
      if (example == 3)
        e.b.step({StepBuilder::writePart(e.var, 1, 2)});
      const Analysed a(e.b);
      CHECK(a.neverLive(e.var));
      CHECK(a.occupied(e.var, e.first));
      CHECK_FALSE(a.occupied(e.var, e.between));
    }
  }

  TEST_CASE("the steps of one source kill together, at the one by which all is written") {
    StepBuilder b;
    const VarId v = b.variable("v", 4);
    const SourceId s = b.source();
    const std::uint32_t before = b.step({});
    const std::uint32_t one = b.step({StepBuilder::writePart(v, 0, 2)}, s);
    const std::uint32_t gap = b.step({}, s);
    const std::uint32_t two = b.step({StepBuilder::writePart(v, 2, 4)}, s);
    b.step({b.read(v)});
    const Analysed a(b);
    CHECK_FALSE(a.live(v, before));
    CHECK_FALSE(a.live(v, one));
    CHECK_FALSE(a.live(v, gap));
    CHECK(a.live(v, two));
    CHECK(a.occupied(v, one)); // the result of the source's first write must survive until the last write
    CHECK(a.occupied(v, gap));
    CHECK_FALSE(a.occupied(v, before));
  }

  TEST_CASE("a message to an InOut field dies at the exchange that fills it") {
    StepBuilder b;
    const VarId v = b.variable("v", 2), message = b.variable("<message:v>", 2);
    const SourceId s = b.source();
    b.step({b.write(v)});
    const std::uint32_t before = b.step({});
    const std::uint32_t fill = b.step({b.read(v), b.write(message)}, s);
    const std::uint32_t vertex = b.step({b.read(message), b.write(message)}, s);
    const std::uint32_t back = b.step({b.read(message), b.write(v)}, s);
    const std::uint32_t after = b.step({});
    b.step({b.read(v)});
    const Analysed a(b);
    CHECK_FALSE(a.live(message, before));
    CHECK(a.live(message, fill));
    CHECK(a.live(message, vertex));
    CHECK(a.live(message, back));
    CHECK_FALSE(a.live(message, after));
    CHECK_FALSE(a.occupied(message, after));
    CHECK(a.live(v, before));
    CHECK(a.live(v, vertex)); // its source has read it, so writing it back does not end its life
    CHECK(a.live(v, after));
  }

  TEST_CASE("a source kills once: what it writes after it has covered the variable, or after a read, kills nothing") {
    StepBuilder b;
    const VarId twice = b.variable("twice", 4), readFirst = b.variable("readFirst", 4),
                inParts = b.variable("inParts", 4);
    const SourceId s = b.source();
    const std::uint32_t before = b.step({});
    const std::uint32_t one =
        b.step({b.write(twice), StepBuilder::readPart(readFirst, 0, 1), StepBuilder::writePart(inParts, 0, 2)}, s);
    const std::uint32_t two = b.step({b.write(twice), StepBuilder::writePart(inParts, 2, 3)}, s);
    const std::uint32_t three = b.step({b.read(twice), b.write(readFirst), StepBuilder::writePart(inParts, 3, 4)}, s);
    b.step({b.write(inParts)}, s);
    b.step({b.read(readFirst), b.read(inParts)});
    const Analysed a(b);
    CHECK_FALSE(a.live(twice, before));
    CHECK(a.live(twice, one));
    CHECK(a.live(readFirst, before));
    CHECK(a.live(readFirst, two));
    CHECK_FALSE(a.live(inParts, two));
    CHECK(a.occupied(inParts, one));
    CHECK(a.live(inParts, three)); // not only from the later write of the whole
  }

  TEST_CASE("an InOut field reads before it writes") {
    StepBuilder b;
    const VarId v = b.variable("v", 2);
    b.step({b.write(v)});
    const std::uint32_t between = b.step({});
    const std::uint32_t inOut = b.step({b.read(v), b.write(v)});
    const std::uint32_t after = b.step({});
    const Analysed a(b);
    CHECK(a.live(v, between));
    CHECK(a.live(v, inOut));
    CHECK_FALSE(a.live(v, after));
  }

  TEST_CASE("WriteUndef kills a whole variable, and does nothing to a part of a variable") {
    for (const bool wholly : {true, false}) {
      StepBuilder b;
      const VarId v = b.variable("v", 2);
      b.step({b.write(v)});
      const std::uint32_t between = b.step({});
      b.leaf(StepKind::WriteUndef, {wholly ? b.undef(v) : StepBuilder::undefPart(v, 0, 1)});
      b.step({StepBuilder::writePart(v, 0, 1)});
      b.step({b.read(v)});
      const Analysed a(b);
      CHECK(a.live(v, between) == !wholly);
    }
  }

  TEST_CASE("a WriteUndef needs no memory: a dead variable is not occupied there") {
    for (const bool inLoop : {false, true}) {
      StepBuilder b;
      const VarId v = b.variable("v", 2), onlyUndef = b.variable("u", 2);
      const std::uint32_t write = b.step({b.write(v)}), read = b.step({b.read(v)});
      if (inLoop)
        b.beginRepeat(3);
      const std::uint32_t whole = b.leaf(StepKind::WriteUndef, {b.undef(v), b.undef(onlyUndef)}),
                          part = b.leaf(StepKind::WriteUndef, {StepBuilder::undefPart(v, 0, 1)});
      if (inLoop)
        b.end();
      const std::uint32_t again = b.step({b.write(v)});
      const Analysed a(b);
      CHECK(a.occupied(v, write));
      CHECK(a.occupied(v, read));
      CHECK_FALSE(a.occupied(v, whole));
      CHECK_FALSE(a.occupied(v, part));
      CHECK_FALSE(a.occupied(onlyUndef, whole));
      CHECK(a.occupied(v, again));
    }
  }

  TEST_CASE("two partial WriteUndefs do not add up, and neither do an undef and a write") {
    StepBuilder b;
    const VarId v = b.variable("v", 2), w = b.variable("w", 2);
    const std::uint32_t start = b.step({b.write(v), b.write(w)});
    const SourceId s = b.source();
    b.leaf(StepKind::WriteUndef, {StepBuilder::undefPart(v, 0, 1)}, 0, s);
    b.leaf(StepKind::WriteUndef, {StepBuilder::undefPart(v, 1, 2)}, 0, s);
    b.step({StepBuilder::undefPart(w, 0, 1), StepBuilder::writePart(w, 1, 2)});
    b.step({b.read(v), b.read(w)});
    const Analysed a(b);
    CHECK(a.live(v, start));
    CHECK(a.live(w, start));
  }

  TEST_CASE("a variable that is live at every step is always live, and a rearrangement is never always live") {
    StepBuilder b;
    const VarId weights = b.variable("weights", 3), rearranged = b.variable("r", 5), constant = b.variable("c", 7),
                header = b.variable("h", 11);
    b.info(rearranged).category = StorageCategory::Rearrangement;
    b.info(constant).constant = true;
    b.info(header).category = StorageCategory::InstrumentationResults;
    b.step({b.read(weights), b.read(rearranged)});
    b.step({});
    const Analysed a(b);
    CHECK(a.ranges.always[weights] == 1);
    CHECK(a.ranges.always[rearranged] == 0);
    CHECK(a.ranges.live[rearranged] == LiveClassId(1));
    CHECK(a.ranges.always[constant] == 1);
    CHECK(a.ranges.live[constant] == LiveClassId(0)); // nothing reads it
    CHECK(a.ranges.occupied[constant] == LiveClassId(1));
    CHECK(a.ranges.always[header] == 1);
    CHECK(a.ranges.alwaysLiveBytes == Bytes((3 + 7 + 11) * 4));
    for (const Bytes live : a.ranges.liveBytes)
      CHECK(live == Bytes(5 * 4));
  }

  TEST_CASE("live bytes follow births and deaths, and equal intervals share a class") {
    StepBuilder b;
    const VarId v = b.variable("v", 1), w = b.variable("w", 10), x = b.variable("x", 100);
    b.step({b.write(v), b.write(x)}); // step 1: v and x live-out
    b.step({b.write(w)});             // step 2: v, w, x
    b.step({b.read(v), b.read(x)});   // step 3: v, w, x
    b.step({b.read(w)});              // step 4: w
    const Analysed a(b);
    const std::vector<Bytes> expected{Bytes(0), Bytes(404), Bytes(444), Bytes(444), Bytes(40)};
    CHECK(a.ranges.liveBytes == expected);
    CHECK(a.ranges.live[v] == a.ranges.live[x]);
    CHECK(a.ranges.live[v] == LiveClassId(2)); // the first class after the empty and the whole one
    CHECK(a.ranges.classes.size() == 4);
  }
}
