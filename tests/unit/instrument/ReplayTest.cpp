// Times that are kept from one execution to the next, and runs that only compute times: both produce the same events as
// a normal run, for any number of threads. Times that depend on values are never kept.
#include "TestClasses.hpp"

#include "base/Parallel.hpp"

#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>
#include <random>

using namespace popscope;
using namespace popscope::test;

namespace {

constexpr std::uint32_t kReplayTiles = 96, kReplayTypes = 4;

/// Repeat 3: { Sync, DoExchange, OnTileExecute } x 2, with more vertices than one task takes.
struct Fixed {
  Fixed() : b(kReplayTiles) {
    for (std::uint32_t t = 0; t < kReplayTypes; ++t)
      types[t] = t + 1 == kReplayTypes ? b.type("Own", classes().own, VertexKind::Supervisor)
                                       : b.type("Silent", classes().silent);
    std::mt19937_64 random(5);
    b.program.repeats.push_back({3});
    b.open(StepKind::Repeat);
    for (int i = 0; i < 2; ++i) {
      b.sync(SyncKind::Internal);
      b.exchange();
      for (std::uint32_t t = 0; t < kReplayTiles; t += 2)
        b.busyTile(t, 100 + random() % 50, 8, 8);
      b.execute();
      for (std::uint32_t t = 0; t < kReplayTiles; ++t)
        for (std::uint64_t v = random() % 200; v > 0; --v)
          b.vertex(types[random() % kReplayTypes], t, static_cast<std::int64_t>(random() % 300));
    }
    b.close();
    b.finishRoot();
  }
  ProgramBuilder b;
  std::array<VertexTypeId, kReplayTypes> types;
};

struct Told {
  std::vector<EventLog::Entry> entries;
  std::vector<std::uint64_t> clocks;
  friend bool operator==(const Told &, const Told &) = default;
};
Told told(const EventLog &log) { return {log.entries, log.clocks}; }

MachineOptions onThreads(unsigned n) {
  MachineOptions options;
  options.threads = {n};
  return options;
}

/// Deals the vertices one after the other, tile by tile; shares no code with ComputeTime.
std::vector<std::uint64_t> busyByHand(const StepProgram &p, const ExecuteStep &step,
                                      const std::vector<std::int64_t> &cycles) {
  std::vector<std::uint64_t> busy(p.numTiles, 0);
  for (std::uint32_t tile = 0; tile < p.numTiles; ++tile) {
    std::array<std::uint64_t, 6> slots{};
    std::uint64_t own = 0;
    for (std::uint32_t v = step.firstVertex; v < step.firstVertex + step.numVertices; ++v) {
      if (p.vertices[v].tile != TileId(tile))
        continue;
      if (p.vertexTypes[p.vertices[v].type].kind == VertexKind::Supervisor)
        own += static_cast<std::uint64_t>(cycles[v]);
      else
        *std::min_element(slots.begin(), slots.end()) += static_cast<std::uint64_t>(cycles[v]);
    }
    busy[tile] = own + 6 * *std::max_element(slots.begin(), slots.end());
  }
  return busy;
}

/// A vertex whose estimate is the value that it will increase.
CodeletSet withGrow(int &grow) {
  CodeletSet set = classes().codelets;
  VertexClass c = set.at(classes().decrement);
  c.name = "Grow";
  c.run = [](void *o, unsigned) { return ++**static_cast<std::int32_t **>(o), true; };
  c.hasCycleEstimate = true;
  c.cycleEstimate = [](const void *o) { return static_cast<std::uint64_t>(**static_cast<std::int32_t *const *>(o)); };
  grow = set.addClass(c);
  return set;
}

} // namespace

TEST_SUITE("instrument.replay") {

  TEST_CASE("kept times are those of a first execution, for 1, 2 and 4 threads, with and without values") {
    Fixed f;
    std::optional<Told> first;
    for (const unsigned threads : {1U, 2U, 4U}) {
      Rig rig(f.b, onThreads(threads));
      rig.runTimed(); // the second and third iteration reuse the times of the first
      const Told once = told(rig.log);
      rig.runTimed();
      CHECK(told(rig.log) == once);
      rig.machine.replay(0, "run", rig.log);
      CHECK(told(rig.log) == once);
      Rig fresh(f.b, onThreads(threads));
      fresh.machine.replay(0, "run", fresh.log);
      CHECK(told(fresh.log) == once);
      if (!first)
        first = once;
      CHECK(once == *first);
    }
    REQUIRE(first->entries.size() == 18);
    for (std::size_t i = 6; i < first->entries.size(); ++i)
      CHECK(first->entries[i].busy == first->entries[i - 6].busy);
  }

  TEST_CASE("times and sums agree with vertices dealt by hand") {
    Fixed f;
    Rig rig(f.b);
    rig.runTimed();
    std::vector<std::int64_t> cycles;
    for (const StepVertex &v : f.b.program.vertices)
      cycles.push_back(v.estimate);
    for (std::uint32_t e = 0; e < 2; ++e) {
      const ExecuteStep &step = f.b.program.executes[e];
      const auto &entry = rig.log.entries.at(3 * e + 2);
      CHECK(entry.busy == busyByHand(f.b.program, step, cycles));
      std::array<EventLog::Entry::Type, kReplayTypes> sums{};
      std::uint64_t all = 0;
      for (std::uint32_t t = 0; t < kReplayTypes; ++t)
        sums[t] = {t, 0, 0};
      for (std::uint32_t v = step.firstVertex; v < step.firstVertex + step.numVertices; ++v) {
        auto &sum = sums[f.b.program.vertices[v].type.index()];
        ++sum.instances;
        *sum.cycles += static_cast<std::uint64_t>(cycles[v]);
        all += static_cast<std::uint64_t>(cycles[v]);
      }
      CHECK(entry.types == std::vector<EventLog::Entry::Type>(sums.begin(), sums.end()));
      CHECK(entry.threadCycles == all);
    }
  }

  TEST_CASE("cycles that follow from values are made anew at each execution; one such vertex is enough") {
    int grow = 0;
    const CodeletSet codelets = withGrow(grow);
    ProgramBuilder b(2);
    const auto fixed = b.type("Silent", classes().silent);
    const auto growing = b.type("Grow", grow);
    const HomeId x = b.ints("x", 1, {7});
    b.program.repeats.push_back({4});
    b.open(StepKind::Repeat);
    b.execute();
    b.vertex(fixed, 0, 50);
    b.vertex(growing, 1);
    b.edge(0, x, 0, 1, true, true);
    b.close();
    b.finishRoot();
    for (const unsigned threads : {1U, 2U, 4U}) {
      CostModel costs(testMachine(2));
      Machine machine(b.program, codelets, costs, onThreads(threads));
      TestHost host;
      EventLog log;
      machine.run(0, "run", host, &log);
      REQUIRE(log.entries.size() == 4);
      for (std::uint64_t i = 0; i < 4; ++i) {
        CHECK(log.entries[i].busy == std::vector<std::uint64_t>{300, 6 * (7 + i)});
        CHECK(log.entries[i].threadCycles == 50 + 7 + i);
      }
      machine.replay(0, "again", log); // uses the last times, although the value is 11 by now
      REQUIRE(log.entries.size() == 4);
      for (const auto &entry : log.entries)
        CHECK(entry.busy == std::vector<std::uint64_t>{300, 60});
      machine.run(0, "run", host, &log);
      CHECK(log.entries[0].busy == std::vector<std::uint64_t>{300, 66});
    }
  }

  TEST_CASE("times without values leave memory and the host alone") {
    ProgramBuilder b(1);
    const HomeId x = b.ints("x", 0, {1, 2});
    const auto type = b.type("Decrement", classes().decrement);
    const StreamId in = b.stream("in", ElementType::Int, 2, true);
    b.streamCopy(in, true, 8, 40);
    b.transfer(x, 0, 8, 0);
    b.hostTile(0, 8);
    b.execute();
    b.vertex(type, 0, 9);
    b.edge(0, x, 0, 1, true, true);
    show(b, "x", x);
    b.finishRoot();
    Rig rig(b);
    rig.machine.replay(0, "times", rig.log);
    CHECK(rig.host.calls == 0);
    CHECK(rig.host.printed.empty());
    REQUIRE(rig.log.entries.size() == 2);
    CHECK(rig.log.entries[0].busy == std::vector<std::uint64_t>{40});
    CHECK(rig.log.entries[1].busy == std::vector<std::uint64_t>{54});
    rig.host.toDevice[in.index()] = {5, 6};
    rig.runTimed();
    CHECK(rig.host.printed == std::vector<std::string>{"x[2] 4 6"});
  }

  TEST_CASE("where a value decides, times without values are refused by name") {
    const auto message = [](ProgramBuilder &b) {
      Rig rig(b);
      try {
        rig.machine.replay(0, "times", rig.log);
      } catch (const poplar::poplar_error &e) {
        return std::string(e.what());
      }
      return std::string("no error");
    };
    {
      ProgramBuilder b(1);
      const HomeId x = b.ints("x", 0, {1});
      b.program.switches.push_back({});
      b.program.switches.back().control = {x, {}, Bytes(4)};
      b.program.switches.back().type = ElementType::Int;
      b.open(StepKind::If, "choice");
      b.open(StepKind::Sequence);
      b.close();
      b.open(StepKind::Sequence);
      b.close();
      b.close();
      b.finishRoot();
      CHECK(message(b).find("cannot time If 'choice' (step 1), which depends on values") != std::string::npos);
    }
    {
      ProgramBuilder b(1);
      const HomeId x = b.ints("x", 0, {0});
      b.test(StepKind::AbortOnCondition, x, ElementType::Int, false);
      b.finishRoot();
      CHECK(message(b).find("AbortOnCondition") != std::string::npos);
    }
    {
      ProgramBuilder b(1);
      const auto type = b.type("Silent", classes().silent);
      b.execute("mystery");
      b.vertex(type, 0);
      b.finishRoot();
      CHECK(message(b).find("vertices of type Silent (compute set 'mystery'), whose cycles depend on their values") !=
            std::string::npos);
      Rig rig(b); // after a refused replay, the machine can run, and then replay from known times
      CHECK_THROWS_AS(rig.machine.replay(0, "times", rig.log), poplar::poplar_error);
      rig.runTimed();
      const Told once = told(rig.log);
      rig.machine.replay(0, "times", rig.log);
      CHECK(told(rig.log) == once);
    }
  }

} // TEST_SUITE
