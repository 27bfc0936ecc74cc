// Explanations of tiles that are out of memory: the causes of gaps, and what must leave the tile. The machine is
// smallMachine(): 1,024 bytes, of which the stack takes 16.
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/layout/MeasureOverflow.hpp"
#include "tests/unit/liveness/StepBuilder.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace popscope;
using popscope::testing::smallMachine;
using popscope::testing::StepBuilder;

namespace {

struct Overflow {
  StepProgram program;
  TileOverflow found;

  explicit Overflow(StepBuilder &b) : program(b.finish()) {
    const TileMachine machine = smallMachine(1);
    const LiveRanges ranges = analyseLiveness(program);
    const LayoutResult layout = placeAllocations(program, ranges, machine, {});
    REQUIRE(layout.tilesOutOfMemory.size() == 1);
    found = measureOverflow(program, ranges, machine, {}, layout, TileId(0));
  }
  /// Returns the bytes that must go, by variable.
  [[nodiscard]] std::map<std::uint32_t, std::uint64_t> cuts() const {
    std::map<std::uint32_t, std::uint64_t> out;
    for (const HomeCut &cut : found.mustGo)
      out[program.homes[cut.home].var.index()] += cut.bytes.count();
    return out;
  }
};

using Cuts = std::map<std::uint32_t, std::uint64_t>;

} // namespace

TEST_SUITE("liveness.overflow") {
  TEST_CASE("a gap below memory's end, before data that has no place in memory, is a rule of regions") {
    StepBuilder b;
    const VarId near = b.variable("near", 34), free = b.variable("free", 10);
    b.info(near).addressLimit = 132; // 136 bytes: past the end of memory
    b.step({b.read(near), b.read(free)});
    const Overflow o(b);
    CHECK(o.found.over.count() == 136);
    // 16 + 40 + 136 bytes are occupied at once, of 1,160 below the highest address.
    CHECK(o.found.gaps.regions == 1160 - 192);
    CHECK(o.found.gaps.sum() == 1160 - 192);
  }

  TEST_CASE("where one variable suffices, it goes alone: the largest that exists whenever there is too much") {
    StepBuilder b;
    const VarId first = b.variable("first", 100), second = b.variable("second", 90), always = b.variable("always", 70);
    b.step({b.write(always), b.write(first)});
    b.step({b.read(first)});
    b.step({b.write(second)});
    b.step({b.read(second)});
    const VarId large = b.variable("large", 100); // 400 + 280 + 400 or 360 bytes: 72 or 32 above 1,008
    b.step({b.read(large), b.read(always)});
    // `large` exists from the start, like `always`, because no step writes it before its read.
    const Overflow o(b);
    CHECK(o.found.over.count() == 72);
    CHECK(o.cuts() == Cuts{{large.index(), 72}});
  }

  TEST_CASE("constants may go, too; what is no variable may not") {
    StepBuilder b;
    const VarId constant = b.variable("constant", 200), v = b.variable("v", 100);
    b.info(constant).constant = true;
    b.info(constant).category = StorageCategory::Constant;
    const VarId message = b.variable("message", 210);
    b.info(message).category = StorageCategory::Message;
    b.step({b.read(constant), b.write(message), b.write(v)});
    b.step({b.read(message), b.read(v)});
    const Overflow o(b);
    CHECK(o.found.bytesThere.count() == 16 + 4 * 510);
    CHECK(o.cuts() == Cuts{{constant.index(), 800}, {v.index(), 4 * 510 - 1008 - 800}});
  }

  TEST_CASE("where no variable suffices, those go that exist longest from there on") {
    // Steps: 1-2 a, 1-4 b, 3-4 c. Too much at all of them; no variable has enough bytes.
    StepBuilder builder;
    const VarId a = builder.variable("a", 150), b = builder.variable("b", 150), c = builder.variable("c", 150);
    const VarId base = builder.variable("base", 130);
    builder.step({builder.write(base), builder.write(a), builder.write(b)});
    builder.step({builder.read(a)});
    builder.step({builder.write(c)});
    builder.step({builder.read(c), builder.read(b)});
    builder.step({builder.read(base)});
    const Overflow o(builder);
    CHECK(o.found.over.count() == 16 + 4 * 430 - 1024); // 712
    CHECK(o.cuts() == Cuts{{b.index(), 600}, {base.index(), 112}});
  }
} // TEST_SUITE
