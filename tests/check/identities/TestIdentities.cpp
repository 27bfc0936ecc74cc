// The identities on small sizes of the three programs, at every level. Also checks that each check can fail.
#include "tests/MachineRules.hpp"
#include "tests/check/identities/Checks.hpp"
#include "tests/check/identities/TileSums.hpp"

#include <cstdlib>
#include <doctest/doctest.h>

using namespace identities;
using profile_check::describe;

TEST_SUITE("identities") {

  TEST_CASE("every cycle has a cause on each device kind, at each level, with and without each counter") {
    const Findings findings = checkAll(smallSubjects(), allSetups());
    CHECK_MESSAGE(findings.empty(), describe(findings));
  }

  TEST_CASE("every cycle of the perceptron has a cause too") {
    const Findings findings = checkAll({smallPerceptron()}, fewSetups());
    CHECK_MESSAGE(findings.empty(), describe(findings));
  }

  TEST_CASE("and where tiles sort what arrives as it was sent") {
    const MachineRules rules("ipu1", R"("receivedPieces": "asSent")");
    Findings findings = checkAll({smallPerceptron()}, fewSetups());
    const Findings small = checkAll(smallSubjects(), fewSetups());
    findings.insert(findings.end(), small.begin(), small.end());
    CHECK_MESSAGE(findings.empty(), describe(findings));
  }

  TEST_CASE("a tile that loses cycles, or gets them twice, is found") {
    using popscope::Cycles, popscope::TileTimes;
    const auto two = [](std::uint64_t a, std::uint64_t b) { return TileTimes{Cycles(a), Cycles(b)}; };
    const TileTimes zero(2), ten = two(10, 10), twenty = two(20, 20), work = two(10, 4);
    const auto events = [&](const TileTimes &secondBegin, const TileTimes &clocks) {
      TileSums sums(2);
      sums.beginRun(0, "");
      popscope::StepEvent event;
      event.begin = event.start = zero;
      event.end = ten;
      event.busy = work;
      sums.step(event);
      event.begin = event.start = secondBegin;
      event.end = twenty;
      sums.step(event);
      sums.endRun(clocks);
      return sums.findings();
    };
    CHECK(events(ten, twenty).empty());
    CHECK_FALSE(events(two(10, 9), twenty).empty());  // work begins before the previous step ended
    CHECK_FALSE(events(two(12, 10), twenty).empty()); // two cycles belong to no step
    CHECK_FALSE(events(ten, two(20, 25)).empty());    // the run ends later than its steps
  }

  TEST_CASE("knowing more or less than the level is found") {
    const SubjectRow row = smallSubjects().back();
    Setup tile;
    for (const Setup &setup : allSetups())
      if (setup.level == "tile" && setup.external)
        tile = setup;
    const poplar::Device device = deviceOf(tile, row.tilesPerIpu, row.ipus);
    const auto subject = row.make(device.getTarget());
    poplar::Engine engine(subject->graph(), subject->programs(), tile.options());
    engine.load(device);
    engine.run(1);
    const pva::Report report = engine.getReport();
    CHECK(checkKnowledge(tile, report).empty());
    for (const char *other : {"vertex", "ipu", "device"}) {
      Setup wrong = tile;
      wrong.level = other;
      CHECK_FALSE(checkKnowledge(wrong, report).empty());
    }
    Setup wrong = tile;
    wrong.external = false;
    CHECK_FALSE(checkKnowledge(wrong, report).empty());
  }

} // TEST_SUITE
