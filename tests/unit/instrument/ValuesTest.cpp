// Values: exchange, on-tile copies, initial data, vertex state, results of compute sets.
#include "TestClasses.hpp"

#include "base/Parallel.hpp"

#include <doctest/doctest.h>

using namespace popscope;
using namespace popscope::test;

TEST_SUITE("instrument.values") {

  TEST_CASE("initial data of a variable lands in its homes by pieces") {
    // Elements 0-1 on tile 1, 2-3 on tile 0, 4 on tile 1 again: the home of tile 1 holds elements 0, 1, 4.
    ProgramBuilder b(2);
    const HomeId whole = b.ints("v", 0, {10, 11, 12, 13, 14});
    StepVar &var = b.program.vars[VarId(0)];
    b.program.homes[whole].elements = 2;
    const HomeId onOne = b.program.homes.push({VarId(0), TileId(1), 3});
    b.program.pieces = {{{0, 2}, onOne, 0}, {{2, 4}, whole, 0}, {{4, 5}, onOne, 2}};
    var.numPieces = 3;
    var.numHomes = 2;
    show(b, "zero", whole);
    show(b, "one", onOne);
    b.finishRoot();
    Rig rig(b);
    rig.run();
    CHECK(rig.host.printed == std::vector<std::string>{"zero[2] 12 13", "one[3] 10 11 14"});
  }

  TEST_CASE("an exchange moves bytes between tiles and leaves the rest alone") {
    ProgramBuilder b(3);
    const HomeId from = b.ints("from", 0, {1, 2, 3, 4});
    const HomeId to = b.ints("to", 1, {0, 0, 0, 0});
    const HomeId also = b.ints("also", 2, {7, 8});
    b.exchange();
    b.message(from, 4, to, 8, 8);    // elements 1-2 to elements 2-3
    b.message(from, 12, also, 0, 4); // element 3 to element 0
    b.exchange(StepKind::GlobalExchange);
    b.message(also, 4, to, 0, 4);
    show(b, "to", to);
    show(b, "also", also);
    b.finishRoot();
    Rig rig(b);
    rig.run();
    CHECK(rig.host.printed == std::vector<std::string>{"to[4] 8 0 2 3", "also[2] 4 8"});
  }

  TEST_CASE("vertices compute with operands at offsets and a state value") {
    ProgramBuilder b(1);
    const HomeId in = b.ints("in", 0, {1, 2, 3, 4});
    const HomeId out = b.ints("out", 0, {0, 0, 0, 0});
    const auto type = b.type("Add", classes().add);
    b.execute();
    b.vertex(type, 0);
    b.edge(0, in, 4, 2, true, false);
    b.edge(1, out, 8, 2, false, true);
    b.state<std::int32_t>(2, {100});
    show(b, "out", out);
    b.finishRoot();
    Rig rig(b);
    rig.run();
    CHECK(rig.host.printed.at(0) == "out[4] 0 0 102 103");
  }

  TEST_CASE("what a vertex writes to its own state is there at the next execution and the next run") {
    ProgramBuilder b(1);
    const HomeId out = b.ints("out", 0, {0});
    const auto type = b.type("Tick", classes().tick);
    b.program.repeats.push_back({3});
    b.open(StepKind::Repeat);
    b.execute();
    b.vertex(type, 0);
    b.state<std::int32_t>(0, {40});
    b.edge(1, out, 0, 1, false, true);
    b.close();
    show(b, "out", out);
    b.finishRoot();
    Rig rig(b);
    rig.run();
    rig.run();
    CHECK(rig.host.printed == std::vector<std::string>{"out[1] 43", "out[1] 46"});
  }

  TEST_CASE("copy vertices gather runs on their tile, with or without vertices beside them") {
    ProgramBuilder b(2);
    const HomeId from = b.ints("from", 1, {1, 2, 3, 4});
    const HomeId to = b.ints("to", 1, {0, 0, 0, 0});
    const auto type = b.type("poplar_rt::ShortMemcpy", -1, VertexKind::Copy);
    b.execute();
    b.copy(type, 1, CopyVertexKind::ShortMemcpy, 10);
    b.run(from, 0, to, 12, 4);
    b.run(from, 8, to, 0, 8);
    show(b, "to", to);
    b.finishRoot();
    Rig rig(b);
    rig.run();
    CHECK(rig.host.printed.at(0) == "to[4] 3 4 0 1");
  }

  TEST_CASE("a MultiVertex runs once for every worker, a Supervisor once") {
    ProgramBuilder b(1);
    const HomeId out = b.ints("out", 0, {0, 0, 0, 0, 0, 0, 0});
    const auto type = b.type("Workers", classes().workers, VertexKind::Multi);
    b.execute();
    b.vertex(type, 0);
    b.edge(0, out, 0, 7, false, true);
    show(b, "out", out);
    b.finishRoot();
    Rig rig(b);
    rig.run();
    CHECK(rig.host.printed.at(0) == "out[7] 10 11 12 13 14 15 0");
  }

  TEST_CASE("the result of a compute set is the AND over all vertices on all tiles") {
    for (const bool last : {false, true}) {
      CAPTURE(last);
      ProgramBuilder b(2);
      const HomeId result = b.var<std::uint8_t>("result", ElementType::Bool, 0, {7});
      const HomeId shown = b.ints("shown", 0, {5});
      const auto type = b.type("Flag", classes().flag);
      b.execute();
      b.result(result);
      for (const std::uint32_t tile : {0U, 0U, 1U}) {
        b.vertex(type, tile);
        b.state<std::uint8_t>(0, {tile == 0 ? true : last});
      }
      b.exchange();
      b.message(result, 0, shown, 0, 1);
      show(b, "result", shown);
      b.finishRoot();
      Rig rig(b);
      rig.run();
      CHECK(rig.host.printed.at(0) == (last ? "result[1] 1" : "result[1] 0"));
    }
  }

  TEST_CASE("many tiles give the same values on one and on two threads") {
    std::vector<std::string> seen[2];
    for (const unsigned threads : {1U, 2U}) {
      ProgramBuilder b(64);
      const auto type = b.type("Add", classes().add);
      std::vector<HomeId> homes;
      for (std::uint32_t t = 0; t < 64; ++t)
        homes.push_back(b.ints("v", t, std::vector<std::int32_t>(1000, static_cast<std::int32_t>(t))));
      std::vector<HomeId> out;
      for (std::uint32_t t = 0; t < 64; ++t)
        out.push_back(b.ints("o", t, std::vector<std::int32_t>(1000, 0)));
      b.execute();
      for (std::uint32_t t = 0; t < 64; ++t) {
        b.vertex(type, t);
        b.edge(0, homes[t], 0, 1000, true, false);
        b.edge(1, out[t], 0, 1000, false, true);
        b.state<std::int32_t>(2, {1});
      }
      for (const HomeId h : out)
        show(b, "o", h);
      b.finishRoot();
      MachineOptions options;
      options.threads = {threads};
      Rig rig(b, options);
      rig.run();
      seen[threads - 1] = rig.host.printed;
    }
    CHECK(seen[0] == seen[1]);
    CHECK(seen[0].at(63).substr(0, 16) == "o[1000] 64 64 64");
  }

} // TEST_SUITE
