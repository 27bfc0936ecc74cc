#include "target-models/costs/CostModel.hpp"

#include <doctest/doctest.h>

using namespace popscope;

namespace {

CostModel costs(const char *name, std::uint32_t numIpus = 1) {
  TileMachine machine = loadTileMachine(name);
  machine.numIpus = numIpus;
  return CostModel(std::move(machine));
}

/// Returns the cycles of each transfer of one exchange.
std::vector<std::uint64_t> totals(const CostModel &costs, const std::vector<IpuTransfer> &transfers) {
  std::vector<std::uint64_t> cycles;
  for (const IpuTransferCycles &transfer : costs.globalExchange(transfers))
    cycles.push_back(transfer.total.count());
  return cycles;
}

} // namespace

TEST_SUITE("target-models.costs") {
  TEST_CASE("a sync releases the nearest tile first and the furthest last") {
    const CostModel c = costs("ipu1", 2);
    const auto delay = [&](SyncKind kind, std::uint32_t last, std::uint32_t tile) {
      return c.syncArrival(TileId(last)).count() + c.syncRelease(kind, TileId(tile)).count();
    };
    CHECK(delay(SyncKind::Internal, 0, 0) == 64);
    CHECK(delay(SyncKind::Internal, 1215, 1215) == 118);
    CHECK(delay(SyncKind::Internal, 1215, 0) == 91); // 27 to the controller, 64, and no way back
    // the sample report has 98, because its first 392 tiles are nearer
    CHECK(delay(SyncKind::Internal, 391, 1215) == 100);
    CHECK(delay(SyncKind::External, 1215, 1215) == 118);
    CHECK(delay(SyncKind::Internal, 1216, 1216) == 64); // the second IPU has its own controller
    CHECK(delay(SyncKind::Global, 1215, 1215) == 618);
    for (std::uint32_t t = 1; t < 1216; ++t) {
      REQUIRE(c.syncArrival(TileId(t)) >= c.syncArrival(TileId(t - 1)));
      REQUIRE(c.syncRelease(SyncKind::Internal, TileId(t)) >= c.syncRelease(SyncKind::Internal, TileId(t - 1)));
    }
  }

  TEST_CASE("without relative delay every tile is released at the same time") {
    TileMachine machine = loadTileMachine("ipu1");
    machine.sync.relativeDelay = false;
    const CostModel c(machine);
    CHECK(c.syncRelease(SyncKind::Internal, TileId(1215)).count() == 64);
    CHECK(c.syncRelease(SyncKind::Internal, TileId(600)).count() == 64);
    CHECK(c.syncArrival(TileId(1215)).count() == 0);
  }

  TEST_CASE("a sync of a device waits for the host besides, longer after a copy than before it") {
    TileMachine machine = loadTileMachine("ipu1");
    machine.host.beginCycles = 700;
    machine.host.endCycles = 900;
    const CostModel c(machine);
    CHECK(c.syncRelease(SyncKind::HostRequest, TileId(0)).count() == 64 + 700);
    CHECK(c.syncRelease(SyncKind::HostAnswer, TileId(0)).count() == 64 + 900);
    CHECK(c.syncRelease(SyncKind::External, TileId(0)).count() == 64);
  }

  TEST_CASE("reading counters takes a cycle per instruction, and a round of the workers per store") {
    const CostModel c = costs("ipu2");
    CHECK(c.counterRead(1, 4).count() == 3 + 6);
    CHECK(c.counterRead(2, 9).count() == 7 + 2 * 6);
    CHECK(c.counterRead(3, 1).count() == 3 * 6); // never fewer instructions than stores
    CHECK(c.counterRead(0, 5).count() == 5);
  }

  TEST_CASE("the peak of a tile is that of the published figures") {
    // 1,216 tiles at 1.6 GHz: 124.5 and 31.1 TFLOP/s; 1,472 tiles at 1.325 GHz: 249.6 and 62.4 TFLOP/s
    CHECK(costs("ipu1").peakFlops(ElementType::Half) == 64);
    CHECK(costs("ipu1").peakFlops(ElementType::Float) == 16);
    CHECK(costs("ipu2").peakFlops(ElementType::Half) == 128);
    CHECK(costs("ipu2").peakFlops(ElementType::Float) == 32);
    CHECK(costs("ipu2").peakFlops(ElementType::Int) == 0);
  }

  TEST_CASE("the size of a vertex class is found by its name, in whatever order the machine's file has it") {
    const CostModel c(parseTileMachine(
        R"({"base": "ipu1", "vertexCode": [{"name": "W", "codeBytes": 8}, {"name": "A", "codeBytes": 12},
                                           {"name": "M", "codeBytes": 4}]})",
        "my.json"));
    CHECK(c.vertexCode("A") == Bytes(12));
    CHECK(c.vertexCode("M") == Bytes(4));
    CHECK(c.vertexCode("W") == Bytes(8));
    for (const char *unknown : {"", "B", "Z", "a"})
      CHECK_FALSE(c.vertexCode(unknown).has_value());
  }

  TEST_CASE("a one-word broadcast from tile 0 takes 120 cycles at most and 104 on average") {
    const CostModel c = costs("ipu1");
    std::uint64_t sum = 0, longest = 0;
    for (std::uint32_t t = 0; t < 1216; ++t) {
      const std::uint64_t cycles = (c.exchangeLatency(TileId(0), TileId(t)) + c.exchangeTransfer(Bytes(4), 1)).count();
      sum += cycles;
      longest = std::max(longest, cycles);
    }
    CHECK(longest == 120);
    CHECK(static_cast<double>(sum) / 1216 == doctest::Approx(103.9).epsilon(0.002));
  }

  TEST_CASE("latency depends on the distance alone") {
    const CostModel c = costs("ipu2");
    CHECK(c.exchangeLatency(TileId(3), TileId(900)) == c.exchangeLatency(TileId(900), TileId(3)));
    CHECK(c.exchangeLatency(TileId(10), TileId(20)) == c.exchangeLatency(TileId(110), TileId(120)));
    CHECK(c.exchangeLatency(TileId(0), TileId(1471)).count() == 119);
  }

  TEST_CASE("a shared bus doubles the width where the machine has one") {
    CHECK(costs("ipu1").exchangeTransfer(Bytes(512), 1).count() == 128);
    CHECK(costs("ipu1").exchangeTransfer(Bytes(512), 2).count() == 64);
    CHECK(costs("ipu1").exchangeTransfer(Bytes(5), 1).count() == 2);
    CHECK(costs("ipu1").exchangeTransfer(Bytes(0), 2).count() == 0);
    CHECK(costs("cpu").exchangeTransfer(Bytes(512), 2).count() == 128);
  }

  TEST_CASE("host copies take the cycles of the sample report") {
    const CostModel c = costs("ipu1");
    CHECK(c.hostCopy(Bytes(4)).count() == 7);
    CHECK(c.hostCopy(Bytes(8)).count() == 9);
    CHECK(c.hostCopy(Bytes(50244)).count() == 10700);
    std::uint64_t last = 0;
    for (std::uint64_t bytes = 0; bytes < 2000; ++bytes) {
      const std::uint64_t cycles = c.hostCopy(Bytes(bytes)).count();
      REQUIRE(cycles >= last);
      last = cycles;
    }
  }

  TEST_CASE("transfers between IPUs pay for every hop of the ladder") {
    const CostModel c = costs("ipu1", 8);
    const std::vector<std::uint64_t> cycles = totals(c, {{IpuId(0), IpuId(1), Bytes(0)},
                                                         {IpuId(0), IpuId(2), Bytes(0)},
                                                         {IpuId(0), IpuId(7), Bytes(0)},
                                                         {IpuId(2), IpuId(3), Bytes(19700)},
                                                         {IpuId(3), IpuId(2), Bytes(39400)}});
    CHECK(cycles == std::vector<std::uint64_t>{2070, 2070, 2070 + 3 * 24, 2070 + 1000, 2070 + 2000});
    CHECK(c.globalExchange({}).empty());
  }

  TEST_CASE("the port of a tile limits a transfer of which the tile has a large part") {
    const CostModel c = costs("ipu1", 2);
    const std::vector<IpuTransfer> transfers{{IpuId(0), IpuId(1), Bytes(19700)}};
    const IpuTransferCycles transfer = c.globalExchange(transfers).front();
    CHECK(transfer.latency.count() == 2070);
    CHECK(c.globalExchangeTile(transfer, Bytes(4000)).count() == 2070 + 1000);
    CHECK(c.globalExchangeTile(transfer, Bytes(4004)).count() == 2070 + 1001);
  }

  TEST_CASE("flows of a constraint share its rate, and the slowest constraint of a flow counts") {
    TileMachine machine = loadTileMachine("ipu1");
    machine.numIpus = 4;
    machine.link.constraints = {{1.6e9 * 8 * 2, {{0, 1}, {3, 1}}}, {1.6e9 * 8 * 4, {{0, 1}, {1, 0}}}};
    const CostModel c(machine);
    // one flow: 2 bytes per cycle; both directions: 2 bytes per cycle, and 200 bytes at 4 per cycle
    CHECK(totals(c, {{IpuId(0), IpuId(1), Bytes(100)}}) == std::vector<std::uint64_t>{2070 + 50});
    CHECK(totals(c, {{IpuId(1), IpuId(0), Bytes(100)}}) == std::vector<std::uint64_t>{2070 + 25});
    CHECK(totals(c, {{IpuId(0), IpuId(1), Bytes(100)}, {IpuId(1), IpuId(0), Bytes(100)}}) ==
          std::vector<std::uint64_t>{2070 + 50, 2070 + 50});
    // three flows: 100 + 60 bytes at 2 per cycle for the first and the last; 100 + 300 bytes at 4 for the second
    CHECK(totals(c, {{IpuId(0), IpuId(1), Bytes(100)},
                     {IpuId(1), IpuId(0), Bytes(300)},
                     {IpuId(3), IpuId(1), Bytes(60)},
                     {IpuId(2), IpuId(3), Bytes(197)}}) ==
          std::vector<std::uint64_t>{2070 + 100, 2070 + 100, 2070 + 80, 2070 + 10});
  }

  TEST_CASE("library calls have a cost and a size, unknown ones none") {
    const CostModel c = costs("ipu2");
    for (const char *name :
         {"expf",     "logf",          "sqrtf",        "tanhf",       "sinf",      "cosf",     "powf",
          "fmaf",     "memcpy",        "memset",       "memmove",     "__adddf3",  "__subdf3", "__muldf3",
          "__divdf3", "__extendsfdf2", "__truncdfsf2", "__floatsidf", "__fixdfsi", "__udivdi3"}) {
      CHECK_MESSAGE(c.libraryCall(name).count() > 0, name);
      CHECK_MESSAGE(c.libraryCode(name).count() > 0, name);
      CHECK_MESSAGE(c.libraryCode(name).count() % 4 == 0, name);
    }
    CHECK(c.libraryCall("expf") < c.libraryCall("logf")); // one instruction; log takes a sequence
    CHECK(c.libraryCall("nothing").count() == 0);
    CHECK(c.libraryCode("").count() == 0);
  }
}
