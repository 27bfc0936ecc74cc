// Counters: turn events into records; the identity holds per tile, and events that break it are refused.
#include "TestClasses.hpp"

#include "base/Check.hpp"
#include "instrument/counters/Counters.hpp"

#include <doctest/doctest.h>

using namespace popscope;
using namespace popscope::test;

namespace {

using Times = std::vector<std::uint64_t>;

struct ProfileLog : ProfileSink {
  void compilation(const CompilationRecord &) override {}
  void beginRun(const RunRecord &record) override { run = record; }
  void step(const StepRecord &record) override { steps.push_back(record); }
  void endRun(const RunTotals &record, std::optional<double> micros) override {
    totals = record;
    endMicroseconds = micros;
  }
  void resetExecution() override {}
  RunRecord run;
  std::vector<StepRecord> steps;
  RunTotals totals;
  std::optional<double> endMicroseconds = -1;
};

// A program with `tiles` tiles and as many steps as hand-made events name.
struct Fixture {
  explicit Fixture(std::uint32_t tiles, std::uint32_t tilesPerIpu) : b(tiles, tilesPerIpu) {
    while (b.program.steps.size() <= 5)
      b.add(StepKind::WriteUndef);
    b.finishRoot();
    counters = std::make_unique<Counters>(b.program, tilesPerIpu, log);
    counters->beginRun(0, "run");
  }
  void step(TimeKind kind, const Times &begin, const Times &busy, const Times &end, const Times &received = {},
            const Times &sent = {}) {
    StepEvent event;
    event.step = StepIndex(5);
    event.kind = kind;
    const auto beginAt = in<Cycles>(begin), endAt = in<Cycles>(end), works = in<Cycles>(busy);
    event.begin = beginAt;
    event.end = endAt;
    event.busy = works;
    auto start = endAt; // work ends with the step
    for (std::size_t t = 0; t < start.size(); ++t)
      start[t] -= std::min(start[t], works[t]);
    event.start = start;
    const auto dataIn = in<Bytes>(received), dataOut = in<Bytes>(sent);
    event.dataIn = dataIn;
    event.dataOut = dataOut;
    counters->step(event);
  }
  ProgramBuilder b;
  ProfileLog log;
  std::unique_ptr<Counters> counters;
};

std::uint64_t sumOfKinds(const RunTotals &t) {
  return (t.compute + t.exchange + t.globalExchange + t.hostExchange + t.sharedStructureCopy + t.sync + t.unattributed)
      .count();
}

} // namespace

TEST_SUITE("instrument.counters") {

  TEST_CASE("a step's record holds minima, maxima and sums over the tiles of each IPU") {
    Fixture f(4, 2);
    // IPU 0: tile 0 starts at 0 and works 10; tile 1 idle. IPU 1: both work, from 0.
    f.step(TimeKind::Exchange, {0, 0, 0, 0}, {10, 0, 30, 40}, {10, 0, 30, 40}, {4, 0, 8, 0}, {0, 0, 8, 24});
    // Then tile 0 idles at 10, tile 1 works from 0 to 5; IPU 1 idles.
    f.step(TimeKind::Exchange, {10, 0, 30, 40}, {0, 5, 0, 0}, {10, 5, 30, 40});
    f.counters->endRun(in<Cycles>({10, 5, 30, 40}));

    const StepOnIpu &a = f.log.steps.at(0).ipus.at(0), &c = f.log.steps.at(0).ipus.at(1);
    CHECK(f.log.steps[0].program == 5);
    CHECK(f.log.steps[0].cyclesByTile == std::vector<std::uint32_t>{10, 0, 30, 40});
    CHECK_FALSE(f.log.steps[0].threadCycles.has_value());
    CHECK(a.cycles.count() == 10);
    CHECK(a.activeTiles == 1);
    CHECK(a.allToMin.count() == 0);
    CHECK(a.allToMax.count() == 10);
    CHECK(c.cycles.count() == 40);
    CHECK(c.activeTiles == 2);
    CHECK(c.busyCycles.count() == 70);
    CHECK(c.activeToMin.count() == 30);
    CHECK(c.activeToMax.count() == 40);
    CHECK(c.dataIn.count() == 8);
    CHECK(c.dataOut.count() == 32);
    CHECK(c.maxTileData.count() == 24);

    const StepOnIpu &second = f.log.steps.at(1).ipus.at(0), &idle = f.log.steps.at(1).ipus.at(1);
    CHECK(second.allFromMin.count() == 0);
    CHECK(second.allFromMax.count() == 10);
    CHECK(second.activeFromMin.count() == 0);
    CHECK(second.activeFromMax.count() == 0);
    CHECK(second.activeToMax.count() == 5);
    CHECK(idle.cycles.count() == 0);
    CHECK(idle.activeTiles == 0);
    CHECK(idle.allFromMin.count() == 30);
    CHECK(idle.activeFromMin.count() == 0);
  }

  TEST_CASE("overlapping tiles: a step lasts from the first active begin to the last active end") {
    Fixture f(2, 2);
    f.step(TimeKind::Sync, {0, 0}, {0, 0}, {98, 118});
    f.step(TimeKind::Compute, {98, 118}, {100, 60}, {198, 178});
    const StepOnIpu &ipu = f.log.steps.at(1).ipus.at(0);
    CHECK(ipu.cycles.count() == 100); // 198 - 98
    CHECK(ipu.activeFromMin.count() == 98);
    CHECK(ipu.activeFromMax.count() == 118);
    CHECK(f.log.steps.at(0).cyclesByTile.empty());
  }

  TEST_CASE("waiting at syncs and for the end of the run is sync; nothing is left over") {
    Fixture f(2, 2);
    f.step(TimeKind::Compute, {0, 0}, {100, 40}, {100, 40});
    f.step(TimeKind::Sync, {100, 40}, {0, 0}, {164, 218});
    f.step(TimeKind::GlobalExchange, {164, 218}, {6, 0}, {170, 218});
    f.step(TimeKind::HostExchange, {170, 218}, {0, 7}, {170, 225});
    f.counters->endRun(in<Cycles>({170, 225}));
    const RunTotals &t = f.log.totals;
    CHECK(t.totalCycles.count() == 225);
    CHECK(t.compute.count() == 140);
    CHECK(t.globalExchange.count() == 6);
    CHECK(t.hostExchange.count() == 7);
    CHECK(t.sync.count() == 64 + 178 + 55); // and tile 0 waits 55 cycles for the end
    CHECK(t.exchange.count() == 0);
    CHECK(t.unattributed.count() == 0);
    CHECK(sumOfKinds(t) == 2 * 225);
  }

  TEST_CASE("a step with vertices of unknown cycles has no times, and its run no length") {
    ProgramBuilder b(2);
    const auto known = b.type("Costed", classes().costed), unknown = b.type("Silent", classes().silent);
    b.execute();
    b.vertex(known, 0, 10);
    b.vertex(unknown, 0);
    b.vertex(unknown, 1);
    b.execute();
    b.vertex(known, 0, 7);
    b.finishRoot();
    for (const ComputeDetail level : {ComputeDetail::Vertex, ComputeDetail::Tile, ComputeDetail::Ipu,
                                      ComputeDetail::Device, ComputeDetail::Nothing}) {
      Rig rig(b);
      ProfileLog log;
      Counters counters(b.program, 2, log, RecordedDetail{level, true, true});
      rig.machine.run(0, "run", rig.host, &counters);
      const StepRecord &first = log.steps.at(0), &second = log.steps.at(1);
      CHECK(first.ipus.at(0).detail == TimeDetail::Nothing);
      CHECK(first.ipus.at(0).activeTiles == 2); // also the tile that has only a vertex without cycles
      CHECK(first.cyclesByTile.empty());
      CHECK(first.slots == nullptr);
      CHECK((second.ipus.at(0).detail == TimeDetail::Nothing) == (level == ComputeDetail::Nothing));
      CHECK_FALSE(log.totals.totalKnown);
      CHECK_FALSE(log.totals.computeKnown);
      if (level == ComputeDetail::Vertex) {
        CHECK(first.vertexTypes.at(0).cycles == Cycles(10));
        CHECK(second.ipus.at(0).cycles == Cycles(42));
      }
    }
  }

  TEST_CASE("cycles without a cause are refused: gaps between steps, waiting inside a step, a wrong end") {
    {
      Fixture f(1, 1);
      CHECK_THROWS_AS(f.step(TimeKind::Compute, {1}, {5}, {6}), InternalError); // no step covers cycle 0
    }
    {
      Fixture f(1, 1);
      CHECK_THROWS_AS(f.step(TimeKind::Compute, {0}, {5}, {6}), InternalError); // one cycle of waiting in compute
    }
    {
      Fixture f(1, 1);
      f.step(TimeKind::Compute, {0}, {5}, {5});
      CHECK_THROWS_AS(f.counters->endRun(in<Cycles>({6})), InternalError);
    }
  }

  TEST_CASE("thread cycles of a run are unknown when those of one compute step are") {
    Fixture f(1, 1);
    StepEvent event;
    const auto zero = in<Cycles>({0}), ten = in<Cycles>({10}), twenty = in<Cycles>({20});
    event.kind = TimeKind::Compute;
    event.step = StepIndex(0);
    event.begin = event.start = zero, event.busy = ten, event.end = ten;
    event.threadCycles = Cycles(4);
    f.counters->step(event);
    f.step(TimeKind::Sync, {10}, {0}, {20});
    f.counters->endRun(twenty);
    CHECK(f.log.totals.threadCycles == Cycles(4));
    CHECK(f.log.steps.at(0).threadCycles == Cycles(4));

    f.counters->beginRun(0, "again");
    f.counters->step(event);
    event.begin = event.start = ten, event.end = twenty;
    event.threadCycles.reset();
    f.counters->step(event);
    f.counters->endRun(twenty);
    CHECK_FALSE(f.log.totals.threadCycles.has_value());
    CHECK(f.log.totals.compute.count() == 20);

    f.counters->beginRun(0, "third"); // nothing remains from the previous run
    event.begin = event.start = zero, event.end = ten;
    event.threadCycles = Cycles(7);
    f.counters->step(event);
    f.counters->endRun(ten);
    CHECK(f.log.totals.threadCycles == Cycles(7));
  }

  TEST_CASE("vertex types are sorted by descending cycles, then name; unknown ones come last") {
    ProgramBuilder b(1);
    for (const char *name : {"b", "a", "unknown", "most"})
      b.type(name, -1);
    b.finishRoot();
    ProfileLog log;
    Counters counters(b.program, 1, log);
    counters.beginRun(0, "run");
    const std::vector<StepEvent::TypeCycles> types{{VertexTypeId(0), 1, Cycles(5)},
                                                   {VertexTypeId(1), 2, Cycles(5)},
                                                   {VertexTypeId(2), 3, std::nullopt},
                                                   {VertexTypeId(3), 4, Cycles(90)}};
    const auto zero = in<Cycles>({0}), ten = in<Cycles>({10});
    StepEvent event;
    event.step = StepIndex(0);
    event.kind = TimeKind::Compute;
    event.begin = event.start = zero, event.busy = event.end = ten;
    event.types = types;
    counters.step(event);
    std::vector<std::uint32_t> order;
    for (const auto &row : log.steps.at(0).vertexTypes)
      order.push_back(row.vertexType);
    CHECK(order == std::vector<std::uint32_t>{3, 1, 0, 2});
    CHECK_FALSE(log.steps[0].vertexTypes[3].cycles.has_value());
    CHECK(log.steps[0].vertexTypes[3].instances == 3);
  }

  TEST_CASE("host times of a run come from the clock that was given, and are unknown without one") {
    ProgramBuilder b(1);
    b.finishRoot();
    ProfileLog log;
    double clock = 10;
    Counters counters(b.program, 1, log, {}, [&] { return clock++; });
    counters.beginRun(3, "named");
    counters.endRun(in<Cycles>({0}));
    CHECK(log.run.name == "named");
    CHECK(log.run.program == 3);
    CHECK(log.run.startMicroseconds == 10);
    CHECK(log.endMicroseconds == 11);
    Counters without(b.program, 1, log, {});
    without.beginRun(3, "named");
    without.endRun(in<Cycles>({0}));
    CHECK_FALSE(log.run.startMicroseconds.has_value());
    CHECK_FALSE(log.endMicroseconds.has_value());
  }

  TEST_CASE("the machine's own events keep the identity on every tile") {
    ProgramBuilder b(6, 3);
    const HomeId v = b.ints("v", 4, {0});
    const auto type = b.type("Silent", classes().silent);
    const StreamId in = b.stream("in", ElementType::Int, 1, true);
    b.add(StepKind::StreamCopyBegin);
    b.streamCopy(in, true, 4, 7);
    b.transfer(v, 0, 4, 0);
    b.hostTile(4, 4);
    b.add(StepKind::StreamCopyEnd);
    b.program.repeats.push_back({3});
    b.open(StepKind::Repeat);
    b.sync(SyncKind::Internal);
    b.exchange();
    b.busyTile(0, 41, 8, 0);
    b.busyTile(1, 57, 0, 8);
    b.execute();
    for (std::uint32_t t = 0; t < 5; ++t)
      b.vertex(type, t, 10 + 3 * t);
    b.sync(SyncKind::Global);
    b.exchange(StepKind::GlobalExchange);
    b.busyTile(2, 90, 4, 0);
    b.busyTile(5, 95, 0, 4);
    b.close();
    b.finishRoot();
    Rig rig(b);
    rig.host.toDevice[0] = {1};
    ProfileLog log;
    Counters counters(b.program, 3, log);
    rig.machine.run(0, "run", rig.host, &counters);
    CHECK(log.totals.exchange.count() == 3 * (41 + 57));
    CHECK(log.totals.globalExchange.count() == 3 * (90 + 95));
    CHECK(log.totals.hostExchange.count() == 7);
    CHECK(log.totals.compute.count() == 3 * 6 * (10 + 13 + 16 + 19 + 22));
    CHECK(log.totals.threadCycles == Cycles(3 * (10 + 13 + 16 + 19 + 22)));
    CHECK(log.totals.unattributed.count() == 0);
    CHECK(sumOfKinds(log.totals) == 6 * log.totals.totalCycles.count());
    CHECK(log.steps.size() == 3 + 3 * 5);
  }

} // TEST_SUITE
