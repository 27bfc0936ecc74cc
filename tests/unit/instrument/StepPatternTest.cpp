// Compares steps that are emitted again from kept patterns with clocks that keep nothing.
#include "TestClasses.hpp"

#include "instrument/counters/Counters.hpp"
#include "instrument/counters/FirstStart.hpp"
#include "instrument/machine/Clocks.hpp"

#include <doctest/doctest.h>

#include <random>
#include <tuple>

using namespace popscope;
using namespace popscope::test;

namespace {

constexpr std::uint32_t kTiles = 6, kTilesPerIpu = 3;

/// A step with the work that it always does.
struct Does {
  TimeKind kind = TimeKind::Compute;
  bool global = false;
  TileTimes busy = TileTimes(kTiles), counters; // counters: empty = none
  std::vector<SyncKind> barriers;
  std::shared_ptr<const SlotCycles> slots;
};

void execute(Clocks &clocks, StepIndex step, const Does &does) {
  if (clocks.repeat(step, does.slots))
    return;
  for (std::uint32_t t = 0; t < kTiles; ++t) {
    clocks.addBusy(TileId(t), does.busy[t]);
    if (does.kind == TimeKind::Exchange)
      clocks.addData(TileId(t), Bytes(does.busy[t].count()), Bytes(2 * does.busy[t].count()));
  }
  for (std::uint32_t t = 0; t < does.counters.size(); ++t)
    clocks.addCounters(TileId(t), does.counters[t]);
  if (!does.barriers.empty())
    clocks.sync(step, does.barriers);
  else if (does.kind == TimeKind::Exchange)
    clocks.exchange(step, does.kind, does.global);
  else
    clocks.step(step, does.kind, Cycles(7), {}, does.slots);
}

/// Computes the clocks tile by tile, from the rules alone.
struct ReferenceClocks {
  explicit ReferenceClocks(const CostModel &model) : costs(model) {}
  void execute(StepIndex step, const Does &does, EventSink &sink) {
    const TileTimes begin = clock;
    TileTimes start = clock;
    const auto groups = [&](bool all, const auto &body) {
      for (std::uint32_t first = 0; first < kTiles; first += all ? kTiles : kTilesPerIpu)
        body(first, first + (all ? kTiles : kTilesPerIpu));
    };
    for (const SyncKind kind : does.barriers)
      groups(kind != SyncKind::Internal, [&](std::uint32_t first, std::uint32_t end) {
        Cycles last;
        for (std::uint32_t t = first; t < end; ++t)
          last = std::max(last, clock[t] + costs.syncArrival(TileId(t)));
        for (std::uint32_t t = first; t < end; ++t)
          start[t] = clock[t] = last + costs.syncRelease(kind, TileId(t));
      });
    if (does.kind == TimeKind::Exchange)
      groups(does.global, [&](std::uint32_t first, std::uint32_t end) {
        Cycles from, longest;
        for (std::uint32_t t = first; t < end; ++t)
          if (does.busy[t] != Cycles())
            from = std::max(from, begin[t]), longest = std::max(longest, does.busy[t]);
        for (std::uint32_t t = first; t < end; ++t)
          if (does.busy[t] != Cycles())
            start[t] = from, clock[t] = from + longest;
      });
    TileData data, twice;
    for (std::uint32_t t = 0; t < kTiles; ++t) {
      clock[t] += does.kind == TimeKind::Compute ? does.busy[t] : Cycles();
      clock[t] += does.counters.empty() ? Cycles() : does.counters[t];
      data.emplace_back(does.busy[t].count());
      twice.emplace_back(2 * does.busy[t].count());
    }
    StepEvent event;
    event.step = step;
    event.kind = does.kind;
    event.begin = begin, event.start = start, event.end = clock, event.busy = does.busy;
    event.counters = does.counters;
    if (does.kind == TimeKind::Exchange)
      event.dataIn = data, event.dataOut = twice;
    if (does.kind == TimeKind::Compute)
      event.threadCycles = Cycles(7);
    event.slots = does.slots;
    sink.step(event);
  }
  const CostModel &costs;
  TileTimes clock = TileTimes(kTiles);
};

/// Records events with absolute times, and passes them on.
struct Events : EventLog {
  void beginRun(std::uint32_t program, const std::string &runName) override {
    next->beginRun(program, runName);
    EventLog::beginRun(program, runName);
  }
  void step(const StepEvent &event) override {
    again += event.pattern && event.pattern == latest[event.step.index()] ? 1 : 0;
    latest[event.step.index()] = event.pattern;
    CHECK(longestWork(event) == *std::max_element(event.busy.begin(), event.busy.end()));
    starts.push_back(firstStart(event));
    EventLog::step(event);
    next->step(event);
  }
  EventSink *next = nullptr;
  TileTimes starts;
  std::map<std::uint32_t, std::shared_ptr<const StepPattern>> latest;
  std::size_t again = 0;
};

struct Records : ProfileSink {
  void compilation(const CompilationRecord &) override {}
  void beginRun(const RunRecord &) override {}
  void step(const StepRecord &record) override { steps.push_back(record); }
  void endRun(const RunTotals &run, std::optional<double>) override { totals.push_back(run); }
  void resetExecution() override {}
  std::vector<StepRecord> steps;
  std::vector<RunTotals> totals;
};

auto fieldsOf(const StepOnIpu &s) {
  return std::tuple(s.cycles, s.activeTiles, s.busyCycles, s.allFromMin, s.allFromMax, s.allToMin, s.allToMax,
                    s.activeFromMin, s.activeFromMax, s.activeToMin, s.activeToMax, s.dataIn, s.dataOut, s.maxTileData,
                    s.detail);
}

void checkEqual(const std::vector<StepRecord> &a, const std::vector<StepRecord> &b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    CHECK(a[i].program == b[i].program);
    CHECK(a[i].threadCycles == b[i].threadCycles);
    CHECK(a[i].slots == b[i].slots);
    CHECK(a[i].cyclesByTile == b[i].cyclesByTile);
    REQUIRE(a[i].ipus.size() == b[i].ipus.size());
    for (std::size_t ipu = 0; ipu < a[i].ipus.size(); ++ipu)
      CHECK(fieldsOf(a[i].ipus[ipu]) == fieldsOf(b[i].ipus[ipu]));
  }
}

Does randomStep(std::mt19937 &random) {
  const auto times = [&](unsigned most) {
    TileTimes values(kTiles);
    for (Cycles &v : values)
      v = Cycles(random() % 3 == 0 ? 0 : random() % most);
    return values;
  };
  Does does;
  if (random() % 2 == 0) {
    does.kind = TimeKind::Sync;
    does.barriers.push_back(random() % 2 == 0 ? SyncKind::Internal : SyncKind::External);
  } else {
    does.kind = random() % 2 == 0 ? TimeKind::Exchange : TimeKind::Compute;
    does.global = random() % 2 == 0;
    does.busy = times(100);
    if (does.kind == TimeKind::Compute)
      does.slots = std::make_shared<SlotCycles>();
  }
  if (random() % 4 == 0)
    does.counters = times(9);
  return does;
}

struct PatternFixture {
  PatternFixture() : costs(testMachine(kTilesPerIpu, kTiles / kTilesPerIpu)), builder(kTiles, kTilesPerIpu) {
    for (int s = 0; s < 8; ++s)
      builder.sync(SyncKind::Internal); // gives the steps their names
    builder.finishRoot();
  }
  /// Runs a loop over random steps several times; both clocks emit events to counters with that detail. Returns how
  /// many steps were emitted again.
  std::size_t check(unsigned seed, RecordedDetail detail) {
    std::mt19937 random(seed);
    std::vector<Does> body;
    for (int i = 0; i < 6; ++i)
      body.push_back(randomStep(random));
    Events kept, anew;
    Records keptRecords, anewRecords;
    Counters keptCounters(builder.program, kTilesPerIpu, keptRecords, detail),
        anewCounters(builder.program, kTilesPerIpu, anewRecords, detail);
    kept.next = &keptCounters, anew.next = &anewCounters;
    Clocks clocks(kTiles, kTilesPerIpu, costs);
    for (int run = 0; run < 3; ++run) {
      kept.beginRun(0, "run"), anew.beginRun(0, "run");
      clocks.start(&kept);
      ReferenceClocks reference(costs);
      for (int i = 0; i < 8; ++i) {
        if (i == 5 && body[1].slots) { // from here on, its vertices take another time
          body[1].slots = std::make_shared<SlotCycles>();
          body[1].busy[2] += Cycles(5);
        }
        for (std::uint32_t s = 0; s < body.size(); ++s) {
          execute(clocks, StepIndex(s + 1), body[s]);
          reference.execute(StepIndex(s + 1), body[s], anew);
        }
      }
      const auto end = clocks.now();
      CHECK(TileTimes(end.begin(), end.end()) == reference.clock);
      CHECK(clocks.now(TileId(2)) == reference.clock[2]);
      CHECK(kept.entries == anew.entries);
      keptCounters.endRun(end), anewCounters.endRun(reference.clock);
    }
    CHECK(kept.starts == anew.starts);
    checkEqual(keptRecords.steps, anewRecords.steps);
    for (std::size_t run = 0; run < 3; ++run) {
      const RunTotals &a = keptRecords.totals.at(run), &b = anewRecords.totals.at(run);
      CHECK(std::tie(a.totalCycles, a.compute, a.exchange, a.sync, a.counterReads, a.threadCycles) ==
            std::tie(b.totalCycles, b.compute, b.exchange, b.sync, b.counterReads, b.threadCycles));
    }
    return kept.again;
  }
  CostModel costs;
  ProgramBuilder builder;
};

} // namespace

TEST_SUITE("instrument.patterns") {
  TEST_CASE("steps that are told again have the events and records of steps that are worked out tile by tile") {
    PatternFixture f;
    std::size_t again = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
      CAPTURE(seed);
      RecordedDetail detail;
      detail.compute = static_cast<ComputeDetail>(seed % 5);
      again += f.check(seed, detail);
    }
    CHECK(again > 60 * 3 * 8); // of 60 x 3 x 48 steps
  }
}
