// The layout checker finds each planted fault, and accepts the unchanged result.
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "liveness/layout/PlaceAllocations.hpp"
#include "tests/unit/liveness/StepBuilder.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace popscope;
using popscope::testing::smallMachine;
using popscope::testing::StepBuilder;

namespace {

// Tile 0: the stack in [128, 144), v and w share [144, 184), `both` lives throughout and follows them, i is interleaved
// at 512, code is at 0. Tile 1: only its stack and code.
struct Subject {
  TileMachine machine = smallMachine(2);
  VarId v, w, both, interleaved;
  StepProgram program;
  LiveRanges ranges;
  LayoutResult layout;

  Subject() {
    StepBuilder b(2);
    v = b.variable("v", 10);
    w = b.variable("w", 10);
    both = b.variable("both", 4);
    interleaved = b.variable("i", 4);
    b.info(interleaved).interleaved = true;
    const std::uint32_t first = b.step({b.write(v), b.write(both), b.write(interleaved)});
    b.step({b.read(v)});
    b.step({b.write(w)});
    b.step({b.read(w), b.read(both), b.read(interleaved)});
    b.program().steps[StepIndex(first)].controlCode.everyTile = Bytes32(8);
    program = b.finish();
    ranges = analyseLiveness(program);
    layout = placeAllocations(program, ranges, machine, {});
  }
  Allocation &home(VarId var) {
    for (Allocation &a : layout.allocations)
      if (a.owner == OwnerKind::Home && program.homes[HomeId(a.ownerIndex)].var == var)
        return a;
    throw std::logic_error("no such home");
  }
  Allocation &of(OwnerKind owner) {
    for (Allocation &a : layout.allocations)
      if (a.owner == owner)
        return a;
    throw std::logic_error("no such allocation");
  }
  [[nodiscard]] bool finds(const std::string &text) const {
    for (const std::string &finding : checkLayout(program, ranges, layout, machine))
      if (finding.find(text) != std::string::npos)
        return true;
    return false;
  }
};

} // namespace

TEST_SUITE("liveness.check.layout") {
  TEST_CASE("a right result passes, and v and w do share") {
    Subject s;
    CHECK(checkLayout(s.program, s.ranges, s.layout, s.machine).empty());
    CHECK(s.home(s.v).address == s.home(s.w).address);
  }

  TEST_CASE("A1: a pair that lives together at one address is found") {
    Subject s;
    s.home(s.both).address = s.home(s.v).address + 4;
    CHECK(s.finds("A1"));
  }

  TEST_CASE("A1: a moved neighbour that touches a single byte is found") {
    Subject s;
    Allocation &both = s.home(s.both);
    both.alignment = 4;
    s.program.vars[s.both].alignment = 1;
    both.alignment = 1;
    const bool above = both.address > s.home(s.v).address;
    both.address = above ? both.address - 1 : both.address + 1;
    CHECK(s.finds("A1"));
  }

  TEST_CASE("A2: a misaligned address is found") {
    Subject s;
    s.home(s.interleaved).address += 2;
    CHECK(s.finds("A2"));
  }

  TEST_CASE("A3: data in the wrong region, and data whose recorded region is wrong, are found") {
    Subject s;
    s.home(s.interleaved).address = 256;
    s.home(s.interleaved).region = AllocationRegion::NonInterleaved;
    CHECK(s.finds("must be interleaved"));
    Subject t;
    t.home(t.interleaved).region = AllocationRegion::Overflowed;
    CHECK(t.finds("says that it is in region"));
  }

  TEST_CASE("A3: code where it cannot run or over the end, data below its start with room above, and demands over the "
            "end are found") {
    Subject s;
    s.of(OwnerKind::Control).address = 300;
    CHECK(s.finds("outside of executable memory"));
    Subject t;
    t.of(OwnerKind::Stack).address = 64;
    CHECK(t.finds("is data below 128 on a tile with room above"));
    Subject u;
    u.home(u.interleaved).address = 1020;
    CHECK(u.finds("must be interleaved"));
    Subject w;
    w.of(OwnerKind::Control).address = 1020;
    CHECK(w.finds("outside of executable memory"));
  }

  TEST_CASE("A7: a home above the reach of its pointers is found") {
    Subject s;
    const Allocation &v = s.home(s.v);
    s.program.vars[s.v].addressLimit = v.end();
    CHECK_FALSE(s.finds("A7"));
    s.program.vars[s.v].addressLimit -= 1;
    CHECK(s.finds("A7"));
  }

  TEST_CASE("A8: two homes in one memory element that must lie apart are found") {
    Subject s; // v and `both` lie in the element at 128, i in the element at 512
    const auto apart = [&](VarId a, VarId b) {
      s.program.apart = {{HomeId(s.home(a).ownerIndex), HomeId(s.home(b).ownerIndex)}};
    };
    apart(s.v, s.interleaved);
    CHECK_FALSE(s.finds("A8"));
    apart(s.v, s.both);
    CHECK(s.finds("A8"));
    s.home(s.both).address = 252; // its last bytes touch the element at 256
    apart(s.both, s.v);
    CHECK(s.finds("at 128"));
    s.home(s.v).address = s.home(s.w).address = 216; // v ends at 256, where the next element and `both` begin
    s.home(s.both).address = 256;
    CHECK_FALSE(s.finds("A8"));
    CHECK_FALSE(s.finds("out of order")); // this would end the check earlier
  }

  TEST_CASE("A4, A5: each wrong sum is found") {
    const auto finds = [](auto change, const char *text) {
      Subject s;
      change(s.layout.tiles[0]);
      return s.finds(text);
    };
    CHECK(finds([](TileMemory &m) { m.category[static_cast<std::size_t>(StorageCategory::Stack)][0][0] += Bytes(1); },
                "A4: tile 0: stack"));
    CHECK(finds([](TileMemory &m) { m.usedBy[static_cast<std::size_t>(StorageCategory::Stack)] += Bytes(1); },
                "addresses of stack"));
    CHECK(finds([](TileMemory &m) { m.usedBy[static_cast<std::size_t>(StorageCategory::Multiple)] += Bytes(1); },
                "uses of addresses add up"));
    CHECK(finds([](TileMemory &m) { m.excludingGaps[1] -= Bytes(1); }, "regions add up to"));
    CHECK(finds([](TileMemory &m) { m.includingGaps[0] += Bytes(1); }, "includingGaps of a region"));
    CHECK(finds([](TileMemory &m) { m.totalExcludingGaps += Bytes(1); }, "totalExcludingGaps"));
    CHECK(finds([](TileMemory &m) { m.totalIncludingGaps += Bytes(1); }, "A5"));
    CHECK(finds([](TileMemory &m) { m.afterOverlapping -= Bytes(1); }, "less than the lower bound"));
    CHECK(finds([](TileMemory &m) { m.lowerBoundOverlapped -= Bytes(1); }, "lowerBoundOverlapped"));
    CHECK(finds([](TileMemory &m) { m.alwaysLiveBytes += Bytes(1); }, "alwaysLiveBytes"));
    CHECK(finds([](TileMemory &m) { m.maxNotAlwaysLiveBytes += Bytes(1); }, "maxNotAlwaysLiveBytes"));
  }

  TEST_CASE("a wrong flag, class or size of an allocation is found") {
    Subject s;
    s.home(s.v).overlapped = false;
    CHECK(s.finds("is said not to be overlapped"));
    Subject t;
    t.home(t.v).occupied = LiveClassId(0);
    CHECK(t.finds("differs from its variable 'v'"));
    Subject u;
    u.home(u.v).bytes -= Bytes32(4);
    CHECK(u.finds("has no allocation of its size"));
    CHECK(u.finds("is not home"));
    Subject w;
    w.of(OwnerKind::Stack).occupied = LiveClassId(0);
    CHECK(w.finds("is no variable and not always occupied"));
  }

  TEST_CASE("a home of another tile is found") {
    Subject s;
    s.program.homes[HomeId(s.home(s.v).ownerIndex)].tile = TileId(1);
    CHECK(s.finds("is not home"));
  }

  TEST_CASE("a missing allocation, one that belongs to nothing and a wrong list of full tiles are found") {
    Subject s;
    s.home(s.w).ownerIndex = s.home(s.v).ownerIndex;
    CHECK(s.finds("has no allocation of its size"));
    Subject t;
    t.of(OwnerKind::Control).owner = OwnerKind::Vertex;
    CHECK(t.finds("controlCode of 8 bytes (owner 6 index 1) has no allocation of its size"));
    Subject u;
    u.layout.tilesOutOfMemory.emplace_back(1U);
    CHECK(u.finds("tiles out of memory"));
    Subject w;
    w.layout.firstOfTile.back() -= 1;
    CHECK(w.finds("tables do not fit"));
  }
}
