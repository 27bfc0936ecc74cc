// Host objects: nested operands, fields without operand, alignment, the operand list of the stand-in.
#include "TestClasses.hpp"

#include "base/Check.hpp"
#include "instrument/machine/VertexObjects.hpp"

#include <doctest/doctest.h>

using namespace popscope;
using namespace popscope::test;

namespace {

struct GatherProgram {
  GatherProgram() : b(1) {
    a = b.ints("a", 0, {1, 2, 3});
    s = b.ints("s", 0, {10, 20});
    out = b.ints("out", 0, {0});
    type = b.type("Gather", classes().gather);
    b.execute();
    b.vertex(type, 0);
  }
  ProgramBuilder b;
  HomeId a, s, out;
  VertexTypeId type;
};

} // namespace

TEST_SUITE("instrument.vertex objects") {

  TEST_CASE("vectors of vectors, vectors of scalars and vector states reach the vertex") {
    GatherProgram p;
    p.b.edge(0, p.a, 4, 2, true, false, 1); // lists[1] = {2, 3}; lists[0] and lists[2] have no operand
    p.b.size(0, 3);
    p.b.edge(1, p.s, 4, 1, true, false, 0); // singles = {20, 10}
    p.b.edge(1, p.s, 0, 1, true, false, 1);
    p.b.state<std::int32_t>(2, {100, 200});
    p.b.edge(3, p.out, 0, 1, false, true);
    show(p.b, "out", p.out);
    p.b.finishRoot();
    Rig rig(p.b);
    rig.run();
    CHECK(rig.host.printed.at(0) == "out[1] 3335"); // 3 lists * 1000 + 2 + 3 + 20 + 10 + 100 + 200
  }

  TEST_CASE("fields without operand are valid: empty spans, and zero where a single element is wanted") {
    GatherProgram p;
    p.b.edge(1, HomeId(), 0, 0, true, false, 1); // two singles, neither with an element
    p.b.edge(3, p.out, 0, 1, false, true);
    show(p.b, "out", p.out);
    p.b.finishRoot();
    Rig rig(p.b);
    rig.run();
    CHECK(rig.host.printed.at(0) == "out[1] 0");

    const DeviceState state(p.b.program);
    const VertexObjects objects(p.b.program, rig.classes.codelets, state);
    HostSlab halves;
    const auto operands =
        objects.operands(0, halves); // the state, singles[1], out: the stand-in also needs a zero element
    REQUIRE(operands.size() == 3);
    CHECK(operands[1].subIndex == 1);
    CHECK(operands[1].data == nullptr);
    CHECK(operands[1].elements == 1);
  }

  TEST_CASE("homes are aligned to 32 bytes and followed by 32 bytes that are zero and nobody's") {
    ProgramBuilder b(2);
    const HomeId first = b.ints("first", 1, {-1});
    const HomeId second = b.ints("second", 0, {-1, -1});
    const HomeId third = b.ints("third", 1, std::vector<std::int32_t>(16, -1));
    b.finishRoot();
    const DeviceState state(b.program);
    for (const HomeId h : {first, second, third}) {
      CHECK(reinterpret_cast<std::uintptr_t>(state.at(h)) % 32 == 0);
      const Bytes bytes = b.program.homeBytes(h);
      CHECK(*state.at(h, bytes - Bytes(1)) == 0xff);
      for (std::uint64_t i = 0; i < 32; ++i)
        REQUIRE(*state.at(h, bytes + Bytes(i)) == 0);
    }
  }

  TEST_CASE("the stand-in's operands are the states as they are now and the edges, sizes without operand included") {
    GatherProgram p;
    p.b.edge(0, p.a, 0, 3, true, false, 0);
    p.b.size(0, 4);
    p.b.state<std::int32_t>(2, {100, 200});
    p.b.edge(3, p.out, 0, 1, false, true);
    p.b.finishRoot();
    const DeviceState state(p.b.program);
    const TestClasses local;
    const VertexObjects objects(p.b.program, local.codelets, state);
    HostSlab halves;
    const auto operands = objects.operands(0, halves);
    REQUIRE(operands.size() == 4);
    CHECK(operands[0].field == 2);
    CHECK(operands[0].elements == 2);
    CHECK(static_cast<const std::int32_t *>(operands[0].data)[1] == 200);
    CHECK(operands[1].field == 0);
    CHECK(operands[1].data == state.at(p.a));
    CHECK(operands[1].elements == 3);
    CHECK(operands[2].field == 3);
    CHECK(operands[3].field == 0); // the fourth list exists, but is empty
    CHECK(operands[3].subIndex == 3);
    CHECK(operands[3].data == nullptr);
    CHECK(operands[3].elements == 0);
  }

  TEST_CASE("a program that does not fit its vertex class is our bug and says which field") {
    GatherProgram p;
    p.b.edge(2, p.a, 0, 3, true, false); // field 2 is a state
    p.b.finishRoot();
    const DeviceState state(p.b.program);
    const TestClasses local;
    CHECK_THROWS_WITH_AS(VertexObjects(p.b.program, local.codelets, state),
                         doctest::Contains("field 'weights' of 'Gather'"), InternalError);
  }

} // TEST_SUITE
