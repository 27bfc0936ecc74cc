// Streams and remote buffers: blocks, offsets, rows.
#include "TestClasses.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;
using namespace popscope::test;

TEST_SUITE("instrument.host copies") {

  TEST_CASE("each copy from the host takes the next block and scatters it over homes") {
    ProgramBuilder b(2);
    const HomeId left = b.ints("left", 0, {0, 0}), right = b.ints("right", 1, {0, 0});
    const StreamId in = b.stream("in", ElementType::Int, 3, true);
    b.program.repeats.push_back({2});
    b.open(StepKind::Repeat);
    b.streamCopy(in, true, 12);
    b.transfer(right, 4, 4, 0);
    b.transfer(left, 0, 8, 4);
    show(b, "left", left);
    show(b, "right", right);
    b.close();
    b.finishRoot();
    Rig rig(b);
    rig.host.toDevice[0] = {1, 2, 3, 4, 5, 6};
    rig.run();
    CHECK(rig.host.printed == std::vector<std::string>{"left[2] 2 3", "right[2] 0 1", "left[2] 5 6", "right[2] 0 4"});
  }

  TEST_CASE("a copy to the host gathers one block") {
    ProgramBuilder b(2);
    const HomeId left = b.ints("left", 0, {1, 2}), right = b.ints("right", 1, {3, 4});
    const StreamId out = b.stream("out", ElementType::Int, 4, false);
    b.streamCopy(out, false, 16);
    b.transfer(right, 0, 8, 0);
    b.transfer(left, 0, 8, 8);
    b.finishRoot();
    Rig rig(b);
    rig.run();
    CHECK(rig.host.fromDevice[0] == std::vector<std::int32_t>{3, 4, 1, 2});
  }

  TEST_CASE("a remote offset names the rows, one after the other in the tensor") {
    ProgramBuilder b(1);
    const HomeId data = b.ints("data", 0, {0, 0, 0, 0});
    const HomeId offsets = b.ints("offsets", 0, {2, 0});
    const StreamId buffer = b.stream("buffer", ElementType::Int, 2, true, 3);
    for (const bool toDevice : {true, false}) {
      StreamCopyStep &copy = b.streamCopy(buffer, toDevice, 16);
      copy.remote = true;
      copy.offset = toDevice ? HomeBytes{offsets, {}, Bytes(8)} : HomeBytes{offsets, Bytes(4), Bytes(4)};
      b.transfer(data, 0, toDevice ? 16 : 8, 0);
    }
    show(b, "data", data);
    b.finishRoot();
    Rig rig(b);
    rig.host.rows = {{0, {1, 2}}, {1, {3, 4}}, {2, {5, 6}}};
    rig.run();
    CHECK(rig.host.printed.at(0) == "data[4] 5 6 1 2");         // rows 2, 0
    CHECK(rig.host.rows[0] == std::vector<std::int32_t>{5, 6}); // the first two elements went to row 0
    CHECK(rig.host.rows[1] == std::vector<std::int32_t>{3, 4});
  }

  TEST_CASE("a remote copy without offset uses row 0") {
    ProgramBuilder b(1);
    const HomeId data = b.ints("data", 0, {8, 9});
    const StreamId buffer = b.stream("buffer", ElementType::Int, 2, false, 2);
    b.streamCopy(buffer, false, 8).remote = true;
    b.transfer(data, 0, 8, 0);
    b.finishRoot();
    Rig rig(b);
    rig.run();
    CHECK(rig.host.rows == std::map<std::uint64_t, std::vector<std::int32_t>>{{0, {8, 9}}});
  }

  TEST_CASE("a row past the end of a remote buffer is the user's error and names buffer, row and limit") {
    ProgramBuilder b(1);
    const HomeId data = b.ints("data", 0, {0, 0}), offset = b.ints("offset", 0, {3});
    const StreamId buffer = b.stream("weights", ElementType::Int, 2, true, 3);
    StreamCopyStep &copy = b.streamCopy(buffer, true, 8);
    copy.remote = true;
    copy.offset = {offset, {}, Bytes(4)};
    b.transfer(data, 0, 8, 0);
    b.finishRoot();
    Rig rig(b);
    CHECK_THROWS_WITH_AS(rig.run(),
                         doctest::Contains("'weights' has 3 rows (repeats), but a copy from it uses offset 3"),
                         poplar::application_runtime_error);
    CHECK(rig.host.calls == 0);
  }

} // TEST_SUITE
