// Counters of control flow: what a loop or conditional did, how long it took, and the cost of counting.
#include "TestClasses.hpp"

#include "instrument/machine/LastExecution.hpp"

#include <doctest/doctest.h>

using namespace popscope;
using namespace popscope::test;

namespace {

using Times = std::vector<std::uint64_t>;

// The results of counters on tile 0, as InsertInstrumentation would place them.
void count(ProgramBuilder &b, StepIndex step, std::uint32_t results, std::uint32_t instructions) {
  b.program.storage.push_back(
      {step, TileId(0), StorageCategory::InstrumentationResults, Bytes32(results * 4), instructions});
}

// Adds a compute set of one worker vertex on tile 0, which takes six tile cycles per thread cycle.
void work(ProgramBuilder &b, VertexTypeId type, std::int64_t threadCycles) {
  b.execute();
  b.vertex(type, 0, threadCycles);
}

std::uint32_t ifOn(ProgramBuilder &b, HomeId control) {
  SwitchStep s;
  s.control = {control, {}, Bytes(4)};
  s.type = ElementType::Int;
  b.program.switches.push_back(s);
  return static_cast<std::uint32_t>(b.program.switches.size() - 1);
}

// Adds a Repeat `inner` without children within a Repeat `outer`; returns the inner loop.
StepIndex nestedNothing(ProgramBuilder &b, std::uint32_t outer, std::uint32_t inner) {
  b.program.repeats.push_back({outer});
  b.program.repeats.push_back({inner});
  b.open(StepKind::Repeat, "", 0);
  b.open(StepKind::Sequence);
  const StepIndex loop = b.open(StepKind::Repeat, "", 1);
  b.open(StepKind::Sequence);
  b.add(StepKind::WriteUndef);
  b.close();
  b.close();
  b.close();
  b.close();
  return loop;
}

} // namespace

TEST_SUITE("instrument.control counters") {

  TEST_CASE("a Repeat: 4 instructions and a store, 10 cycles, after its three times 30") {
    ProgramBuilder b(2);
    const auto own = b.type("Costed", classes().costed);
    b.program.repeats.push_back({3});
    const StepIndex loop = b.open(StepKind::Repeat);
    b.open(StepKind::Sequence);
    work(b, own, 5);
    b.close();
    b.close();
    count(b, loop, 1, 5);
    b.finishRoot();
    Rig rig(b);
    rig.runTimed();
    REQUIRE(rig.log.controlFlow.size() == 1);
    const auto &row = rig.log.controlFlow[0];
    CHECK(row.step == loop.index());
    CHECK(row.result.taken == 3);
    CHECK(row.result.cycles.count() == 90);
    CHECK(row.begin == Times{90, 0});
    CHECK(row.end == Times{100, 0});
    CHECK(rig.log.clocks == Times{100, 0});
  }

  TEST_CASE("counters that take time to read are read each time, around nothing too") {
    ProgramBuilder b(1);
    const StepIndex loop = nestedNothing(b, 3, 4000000000U);
    count(b, loop, 1, 5);
    b.finishRoot();
    Rig rig(b);
    rig.runTimed();
    // the outer loop's record comes last; its control flow costs nothing on this machine
    REQUIRE(rig.log.controlFlow.size() == 4);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(rig.log.controlFlow[i].step == loop.index());
      CHECK(rig.log.controlFlow[i].result.taken == 4000000000U);
      CHECK(rig.log.controlFlow[i].result.cycles.count() == 0);
    }
    CHECK(rig.log.controlFlow[3].result.taken == 3);
    CHECK(rig.log.controlFlow[3].result.cycles.count() == 30);
    CHECK(rig.log.clocks == Times{30});
  }

  TEST_CASE("a Repeat of nothing takes no time, and tells of loops inside once") {
    ProgramBuilder b(1);
    const StepIndex loop = nestedNothing(b, 4000000000U, 7);
    b.finishRoot();
    TileMachine machine = testMachine(1);
    machine.kind = DeviceKind::IpuModel;
    const CostModel costs(machine);
    Machine device(b.program, classes().codelets, costs, {});
    TestHost host;
    EventLog log;
    device.run(0, "run", host, &log);
    REQUIRE(log.controlFlow.size() == 2);
    CHECK(log.controlFlow[0].step == loop.index());
    CHECK(log.controlFlow[0].result.taken == 7);
    CHECK(log.controlFlow[1].result.taken == 4000000000U);
    CHECK(log.controlFlow[1].result.cycles.count() == 0);
    CHECK(log.clocks == Times{0});
    CHECK(device.progress().all == device.progress().steps); // not 28 billion
  }

  TEST_CASE("an If: 7 instructions of which 2 store, 5 + 2 * 6 = 17 cycles; the child that was taken") {
    for (const std::int32_t truth : {1, 0}) {
      ProgramBuilder b(1);
      const auto own = b.type("Costed", classes().costed);
      const HomeId p = b.ints("p", 0, {truth});
      const StepIndex step = b.open(StepKind::If, "", ifOn(b, p));
      b.open(StepKind::Sequence);
      work(b, own, 5);
      b.close();
      b.open(StepKind::Sequence);
      b.close();
      b.close();
      count(b, step, 2, 7);
      b.finishRoot();
      Rig rig(b);
      rig.runTimed();
      const auto &row = rig.log.controlFlow.at(0);
      CHECK(row.result.taken == (truth == 1 ? 0 : 1));
      CHECK(row.result.cycles.count() == (truth == 1 ? 30 : 0));
      CHECK(row.end[0] - row.begin[0] == 17);
    }
  }

  TEST_CASE("a RepeatWhile: 17 cycles, one to set its count to 0 and one for each iteration") {
    for (const std::int32_t rounds : {0, 4}) {
      ProgramBuilder b(1);
      const HomeId n = b.ints("n", 0, {rounds});
      const auto decrement = b.type("Decrement", classes().decrement);
      const StepIndex loop = b.open(StepKind::RepeatWhile);
      b.open(StepKind::Sequence);
      b.test(StepKind::WhileTest, n, ElementType::Int, true);
      b.close();
      b.open(StepKind::Sequence);
      b.execute();
      b.vertex(decrement, 0, 5);
      b.edge(0, n, 0, 1, true, true);
      b.close();
      b.close();
      count(b, loop, 2, 9);
      b.finishRoot();
      Rig rig(b);
      rig.runTimed();
      const auto &row = rig.log.controlFlow.at(0);
      CHECK(row.result.taken == static_cast<std::uint64_t>(rounds));
      CHECK(row.result.cycles.count() == 30U * static_cast<std::uint64_t>(rounds));
      CHECK(row.end[0] - row.begin[0] == 17U + 1U + static_cast<std::uint64_t>(rounds));
    }
  }

  TEST_CASE("a Switch that no label fits takes no child") {
    ProgramBuilder b(1);
    const HomeId which = b.ints("which", 0, {7});
    const std::uint32_t payload = ifOn(b, which);
    b.program.switches[payload].labels = {1, 2};
    const StepIndex step = b.open(StepKind::Switch, "", payload);
    for (int i = 0; i < 2; ++i) {
      b.open(StepKind::Sequence);
      b.close();
    }
    b.close();
    count(b, step, 2, 7);
    b.finishRoot();
    Rig rig(b);
    rig.runTimed();
    CHECK(rig.log.controlFlow.at(0).result.taken == kNoChild);
  }

  TEST_CASE("the engine's own Switch is not watched, and nothing at all without a listener") {
    ProgramBuilder b(1);
    SwitchStep engineSwitch;
    engineSwitch.engineSwitch = true;
    b.program.switches.push_back(engineSwitch);
    b.open(StepKind::Switch, "", 0);
    b.open(StepKind::Sequence);
    b.close();
    b.close();
    b.finishRoot();
    Rig rig(b);
    rig.runTimed();
    CHECK(rig.log.controlFlow.empty());
    CHECK_NOTHROW(rig.run());
  }

  TEST_CASE("the counters of the last execution are told, with the cycles that they really held") {
    ProgramBuilder b(1);
    const HomeId n = b.ints("n", 0, {2});
    const auto decrement = b.type("Decrement", classes().decrement), costed = b.type("Costed", classes().costed);
    b.program.repeats.push_back({2});
    b.open(StepKind::Repeat); // n is 2, then 1, so the branch is taken once
    b.open(StepKind::Sequence);
    b.execute();
    b.vertex(decrement, 0, 5);
    b.edge(0, n, 0, 1, true, true);
    const StepIndex step = b.open(StepKind::If, "", ifOn(b, n));
    b.open(StepKind::Sequence);
    work(b, costed, 100);
    b.close();
    b.open(StepKind::Sequence);
    b.close();
    b.close();
    b.close();
    b.close();
    count(b, step, 2, 7);
    b.finishRoot();
    const CostModel costs(testMachine(1));
    Machine machine(b.program, classes().codelets, costs, {});
    TestHost host;
    EventLog log;
    LastExecution last(b.program, costs, log);
    machine.run(0, "run", host, &last);
    std::vector<EventLog::Control> ifs;
    for (const auto &row : log.controlFlow)
      if (row.step == step.index())
        ifs.push_back(row);
    REQUIRE(ifs.size() == 2); // reported for each of two executions, always with the last result: not taken, no cycles
    for (const auto &row : ifs) {
      CHECK(row.result.taken == 1);
      CHECK(row.result.cycles.count() == 0);
      CHECK(row.end[0] - row.begin[0] == 17);
    }
  }

} // TEST_SUITE
