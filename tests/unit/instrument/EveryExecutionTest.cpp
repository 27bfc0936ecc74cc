// Every execution of every program, split into records whose offsets fit into 32 bits.
#include "instrument/counters/EveryExecution.hpp"

#include <doctest/doctest.h>

using namespace popscope;

namespace {

struct Kept : ProfileSink {
  void compilation(const CompilationRecord &) override {}
  void beginRun(const RunRecord &) override {}
  void step(const StepRecord &) override {}
  void endRun(const RunTotals &, std::optional<double>) override {}
  void resetExecution() override {}
  void executions(const ExecutionsRecord &record) override { records.push_back(record); }
  std::vector<ExecutionsRecord> records;
};
struct Nobody : EventSink {
  void beginRun(std::uint32_t, const std::string &) override {}
  void step(const StepEvent &) override { ++steps; }
  void endRun(std::span<const Cycles>) override {}
  int steps = 0;
};

using Times = std::vector<std::uint64_t>;

void tell(EveryExecution &every, std::uint32_t step, const Times &start, const Times &busy,
          TimeKind kind = TimeKind::Compute) {
  StepEvent event;
  event.step = StepIndex(step);
  event.kind = kind;
  std::vector<Cycles> starts, works;
  for (const std::uint64_t at : start)
    starts.emplace_back(at);
  for (const std::uint64_t work : busy)
    works.emplace_back(work);
  event.begin = event.start = event.end = starts;
  event.busy = works;
  every.step(event);
}

} // namespace

TEST_SUITE("instrument.every execution") {

  TEST_CASE("start of the first active tile and cycles of the slowest, step by step; syncs are none") {
    Kept kept;
    Nobody nobody;
    EveryExecution every(4, nobody, kept);
    every.beginRun(0, "");
    tell(every, 1, {100, 90}, {5, 7});
    tell(every, 2, {110, 50}, {9, 0}); // tile 1 has no work
    tell(every, 3, {0, 0}, {0, 0}, TimeKind::Sync);
    tell(every, 1, {130, 140}, {6, 2});
    CHECK(kept.records.empty());
    every.endRun(std::vector<Cycles>(2));
    REQUIRE(kept.records.size() == 2);
    CHECK(kept.records[0].program == 1);
    CHECK(kept.records[0].starts == Times{90, 130});
    CHECK(kept.records[0].cycles == std::vector<std::uint32_t>{7, 6});
    CHECK(kept.records[1].starts == Times{110});
    CHECK(nobody.steps == 4);
  }

  TEST_CASE(
      "what lies too far apart goes into another record, and more cycles than 32 bits hold are the largest number") {
    Kept kept;
    Nobody nobody;
    EveryExecution every(1, nobody, kept);
    every.beginRun(0, "");
    const std::uint64_t far = std::uint64_t(1) << 33;
    tell(every, 0, {5}, {1});
    tell(every, 0, {far}, {far});
    REQUIRE(kept.records.size() == 1);
    every.cutRun(); // a run that does not end
    REQUIRE(kept.records.size() == 2);
    CHECK(kept.records[1].first == 1);
    CHECK(kept.records[1].starts == Times{far});
    CHECK(kept.records[1].cycles == std::vector<std::uint32_t>{0xFFFFFFFF});
  }

  TEST_CASE("a run begins anew") {
    Kept kept;
    Nobody nobody;
    EveryExecution every(1, nobody, kept);
    for (int run = 0; run < 2; ++run) {
      every.beginRun(0, "");
      tell(every, 0, {1}, {1});
      every.endRun(std::vector<Cycles>{Cycles(1)});
    }
    REQUIRE(kept.records.size() == 2);
    CHECK(kept.records[1].first == 0);
  }

} // TEST_SUITE
