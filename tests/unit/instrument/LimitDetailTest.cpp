// The fields that each level leaves out of a record.
#include "instrument/counters/LimitDetail.hpp"

#include <doctest/doctest.h>

using namespace popscope;

namespace {

StepRecord computeStep() {
  StepRecord r;
  r.threadCycles = Cycles(50);
  r.cyclesByTile = {10, 20, 0, 30};
  r.vertexTypes = {{0, 3, Cycles(50)}};
  StepOnIpu first, second;
  first.cycles = Cycles(20), first.activeTiles = 2, first.busyCycles = Cycles(30), first.activeFromMin = Cycles(100),
  first.activeToMax = Cycles(120), first.allToMax = Cycles(122);
  second.cycles = Cycles(30), second.activeTiles = 1, second.busyCycles = Cycles(30), second.activeFromMin = Cycles(95),
  second.activeToMax = Cycles(125), second.allToMax = Cycles(135);
  r.ipus = {first, second};
  return r;
}
StepRecord limited(ComputeDetail compute, bool external, TimeKind kind, StepCounters counters = StepCounters::None) {
  StepRecord r = computeStep();
  limitDetail(RecordedDetail{compute, external, true}, kind, counters, r);
  return r;
}

} // namespace

TEST_SUITE("instrument.detail") {

  TEST_CASE("vertex leaves all of a compute set") {
    const StepRecord r = limited(ComputeDetail::Vertex, false, TimeKind::Compute);
    CHECK(r.threadCycles == Cycles(50));
    CHECK(r.cyclesByTile.size() == 4);
    CHECK(r.vertexTypes[0].cycles == Cycles(50));
    CHECK(r.ipus[0].detail == TimeDetail::EveryTile);
  }

  TEST_CASE("tile takes threads and vertex types, and keeps how many vertices there were") {
    const StepRecord r = limited(ComputeDetail::Tile, false, TimeKind::Compute);
    CHECK_FALSE(r.threadCycles);
    CHECK_FALSE(r.vertexTypes[0].cycles);
    CHECK(r.vertexTypes[0].instances == 3);
    CHECK(r.cyclesByTile.size() == 4);
    CHECK(r.ipus[1].detail == TimeDetail::EveryTile);
  }

  TEST_CASE("ipu takes the tiles, too: what is left is the longest of each IPU") {
    const StepRecord r = limited(ComputeDetail::Ipu, false, TimeKind::Compute);
    CHECK(r.cyclesByTile.empty());
    CHECK_FALSE(r.threadCycles);
    CHECK(r.ipus[0].detail == TimeDetail::Longest);
    CHECK(r.ipus[1].detail == TimeDetail::Longest);
    CHECK(r.ipus[1].cycles.count() == 30);
  }

  TEST_CASE("by how much a tile enters a step later than others is not in the cycles of level ipu or device") {
    for (const ComputeDetail level : {ComputeDetail::Ipu, ComputeDetail::Device}) {
      StepRecord r = computeStep();
      r.ipus[1].activeToMax = Cycles(145); // a tile that read a counter entered at 115
      r.ipus[1].cycles = Cycles(50);
      limitDetail(RecordedDetail{level, false, true}, TimeKind::Compute, StepCounters::Compute, r);
      const StepOnIpu &slowest = r.ipus[level == ComputeDetail::Ipu ? 1 : 0];
      CHECK(slowest.cycles.count() == 30);
      CHECK(slowest.activeFromMin.count() == 95);
      CHECK(slowest.activeToMax.count() == 125);
    }
  }

  TEST_CASE("device leaves the longest of all, told with the first IPU: from 95 to 125") {
    const StepRecord r = limited(ComputeDetail::Device, false, TimeKind::Compute);
    CHECK(r.ipus[0].detail == TimeDetail::Longest);
    CHECK(r.ipus[0].activeFromMin.count() == 95);
    CHECK(r.ipus[0].activeToMax.count() == 125);
    CHECK(r.ipus[0].cycles.count() == 30);
    CHECK(r.ipus[0].allToMax.count() == 135);
    CHECK(r.ipus[1].detail == TimeDetail::Nothing);
  }

  TEST_CASE("without compute counters a compute set has no time, an exchange a duration and no place in time") {
    CHECK(limited(ComputeDetail::Nothing, true, TimeKind::Compute).ipus[0].detail == TimeDetail::Nothing);
    CHECK(limited(ComputeDetail::Nothing, true, TimeKind::Compute).cyclesByTile.empty());
    for (const TimeKind kind : {TimeKind::Exchange, TimeKind::HostExchange, TimeKind::GlobalExchange}) {
      const StepRecord r = limited(ComputeDetail::Nothing, true, kind);
      CHECK(r.ipus[0].detail == TimeDetail::Duration);
      CHECK(r.cyclesByTile.size() == 4);
    }
  }

  TEST_CASE("without counters of external exchange no phase of a host copy and no global exchange has a time; internal "
            "exchange always has") {
    for (const TimeKind kind : {TimeKind::HostExchange, TimeKind::GlobalExchange, TimeKind::Sync}) {
      const StepRecord r = limited(ComputeDetail::Vertex, false, kind, StepCounters::External);
      CHECK(r.ipus[0].detail == TimeDetail::Nothing);
      CHECK(r.cyclesByTile.empty());
      const StepRecord counted = limited(ComputeDetail::Vertex, true, kind, StepCounters::External);
      CHECK(counted.ipus[0].detail == TimeDetail::EveryTile);
    }
    CHECK(limited(ComputeDetail::Vertex, false, TimeKind::Sync).ipus[0].detail == TimeDetail::EveryTile); // a Sync
    const StepRecord internal = limited(ComputeDetail::Vertex, false, TimeKind::Exchange);
    CHECK(internal.ipus[0].detail == TimeDetail::EveryTile);
    CHECK(internal.cyclesByTile.size() == 4);
  }

  TEST_CASE("totals need every tile: level tile or vertex for compute, threads level vertex, sync both kinds") {
    struct Row {
      ComputeDetail compute;
      bool external, computeKnown, threadsKnown;
    };
    for (const Row &row : {Row{ComputeDetail::Vertex, true, true, true}, Row{ComputeDetail::Tile, true, true, false},
                           Row{ComputeDetail::Ipu, true, false, false}, Row{ComputeDetail::Device, false, false, false},
                           Row{ComputeDetail::Nothing, true, false, false}}) {
      RunTotals totals;
      totals.threadCycles = Cycles(7);
      limitDetail(RecordedDetail{row.compute, row.external, true}, totals);
      CHECK(totals.computeKnown == row.computeKnown);
      CHECK(totals.externalKnown == row.external);
      CHECK(totals.threadCycles.has_value() == row.threadsKnown);
    }
  }

} // TEST_SUITE
