// Cycle arithmetic, worked by hand.
#include "TestClasses.hpp"

#include "base/Parallel.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace popscope;
using namespace popscope::test;

namespace {

using Times = std::vector<std::uint64_t>;

// Runs `n` vertices with the given estimates on the only tile.
EventLog::Entry timeVertices(const std::vector<std::int64_t> &estimates, const char *typeName = "Silent",
                             VertexKind kind = VertexKind::Worker) {
  ProgramBuilder b(1);
  const auto type = b.type(typeName, classes().codelets.indexOf(typeName), kind);
  b.execute();
  for (const std::int64_t e : estimates)
    b.vertex(type, 0, e);
  b.finishRoot();
  Rig rig(b);
  rig.runTimed();
  return rig.log.entries.at(0);
}

} // namespace

TEST_SUITE("instrument.time") {

  TEST_CASE("n equal worker vertices of c thread cycles take ceil(n / 6) * 6 * c tile cycles") {
    for (const std::uint64_t n : {1U, 5U, 6U, 7U, 12U, 13U, 42U}) {
      const auto event = timeVertices(std::vector<std::int64_t>(n, 105));
      CHECK(event.busy == Times{(n + 5) / 6 * 6 * 105});
      CHECK(event.threadCycles == n * 105);
      CHECK(event.types == std::vector<EventLog::Entry::Type>{{0, n, n * 105}});
    }
    CHECK(timeVertices(std::vector<std::int64_t>(42, 105)).busy == Times{4410}); // tut7
  }

  TEST_CASE("unequal vertices are dealt to the least loaded slot in order") {
    // Loads of the slots after six vertices: 60 50 40 30 20 10. The seventh (25) goes to the last slot: 35. The eighth
    // (1) goes to slot 4: 21.
    CHECK(timeVertices({60, 50, 40, 30, 20, 10, 25, 1}).busy == Times{6 * 60});
    // 40 goes to slot 5 (10 + 40 = 50), and 45 to slot 4 (20 + 45 = 65), which is now the longest.
    CHECK(timeVertices({60, 50, 40, 30, 20, 10, 40, 45}).busy == Times{6 * 65});
  }

  TEST_CASE("runs of more than 2^48 cycles in all end with an error that names the step and the limit") {
    constexpr std::int64_t kQuarter = std::int64_t(1) << 46; // of a supervisor vertex: cycles of the tile
    ProgramBuilder b(1);
    const auto type = b.type("Own", classes().own, VertexKind::Supervisor);
    b.program.repeats.push_back({3});
    b.open(StepKind::Repeat);
    b.execute("slow");
    b.vertex(type, 0, kQuarter);
    b.close();
    b.finishRoot();
    Rig rig(b);
    rig.runTimed();
    CHECK(rig.log.entries.size() == 3);
    CHECK_THROWS_WITH_AS(rig.runTimed(), doctest::Contains("281474976710656"), poplar::overflow_error);
    CHECK_THROWS_WITH_AS(timeVertices({std::int64_t(1) << 48}), doctest::Contains("OnTileExecute 'cs'"),
                         poplar::overflow_error);
    CHECK(timeVertices({kQuarter / 2}).busy == Times{3 * std::uint64_t(kQuarter)}); // a worker takes each sixth cycle
  }

  TEST_CASE("idle threads: twenty compute sets with one vertex of 100 take 600 each and use 100 of it") {
    ProgramBuilder b(1);
    const auto type = b.type("Silent", classes().silent);
    b.program.repeats.push_back({20});
    b.open(StepKind::Repeat);
    b.execute();
    b.vertex(type, 0, 100);
    b.close();
    b.finishRoot();
    Rig rig(b);
    rig.runTimed();
    REQUIRE(rig.log.entries.size() == 20);
    std::uint64_t busy = 0, used = 0;
    for (const auto &e : rig.log.entries) {
      busy += e.busy[0];
      used += e.threadCycles.value();
    }
    CHECK(busy == 12000);
    CHECK(used == 2000);
    CHECK(rig.log.clocks == Times{12000});
  }

  TEST_CASE("supervisor and multi vertices own the tile: their tile cycles add up") {
    CHECK(timeVertices({70, 30}, "Own", VertexKind::Supervisor).busy == Times{100});
    CHECK(timeVertices({70, 30}, "Own", VertexKind::Supervisor).threadCycles == 100);
  }

  TEST_CASE("workers, supervisors and both kinds of copy vertices on one tile") {
    ProgramBuilder b(1);
    const auto worker = b.type("Silent", classes().silent);
    const auto own = b.type("Own", classes().own, VertexKind::Supervisor);
    const auto shortCopy = b.type("poplar_rt::ShortMemcpy", -1, VertexKind::Copy);
    const auto longCopy = b.type("poplar_rt::Memcpy64BitSupervisor", -1, VertexKind::Copy);
    b.execute();
    for (int i = 0; i < 6; ++i)
      b.vertex(worker, 0, 10);
    b.vertex(own, 0, 7);
    b.copy(longCopy, 0, CopyVertexKind::Memcpy64BitSupervisor, 40);
    b.copy(shortCopy, 0, CopyVertexKind::ShortMemcpy, 20);
    b.finishRoot();
    Rig rig(b);
    rig.runTimed();
    const auto &event = rig.log.entries.at(0);
    // Slot 0: 10 + 20 = 30 thread cycles, 6 * 30 = 180 tile cycles; supervisors: 7 + 40.
    CHECK(event.busy == Times{227});
    CHECK(event.threadCycles == 60 + 7 + 40 + 20);
    CHECK(event.types == std::vector<EventLog::Entry::Type>{{0, 6, 60}, {1, 1, 7}, {2, 1, 20}, {3, 1, 40}});
    CHECK(rig.machine.cycleProvenance(worker) == "estimate");
    CHECK(rig.machine.cycleProvenance(shortCopy) == "runtime");
  }

  TEST_CASE("the estimate of the vertex class looks at the vertex's own values") {
    ProgramBuilder b(1);
    const auto type = b.type("Costed", classes().costed);
    b.execute();
    for (const std::uint32_t cycles : {11U, 22U}) {
      b.vertex(type, 0);
      b.state<std::uint32_t>(0, {cycles});
    }
    b.vertex(type, 0, 5); // setPerfEstimate takes precedence over it
    b.state<std::uint32_t>(0, {1000});
    b.finishRoot();
    Rig rig(b);
    CHECK(rig.machine.cycleProvenance(type) == "");
    rig.runTimed();
    CHECK(rig.log.entries.at(0).busy == Times{6 * 22});
    CHECK(rig.log.entries.at(0).threadCycles == 38);
    CHECK(rig.machine.cycleProvenance(type) == "codelet"); // the less direct of the two sources
  }

  TEST_CASE("unknown cycles stay unknown: the tile's time leaves them out, the sums have no value") {
    ProgramBuilder b(2);
    const auto known = b.type("Costed", classes().costed);
    const auto unknown = b.type("Silent", classes().silent);
    b.execute();
    b.vertex(known, 0, 10);
    b.vertex(unknown, 0);
    b.vertex(unknown, 0, 3);
    b.vertex(unknown, 1);
    b.finishRoot();
    Rig rig(b);
    rig.runTimed();
    const auto &event = rig.log.entries.at(0);
    CHECK(event.busy == Times{60, 0});
    CHECK_FALSE(event.threadCycles.has_value());
    CHECK(event.types == std::vector<EventLog::Entry::Type>{{0, 1, 10}, {1, 3, std::nullopt}});
  }

  TEST_CASE("a sync releases each tile at the last arrival plus the model's delay") {
    ProgramBuilder b(8, 4); // two IPUs
    b.exchange();
    b.busyTile(1, 500);
    b.busyTile(6, 90);
    b.sync(SyncKind::Internal);
    b.sync(SyncKind::External);
    b.finishRoot();
    Rig rig(b);
    rig.runTimed();
    const auto &internal = rig.log.entries.at(1), &external = rig.log.entries.at(2);
    CHECK(internal.kind == TimeKind::Sync);
    CHECK(internal.begin == Times{0, 500, 0, 0, 0, 0, 90, 0});
    CHECK(internal.busy == Times(8, 0));
    const auto delay = [&](SyncKind kind, std::uint32_t t) { return rig.costs.syncRelease(kind, TileId(t)).count(); };
    // time of the signal to the controller
    const auto way = [&](std::uint32_t t) { return rig.costs.syncArrival(TileId(t)).count(); };
    std::uint64_t last = 0;
    for (std::uint32_t t = 0; t < 8; ++t) {
      const std::uint64_t release = (t < 4 ? 500 + way(1) : 90 + way(6)) + delay(SyncKind::Internal, t);
      CHECK(internal.end[t] == release); // an IPU does not wait for the other IPU
      last = std::max(last, release + way(t));
    }
    for (std::uint32_t t = 0; t < 8; ++t)
      CHECK(external.end[t] == last + delay(SyncKind::External, t)); // all tiles wait for the slowest tile
  }

  TEST_CASE("the tiles of an exchange start together, when the last of them is released: earlier than the idle tiles") {
    ProgramBuilder b(4);
    b.sync(SyncKind::Internal);
    b.exchange();
    for (std::uint32_t t = 0; t < 3; ++t)
      b.busyTile(t, 100, 4 * t, 8);
    b.finishRoot();
    Rig rig(b);
    rig.runTimed();
    const auto &sync = rig.log.entries.at(0), &exchange = rig.log.entries.at(1);
    CHECK(exchange.kind == TimeKind::Exchange);
    CHECK(exchange.begin == sync.end);
    const std::uint64_t start =
        *std::max_element(sync.end.begin(), sync.end.begin() + 3); // of the tiles that take part
    REQUIRE(start < sync.end[3]);
    for (std::uint32_t t = 0; t < 3; ++t)
      CHECK(exchange.end[t] == start + 100);
    CHECK(exchange.end[3] == exchange.begin[3]);
    CHECK(exchange.busy == Times{100, 100, 100, 0});
    CHECK(exchange.dataOut == Times{0, 4, 8, 0});
    CHECK(exchange.dataIn == Times{8, 8, 8, 0});
  }

  TEST_CASE("a host copy: one external sync, its tiles busy for the copy's cycles, two internal syncs") {
    ProgramBuilder b(4);
    const HomeId v = b.ints("v", 2, {0});
    const StreamId in = b.stream("in", ElementType::Int, 1, true);
    b.add(StepKind::StreamCopyBegin);
    b.streamCopy(in, true, 4, 7);
    b.transfer(v, 0, 4, 0);
    b.hostTile(2, 4);
    b.add(StepKind::StreamCopyEnd);
    b.finishRoot();
    Rig rig(b);
    rig.host.toDevice[0] = {1};
    rig.runTimed();
    REQUIRE(rig.log.entries.size() == 3);
    const auto &begin = rig.log.entries[0], &mid = rig.log.entries[1], &end = rig.log.entries[2];
    // time of the signal to the controller
    const auto way = [&](std::uint32_t t) { return rig.costs.syncArrival(TileId(t)).count(); };
    const auto delay = [&](SyncKind kind, std::uint32_t t) { return rig.costs.syncRelease(kind, TileId(t)).count(); };
    for (std::uint32_t t = 0; t < 4; ++t)
      CHECK(begin.end[t] == way(3) + delay(SyncKind::External, t));
    CHECK(mid.kind == TimeKind::HostExchange);
    CHECK(mid.begin == begin.end);
    CHECK(mid.busy == Times{0, 0, 7, 0});
    CHECK(mid.dataIn == Times{0, 0, 4, 0});
    CHECK(mid.dataOut == Times(4, 0));
    CHECK(end.kind == TimeKind::Sync);
    CHECK(end.begin == mid.end);
    // cycle at which the last signal of each of the two syncs reaches the controller
    std::uint64_t first = 0, second = 0;
    for (std::uint32_t t = 0; t < 4; ++t)
      first = std::max(first, mid.end[t] + way(t));
    for (std::uint32_t t = 0; t < 4; ++t)
      second = std::max(second, first + delay(SyncKind::Internal, t) + way(t));
    for (std::uint32_t t = 0; t < 4; ++t)
      CHECK(end.end[t] == second + delay(SyncKind::Internal, t));
  }

  TEST_CASE("every run starts at clock 0, and a run without sink passes no time and emits nothing") {
    ProgramBuilder b(2);
    const auto type = b.type("Silent", classes().silent);
    b.sync(SyncKind::Global);
    b.execute();
    b.vertex(type, 1, 50);
    b.finishRoot();
    Rig rig(b);
    rig.run();
    CHECK(rig.log.entries.empty());
    rig.runTimed();
    const auto first = rig.log.entries;
    const auto clocks = rig.log.clocks;
    rig.runTimed();
    CHECK(rig.log.entries == first);
    CHECK(rig.log.clocks == clocks);
    CHECK(first.at(0).begin == Times{0, 0});
    CHECK(clocks.at(1) == first.at(0).end[1] + 300);
  }

  TEST_CASE("one and two threads emit the same events") {
    std::vector<EventLog::Entry> seen[2];
    for (const unsigned threads : {1U, 2U}) {
      ProgramBuilder b(200, 100);
      const auto costed = b.type("Costed", classes().costed);
      const auto silent = b.type("Silent", classes().silent);
      b.execute();
      for (std::uint32_t t = 0; t < 200; ++t)
        for (std::uint32_t i = 0; i < 1 + t % 9; ++i) {
          b.vertex(costed, t);
          b.state<std::uint32_t>(0, {10 + (t * 7 + i * 13) % 50});
          b.vertex(silent, t, t % 3 == 0 ? -1 : 5);
        }
      b.sync(SyncKind::Internal);
      b.finishRoot();
      MachineOptions options;
      options.threads = {threads};
      Rig rig(b, options);
      rig.runTimed();
      seen[threads - 1] = rig.log.entries;
    }
    CHECK(seen[0].size() == 2);
    CHECK(seen[0] == seen[1]);
  }

} // TEST_SUITE
