// debug.runtimeVerify: races are found before the step runs, and messages name them.
#include "TestClasses.hpp"

#include "base/Check.hpp"
#include "instrument/machine/Overlaps.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;
using namespace popscope::test;

namespace {

// Two Add vertices on tile 0; vertex 101 reads and writes the elements given by byte offsets into `x`.
void runTwoVertices(std::uint64_t readAt, std::uint64_t writeAt, bool check) {
  ProgramBuilder b(1);
  const HomeId x = b.ints("x", 0, std::vector<std::int32_t>(16, 0));
  const auto type = b.type("Add", classes().add);
  b.execute("racy");
  b.vertex(type, 0); // 100: reads elements 0-1, writes elements 4-5
  b.edge(0, x, 0, 2, true, false);
  b.edge(1, x, 16, 2, false, true);
  b.vertex(type, 0);
  b.edge(0, x, readAt, 2, true, false);
  b.edge(1, x, writeAt, 2, false, true);
  b.finishRoot();
  MachineOptions options;
  options.checkRaces = check;
  Rig rig(b, options);
  rig.run();
}

// The simple O(n^2) reference for findConflict.
bool anyConflict(const std::vector<ByteUse> &uses) {
  for (const ByteUse &a : uses)
    for (const ByteUse &b : uses)
      if (a.user != b.user && a.home == b.home && (a.writes || b.writes) &&
          std::max(a.begin, b.begin) < std::min(a.end, b.end))
        return true;
  return false;
}

} // namespace

TEST_SUITE("instrument.races") {

  TEST_CASE("vertices that share only what they read, or nothing, pass") {
    CHECK_NOTHROW(runTwoVertices(0, 24, true)); // both read the same input; outputs touch at byte 24
    CHECK_NOTHROW(runTwoVertices(8, 8, true));  // the vertex's own input is its output
  }

  TEST_CASE("two vertices that write the same element race, and so do a reader and a writer") {
    try {
      runTwoVertices(8, 20, true);
      FAIL("no exception");
    } catch (const poplar::poplar_error &e) {
      const std::string what = e.what();
      CAPTURE(what);
      for (const char *part : {"'racy'", "tile 0", "vertex 100 of type 'Add' (writes)",
                               "vertex 101 of type 'Add' (writes)", "elements [5, 6) of variable 'x'"})
        CHECK(what.find(part) != std::string::npos);
    }
    CHECK_THROWS_WITH_AS(runTwoVertices(8, 4, true), doctest::Contains("vertex 100 of type 'Add' (reads)"),
                         poplar::poplar_error);
    CHECK_THROWS_WITH_AS(runTwoVertices(20, 32, true), doctest::Contains("vertex 101 of type 'Add' (reads)"),
                         poplar::poplar_error);
  }

  TEST_CASE("without the option nothing is checked") { CHECK_NOTHROW(runTwoVertices(8, 20, false)); }

  TEST_CASE("a race throws before any vertex of the step ran, and copy vertices race too") {
    ProgramBuilder b(1);
    const HomeId x = b.ints("x", 0, {1, 2});
    const auto tick = b.type("Tick", classes().tick);
    const auto copyType = b.type("poplar_rt::ShortMemcpy", -1, VertexKind::Copy);
    b.execute("cs");
    b.vertex(tick, 0);
    b.state<std::int32_t>(0, {0});
    b.edge(1, x, 0, 1, false, true);
    b.copy(copyType, 0, CopyVertexKind::ShortMemcpy, 1);
    b.run(x, 0, x, 4, 4);
    b.finishRoot();
    MachineOptions options;
    options.checkRaces = true;
    Rig rig(b, options);
    CHECK_THROWS_WITH_AS(rig.run(), doctest::Contains("a copy vertex of type 'poplar_rt::ShortMemcpy' (reads)"),
                         poplar::poplar_error);
  }

  TEST_CASE("an exchange whose messages overlap is our bug in check mode") {
    ProgramBuilder b(2);
    const HomeId x = b.ints("x", 0, {1, 2}), y = b.ints("y", 1, {0, 0});
    b.exchange();
    b.message(x, 0, y, 0, 8);
    b.message(y, 4, x, 4, 4); // reads what the first message writes
    b.finishRoot();
    MachineOptions options;
    options.checkRaces = true;
    Rig rig(b, options);
    CHECK_THROWS_WITH_AS(rig.run(), doctest::Contains("messages 0 and 1"), InternalError);
  }

  TEST_CASE("conflicts are found wherever the slow comparison of all pairs finds one") {
    std::uint32_t seed = 20240611;
    const auto next = [&](std::uint32_t n) {
      seed = seed * 1664525U + 1013904223U;
      return (seed >> 16) % n;
    };
    int found = 0;
    for (int round = 0; round < 3000; ++round) {
      std::vector<ByteUse> uses;
      const std::uint32_t n = 2 + next(7);
      for (std::uint32_t i = 0; i < n; ++i) {
        const Bytes begin(next(40));
        uses.push_back({HomeId(next(2)), begin, begin + Bytes(next(9)), next(4), next(4) == 0});
      }
      CAPTURE(round);
      const auto conflict = findConflict(uses);
      REQUIRE(conflict.has_value() == anyConflict(uses));
      if (conflict) {
        ++found;
        REQUIRE(anyConflict({conflict->first, conflict->second}));
      }
    }
    CHECK(found > 500);
    CHECK(found < 2500);
  }

} // TEST_SUITE
