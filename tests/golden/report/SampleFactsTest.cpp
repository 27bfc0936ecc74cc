// The inconsistencies within the sample report of the user guide. GoldenTest compares our text with the sample byte for
// byte. Equal text proves that we print like the sample, not that our machine would compute its figures. Where the
// sample's figures do not add up, or where the sample lacks the figure behind a line, an input was chosen that gives
// the line. Each such place is a row or a test here, with its reason.
#include "SampleLists.hpp"
#include "SampleRecords.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace {

/// Keeps the records of the sample's run.
struct Recorder : popscope::ProfileSink {
  std::vector<popscope::StepRecord> steps;
  popscope::RunTotals totals;
  void compilation(const popscope::CompilationRecord &) override {}
  void beginRun(const popscope::RunRecord &) override {}
  void step(const popscope::StepRecord &record) override { steps.push_back(record); }
  void endRun(const popscope::RunTotals &t, std::optional<double>) override { totals = t; }
  void resetExecution() override {}
};

Recorder sampleRun() {
  Recorder recorder;
  sample::writeRun(recorder);
  return recorder;
}

std::uint64_t cyclesOfType(const char *name) {
  for (const auto &type : sample::kTypes)
    if (std::strcmp(type.name, name) == 0)
      return type.cycles;
  FAIL("no type ", name);
  return 0;
}

/// An input that the sample does not state; its value was chosen so that `line` prints as in the sample.
struct ChosenInput {
  const char *input, *line, *reason;
}; // `line`: text of the sample
constexpr ChosenInput kChosen[] = {
    {"bytes of every category and region, and the vertex data, on tile 0 alone", "Memory Usage",
     "the sample has sums over tiles only; any spread gives the same text"},
    {"bytes of each tile", "By Tile (Excluding Gaps)",
     "the lower end of each tile's bin, and the rest up to the total on the first tiles; the sample has counts only"},
    {"always-live and maximum live bytes, live bytes of each step", "Variable Storage Liveness",
     "given as totals; that a step's bytes are the sum of its variables is the sample's own arithmetic"},
    {"busy cycles of the broadcast, 126,367, and of the exchange before Convolve, 57,371",
     "Active Tile Balance:                86.6%", "one of the sums that round to the printed percentage"},
    {"busy cycles of host copies: active tiles times the copy's cycles", "Active Tile Balance:                100.0%",
     "the only sum that gives 100.0% exactly; 99.96% would print the same"},
    {"largest data of one tile", "Data Balance",
     "for tiles without data in between any maximum that rounds to the percentage; for the exchanges the mean over the "
     "active tiles"},
    {"bytes sent equal bytes received", "Total Data",
     "the text prints half of both; of a host copy only one side is a tile, so that our machine gives 4 and 0, not 2 "
     "and 2"},
    {"first active cycle of a step: its end less the printed cycles", "StreamCopy (cycles 118 - 118)",
     "see the test on ranges of host copies"},
    {"a last step, 'rest'", "Execution", "holds all cycles that the sample's list of steps, cut short, does not show"},
};

} // namespace

TEST_SUITE("report.golden.facts") {
  TEST_CASE(
      "rows by vertex type add up to more than the heading of the vertex data: they hold code, which it does not") {
    std::uint64_t rows = 0;
    for (const auto &type : sample::kTypes)
      rows += type.memoryBytes;
    CHECK(rows == 490005);
    CHECK(rows - 106509 == 383496);
    // We read the difference as code, once per tile and type. The sample cannot confirm this: its vertex code,
    // 1,097,868 bytes, is larger, because it includes the code that vertices call. The types of the sample therefore
    // get their row as one figure, memoryBytes, which is not a sum of state and code.
    CHECK(383496 < 1097868);
  }

  TEST_CASE("cycles by vertex type hold two types that the total of compute cycles lacks") {
    const Recorder run = sampleRun();
    std::uint64_t rows = 0;
    for (const auto &type : sample::kTypes)
      rows += type.cycles;
    REQUIRE(run.totals.threadCycles.has_value());
    CHECK(rows == 1946793);
    CHECK(run.totals.threadCycles->count() == 1769242);
    // "Total compute cycles (excluding idle threads)" is 177,551 cycles less, which is exactly the sum of these two
    // types. The program that sets the seed is in the list but not in the total. In our own profiles both come from the
    // executed steps and agree. The sample's record has a total that its types do not add up to.
    CHECK(rows - run.totals.threadCycles->count() ==
          cyclesOfType("poprand::SetSeedSupervisor") + cyclesOfType("poplar_rt::MemsetZero"));
    CHECK(cyclesOfType("poprand::SetSeedSupervisor") == 177536);
    CHECK(cyclesOfType("poplar_rt::MemsetZero") == 15);
    std::uint64_t inSteps = 0;
    for (const auto &step : run.steps)
      for (const auto &type : step.vertexTypes)
        inSteps += type.cycles.value_or(popscope::Cycles()).count();
    CHECK(inSteps == rows); // the record follows the list, not the total
  }

  TEST_CASE("the cycles of a host copy are not its range") {
    // "cycles 118 - 118" has 7 cycles, and "1,418 - 12,098" (10,680) has 10,700. We read them as follows: the range
    // begins when the last of all tiles enters and ends when the last tile leaves, while the cycles count from the
    // entry of the first active tile, 7 and 20 cycles earlier. For "DoExchange (cycles 12,432 - 12,581)" the sample
    // states this in words: 169, 20 overlapped.
    for (const auto &step : sampleRun().steps)
      for (const auto &ipu : step.ipus) {
        CHECK(ipu.cycles == ipu.activeToMax - ipu.activeFromMin);
        CHECK(ipu.activeFromMin <= ipu.allFromMax);
      }
  }

  TEST_CASE("the sample's totals leave cycles of its tiles without a cause") {
    const auto totals = sampleRun().totals;
    const popscope::Cycles tileCycles = totals.totalCycles * 1216;
    const popscope::Cycles named =
        totals.compute + totals.exchange + totals.globalExchange + totals.hostExchange + totals.sync;
    CHECK((tileCycles - named).count() == 446764); // 0.7%; in our own profiles it is 0
    CHECK(totals.unattributed.count() == 0);       // not chosen to fit, because no line shows it
  }

  TEST_CASE("chosen inputs are those of the record, and each names a line of the sample") {
    const Recorder run = sampleRun();
    CHECK(run.steps.back().ipus.at(0).busyCycles.count() ==
          run.totals.compute.count() - 384944); // 'rest': compute cycles that are not shown
    std::size_t broadcast = 0, exchange = 0;
    for (const auto &step : run.steps)
      for (const auto &ipu : step.ipus) {
        broadcast += ipu.busyCycles.count() == 126367;
        exchange += ipu.busyCycles.count() == 57371;
        CHECK(ipu.dataIn == ipu.dataOut);
      }
    CHECK((broadcast == 1 && exchange == 1));
    std::ifstream in(POPSCOPE_SOURCE_DIR "/tests/golden/report/seed003.txt");
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    for (const auto &chosen : kChosen) {
      CAPTURE(chosen.input);
      CAPTURE(chosen.reason);
      CHECK(text.find(chosen.line) != std::string::npos);
    }
  }
}
