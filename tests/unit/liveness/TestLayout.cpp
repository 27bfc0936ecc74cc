// The layout: regions, sharing, overflow, totals. The machine is smallMachine(): code in [0, 256), data from 128,
// interleaved memory in [512, 1024), a stack of 2 * 4 + 8 = 16 bytes.
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "liveness/layout/PlaceAllocations.hpp"
#include "tests/unit/liveness/StepBuilder.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>

using namespace popscope;
using popscope::testing::smallMachine;
using popscope::testing::StepBuilder;

namespace {

struct Placed {
  StepProgram program;
  LiveRanges ranges;
  LayoutResult layout;

  Placed(StepBuilder &b, const TileMachine &machine, const LayoutOptions &options = {})
      : program(b.finish()), ranges(analyseLiveness(program)),
        layout(placeAllocations(program, ranges, machine, options)) {
    for (const std::string &finding : checkLayout(program, ranges, layout, machine))
      FAIL_CHECK(finding);
  }
  [[nodiscard]] const Allocation &home(VarId v, std::uint32_t tile = 0) const {
    for (const Allocation &a : layout.ofTile(TileId(tile)))
      if (a.owner == OwnerKind::Home && program.homes[HomeId(a.ownerIndex)].var == v)
        return a;
    throw std::logic_error("no such home");
  }
  [[nodiscard]] const Allocation &first(OwnerKind owner) const {
    for (const Allocation &a : layout.allocations)
      if (a.owner == owner)
        return a;
    throw std::logic_error("no such allocation");
  }
};

// Adds a value that is live from one step to the next.
void passOn(StepBuilder &b, VarId v) {
  b.step({b.write(v)});
  b.step({b.read(v)});
}

} // namespace

TEST_SUITE("liveness.layout") {
  TEST_CASE("an idle tile has its stack at the start of the data memory and nothing else") {
    StepBuilder b;
    const Placed p(b, smallMachine(1));
    REQUIRE(p.layout.allocations.size() == 1);
    CHECK(p.layout.allocations[0].category == StorageCategory::Stack);
    CHECK(p.layout.allocations[0].address == 128);
    const TileMemory &m = p.layout.tiles[0];
    CHECK(m.totalExcludingGaps.count() == 16);
    CHECK(m.totalIncludingGaps.count() == 144);
    CHECK(m.alwaysLiveBytes.count() == 16);
  }

  TEST_CASE("buffers that only touch in time may share an address") {
    StepBuilder b;
    const VarId v = b.variable("v", 10), w = b.variable("w", 10);
    passOn(b, v);
    passOn(b, w);
    const Placed p(b, smallMachine(1));
    CHECK(p.home(v).address == p.home(w).address);
    CHECK(p.home(v).address == 144); // after the stack
    CHECK(p.home(v).overlapped);
    CHECK(p.home(w).overlapped);
    const TileMemory &m = p.layout.tiles[0];
    CHECK(m.afterOverlapping.count() == 40);
    CHECK(m.lowerBoundOverlapped.count() == 40);
    CHECK(m.maxNotAlwaysLiveBytes.count() == 40);
    CHECK(m.category[static_cast<std::size_t>(StorageCategory::Variable)][0][1].count() == 80);
    CHECK(m.totalExcludingGaps.count() == 56);
  }

  TEST_CASE("buffers that live together do not share, not even for a dead write") {
    StepBuilder b;
    const VarId v = b.variable("v", 10), dead = b.variable("dead", 10);
    b.step({b.write(v)});
    b.step({b.write(dead)});
    b.step({b.read(v)});
    const Placed p(b, smallMachine(1));
    CHECK(p.home(v).address != p.home(dead).address);
    CHECK_FALSE(p.home(v).overlapped);
    CHECK(p.layout.tiles[0].afterOverlapping.count() == 0);
    CHECK(p.layout.tiles[0].totalExcludingGaps.count() == 16 + 80);
  }

  TEST_CASE("a variable that no step reads or writes takes no memory, and what is always live shares none") {
    StepBuilder b;
    const VarId unused = b.variable("unused", 4), undefined = b.variable("undefined", 1000000), v = b.variable("v", 4),
                constant = b.variable("c", 4);
    b.info(constant).constant = true;
    passOn(b, v);
    b.leaf(StepKind::WriteUndef, {b.undef(undefined)});
    const Placed p(b, smallMachine(1));
    CHECK_THROWS_AS((void)p.home(unused), std::logic_error);
    CHECK_THROWS_AS((void)p.home(undefined), std::logic_error);
    CHECK_FALSE(p.home(v).overlapped);
    CHECK_FALSE(p.home(constant).overlapped);
    CHECK_FALSE(p.first(OwnerKind::Stack).overlapped);
  }

  TEST_CASE("interleaved data starts at the interleaved region and leaves a gap") {
    StepBuilder b;
    const VarId v = b.variable("v", 4);
    b.info(v).interleaved = true;
    passOn(b, v);
    const Placed p(b, smallMachine(1));
    CHECK(p.home(v).address == 512);
    CHECK(p.home(v).region == AllocationRegion::Interleaved);
    const TileMemory &m = p.layout.tiles[0];
    CHECK(m.totalIncludingGaps.count() == 512 + 16); // the region's start + interleaved bytes
    CHECK(m.totalExcludingGaps.count() == 16 + 16);
    CHECK(m.includingGaps[1].count() == 16);
    CHECK(m.includingGaps[0].count() == 144);
  }

  TEST_CASE("data goes to interleaved memory when the other is full, then below its start, then over the end") {
    for (const std::uint32_t more : {0U, 32U, 33U}) {
      StepBuilder b;
      const VarId fills = b.variable("fills", 92);     // 368 = 512 - 144 bytes: all memory that is not interleaved
      const VarId second = b.variable("second", 1);    // interleaved
      const VarId third = b.variable("third", 127);    // the rest of interleaved memory
      const VarId fourth = b.variable("fourth", more); // 128 bytes are left, below the start of data
      b.step({b.read(fills), b.read(second), b.read(third), b.read(fourth)});
      const Placed p(b, smallMachine(1));
      const TileMemory &m = p.layout.tiles[0];
      if (more == 0) {
        CHECK(p.home(fills).address == 144);
        CHECK(p.home(second).address == 512);
        CHECK(p.home(third).address == 516);
        CHECK(m.totalIncludingGaps.count() == 1024);
      } else {
        CHECK(m.totalExcludingGaps.count() == 16 + 880 + 4 * more);
        CHECK(m.totalIncludingGaps == m.totalExcludingGaps);
      }
      CHECK(p.layout.tilesOutOfMemory.size() == (more == 33 ? 1 : 0));
      CHECK(m.excludingGaps[2].count() == (more == 33 ? 4 : 0)); // 4 bytes of a home that crosses the end
      CHECK(m.includingGaps[2].count() == (more == 33 ? 4 : 0));
    }
  }

  TEST_CASE("homes that leave room in both regions lie across their border, where one more would not fit in either") {
    StepBuilder b;
    std::vector<VarId> vars;
    for (int i = 0; i < 3; ++i)
      vars.push_back(b.variable("v" + std::to_string(i), 70)); // 280 bytes: 368 hold one, 512 hold one, 880 hold three
    b.step({b.read(vars[0]), b.read(vars[1]), b.read(vars[2])});
    const Placed p(b, smallMachine(1));
    CHECK(p.layout.tilesOutOfMemory.empty());
    CHECK(p.layout.tiles[0].totalIncludingGaps.count() == 144 + 840);
    CHECK(p.layout.tiles[0].excludingGaps[0].count() == 16 + 368);
    CHECK(p.layout.tiles[0].excludingGaps[1].count() == 840 - 368);
  }

  TEST_CASE("interleaved data moves up where other data needs what lies between") {
    StepBuilder b;
    const VarId inter = b.variable("inter", 50),
                large = b.variable("large", 165); // 200 and 660: 368 and 312 would be left
    b.info(inter).interleaved = true;
    b.step({b.read(inter), b.read(large)});
    const Placed p(b, smallMachine(1));
    CHECK(p.layout.tilesOutOfMemory.empty());
    CHECK(p.home(inter).address == 824);
    CHECK(p.home(large).address == 144);
  }

  TEST_CASE("allocations are sorted by address, also where one that never shares follows one that does") {
    StepBuilder b;
    const VarId large = b.variable("large", 92); // 368 bytes: [144, 512)
    const VarId constant = b.variable("constant", 4), other = b.variable("other", 4);
    const VarId low = b.variable("low", 46), high = b.variable("high", 46);
    for (const VarId v : {constant, other}) {
      b.info(v).constant = true;
      b.info(v).interleaved = true; // at 512, directly behind `large`
    }
    passOn(b, large);
    b.step({b.write(low), b.write(high)});
    b.step({b.read(low), b.read(high), b.read(constant), b.read(other)});
    const Placed p(b, smallMachine(1)); // checkLayout finds allocations that are out of order
    CHECK(p.home(large).address == 144);
    CHECK(p.home(low).address == 144);
    CHECK(p.home(high).address == 328);
    CHECK(p.home(constant).address == 512);
    CHECK(p.home(other).address == 528);
  }

  TEST_CASE("a variable larger than any one region spans both, and its bytes count where they lie") {
    StepBuilder b;
    const VarId v = b.variable("v", 200); // 800 bytes from 144: 368 + 432
    b.step({b.read(v)});
    const Placed p(b, smallMachine(1));
    CHECK(p.home(v).address == 144);
    const auto &by = p.layout.tiles[0].category[static_cast<std::size_t>(StorageCategory::Variable)];
    CHECK(by[0][0].count() == 368);
    CHECK(by[1][0].count() == 432);
    CHECK(p.layout.tilesOutOfMemory.empty());
  }

  TEST_CASE("tiles out of memory are listed fullest first") {
    StepBuilder b(4);
    const VarId v = b.variable("v", 300, {0}), w = b.variable("w", 400, {2}), x = b.variable("x", 300, {3});
    b.step({b.read(v), b.read(w), b.read(x)});
    const Placed p(b, smallMachine(4));
    CHECK(p.layout.tilesOutOfMemory == std::vector<TileId>{TileId(2), TileId(0), TileId(3)});
  }

  TEST_CASE("code fills its element, continues behind stack in executable memory, then overflows") {
    for (const std::uint32_t bytes : {100U, 112U, 116U, 128U, 132U}) {
      StepBuilder b;
      b.program().exchangeTiles.resize(2);
      for (std::uint32_t i = 0; i < 2; ++i) {
        b.program().exchangeTiles[i].tile = TileId(0);
        b.program().exchangeTiles[i].codeBytes = Bytes32(bytes);
      }
      b.program().exchanges = {{0, 0, 0, 1}, {0, 0, 1, 1}};
      for (std::uint32_t i = 0; i < 2; ++i)
        b.leaf(StepKind::DoExchange, {}, i);
      const Placed p(b, smallMachine(1));
      std::vector<std::uint32_t> addresses;
      for (const Allocation &a : p.layout.allocations)
        if (a.owner == OwnerKind::InternalExchange)
          addresses.push_back(a.address);
      // Executable memory: [0, 128), the stack's [128, 144), [144, 256); without the stack, all of it.
      CHECK(addresses == std::vector<std::uint32_t>{0, bytes <= 112 ? 144U : bytes <= 128 ? bytes : 1024U});
      CHECK(p.layout.tilesOutOfMemory.empty() == (bytes <= 128));
    }
  }

  TEST_CASE("control code of steps that follow one another is one piece, up to 1,024 bytes and the step that brings it "
            "there") {
    StepBuilder b(2);
    b.program().tileCode = {{TileId(1), Bytes32(500)}, {TileId(1), Bytes32(24)}};
    using popscope::CodeBytes;
    for (const CodeBytes code :
         {CodeBytes{{}, 0, 1}, {Bytes32(1000), 1, 1}, {Bytes32(20), 0, 0}, {Bytes32(4), 0, 0}, {Bytes32(4), 0, 0}})
      b.program().steps[StepIndex(b.step({}))].controlCode = code; // of steps 1 to 5
    TileMachine machine = smallMachine(2);
    machine.bytesPerTile = 4096;
    machine.regions = {{popscope::RegionKind::NonInterleaved, 0, 4096, 4096, true}};
    std::vector<std::array<std::uint32_t, 3>> pieces; // tile, first step, bytes
    const Placed placed(b, machine);
    for (std::uint32_t tile = 0; tile < 2; ++tile)
      for (const Allocation &a : placed.layout.ofTile(TileId(tile)))
        if (a.owner == OwnerKind::Control)
          pieces.push_back({tile, a.ownerIndex, a.bytes.count()});
    std::sort(pieces.begin(), pieces.end());
    CHECK(pieces == std::vector<std::array<std::uint32_t, 3>>{{0, 2, 1024}, {0, 5, 4}, {1, 1, 1524}, {1, 3, 28}});
  }

  TEST_CASE("alignment is kept") {
    StepBuilder b;
    const VarId v = b.variable("v", 3), w = b.variable("w", 3);
    b.info(v).alignment = 32;
    b.info(w).alignment = 64;
    b.step({b.write(v), b.write(w)});
    b.step({b.read(v), b.read(w)});
    const Placed p(b, smallMachine(1));
    CHECK(p.home(v).address % 32 == 0);
    CHECK(p.home(w).address % 64 == 0);
  }

  TEST_CASE("an alignment that no tile has is refused by name") {
    for (const std::uint32_t alignment : {Allocation::kMaxAlignment, Allocation::kMaxAlignment + 1}) {
      StepBuilder b;
      const VarId v = b.variable("aligned", 1);
      b.info(v).alignment = alignment;
      b.step({b.write(v)});
      b.step({b.read(v)});
      const StepProgram program = b.finish();
      const LiveRanges ranges = analyseLiveness(program);
      if (alignment == Allocation::kMaxAlignment)
        CHECK_NOTHROW((void)placeAllocations(program, ranges, smallMachine(1), {}));
      else
        CHECK_THROWS_WITH_AS((void)placeAllocations(program, ranges, smallMachine(1), {}),
                             "variable 'aligned' needs an alignment of 524288 bytes; the limit is 524287: connect it "
                             "to fields with a smaller MIN_ALIGN",
                             poplar::invalid_tile_mapping);
    }
  }

  TEST_CASE("equal tiles are solved once, and tiles that differ only in what is live are not equal") {
    StepBuilder b(8);
    const VarId v = b.variable("v", 12, {0, 1, 2, 3});
    passOn(b, v);
    const VarId dead = b.variable("dead", 6, {4, 5}), part = b.variable("part", 6, {6, 7});
    b.step({b.write(dead), b.write(part)});
    b.step({b.read(part), StepBuilder::writePart(dead, 0, 1)});
    const Placed p(b, smallMachine(8));
    // `dead` is occupied at the same steps as `part` but is never live, so the peak of live bytes differs between their
    // tiles.
    CHECK(p.ranges.occupied[dead] == p.ranges.occupied[part]);
    CHECK(p.layout.distinctProblems == 3);
    CHECK(p.home(v, 3).ownerIndex == 3);
    CHECK(p.layout.tiles[4].maxNotAlwaysLiveBytes.count() == 0);
    CHECK(p.layout.tiles[6].maxNotAlwaysLiveBytes.count() == 12);
  }

  TEST_CASE("the best of the orders wins: long lives first saves here what largest first wastes") {
    // a (40 bytes) is live at steps 1-2, b (44) at 3-4, c (36) at 1-4. A good order reaches 44 + 36 = 80.
    StepBuilder b;
    const VarId a = b.variable("a", 10), big = b.variable("b", 11), c = b.variable("c", 9);
    b.step({b.write(a), b.write(c)});
    b.step({b.read(a)});
    b.step({b.write(big)});
    b.step({b.read(big), b.read(c)});
    const Placed p(b, smallMachine(1));
    CHECK(p.layout.tiles[0].totalIncludingGaps.count() == 144 + 80);
  }

  TEST_CASE("a variable with an address limit is placed below it, whatever is larger") {
    StepBuilder b;
    const VarId large = b.variable("large", 40), near = b.variable("near", 2);
    b.info(near).addressLimit = 152; // 144 + 8: directly after the stack
    b.step({b.read(large), b.read(near)});
    const Placed p(b, smallMachine(1));
    CHECK(p.home(near).address == 144);
    CHECK(p.home(large).address == 152);
  }

  TEST_CASE("a limit that nothing can keep ends in overflow, not in an address out of reach") {
    StepBuilder b;
    const VarId near = b.variable("near", 34);
    b.info(near).addressLimit = 132; // 136 bytes
    b.step({b.read(near)});
    const Placed p(b, smallMachine(1));
    CHECK(p.home(near).region == AllocationRegion::Overflowed);
    CHECK(p.home(near).address == 1024);
    CHECK(p.layout.tilesOutOfMemory == std::vector<TileId>{TileId(0)});
  }

  TEST_CASE("homes that must lie apart share no memory element, on each tile and with each partner") {
    StepBuilder b(2);
    const VarId x = b.variable("x", 8, {0, 1}), y = b.variable("y", 8, {0, 1}), z = b.variable("z", 4, {0});
    b.step({b.read(x), b.read(y), b.read(z)});
    const auto homeOf = [&](VarId v, std::uint32_t k) { return HomeId(b.info(v).firstHome + k); };
    b.program().apart = {{homeOf(x, 0), homeOf(y, 0)},
                         {homeOf(x, 0), homeOf(z, 0)},
                         {homeOf(x, 1), homeOf(y, 1)},
                         {homeOf(y, 0), homeOf(z, 0)}};
    const Placed p(b, smallMachine(2)); // elements: [128, 256), [256, 384), [384, 512), [512, 768) ...; checked by A8
    const auto element = [&](VarId v, std::uint32_t tile) { return p.home(v, tile).address / 128; };
    CHECK(element(x, 0) != element(y, 0));
    CHECK(element(x, 0) != element(z, 0));
    CHECK(element(y, 0) != element(z, 0));
    CHECK(element(x, 1) != element(y, 1));
    CHECK(p.layout.distinctProblems == 2);
  }

  TEST_CASE("tiles that differ only in what must lie apart are not one problem") {
    StepBuilder b(2);
    const VarId x = b.variable("x", 8, {0, 1}), y = b.variable("y", 8, {0, 1});
    b.step({b.read(x), b.read(y)});
    b.program().apart = {{HomeId(b.info(x).firstHome), HomeId(b.info(y).firstHome)}};
    const Placed p(b, smallMachine(2));
    CHECK(p.layout.distinctProblems == 2);
    CHECK(p.home(y, 1).address == 160); // after x
    CHECK(p.home(y, 0).address == 256);
  }

  TEST_CASE("what needs addresses of more than 32 bits is refused by name") {
    StepBuilder b;
    const VarId huge = b.variable("huge", std::uint64_t(1) << 30);
    b.step({b.read(huge)});
    const StepProgram program = b.finish();
    CHECK_THROWS_WITH_AS(placeAllocations(program, analyseLiveness(program), smallMachine(1), {}),
                         doctest::Contains("variable 'huge' has 4294967296 bytes on tile 0"),
                         poplar::invalid_tile_mapping);
    StepBuilder c;
    const VarId one = c.variable("one", std::uint64_t(3) << 28), two = c.variable("two", std::uint64_t(1) << 29);
    c.step({c.read(one), c.read(two)});
    const StepProgram both = c.finish();
    CHECK_THROWS_WITH_AS(placeAllocations(both, analyseLiveness(both), smallMachine(1), {}), doctest::Contains("'one'"),
                         poplar::invalid_tile_mapping);
  }

  TEST_CASE("a machine without regions has room for everything") {
    StepBuilder b;
    const VarId v = b.variable("v", 100000);
    b.info(v).interleaved = true;
    b.step({b.read(v)});
    TileMachine cpu;
    cpu.kind = DeviceKind::Cpu;
    StepProgram program = b.finish();
    const LiveRanges ranges = analyseLiveness(program);
    const LayoutResult layout = placeAllocations(program, ranges, cpu, {});
    CHECK(layout.tilesOutOfMemory.empty());
    CHECK(layout.tiles[0].totalIncludingGaps.count() == 400000);
  }
}
