#include "GraphFixture.hpp"
#include <doctest/doctest.h>

using namespace popscope;

TEST_SUITE("lowering.engine") {

  TEST_CASE("one program without host access is the root itself") {
    GraphFixture f;
    const StepProgram p = f.lower({GraphFixture::sequence({}, "main")});
    CHECK(dumpSteps(p) == "0 Sequence: main\n");
    REQUIRE(p.programs.size() == 1);
    CHECK(p.programs[0].root == StepIndex(0));
  }

  TEST_CASE("several entry points are chosen by a switch over the broadcast program id") {
    GraphFixture f(3);
    const auto x = f.onTile("x", 2, 1);
    f.graph.hostWrites.push_back({"set", f.all(x)});
    f.graph.hostReads.push_back({"get", f.all(x)});
    const StepProgram p = f.lower({GraphFixture::sequence({})});
    CHECK(dumpSteps(p) == "0 Sequence\n"
                          "  1 StreamCopyBegin #0\n"
                          "  2 StreamCopyMid #0; sync id to device, 4 B, 1 tile; write <anon>[0,1)\n"
                          "  3 StreamCopyEnd #0\n"
                          "  4 StreamCopyBegin #1\n"
                          "  5 StreamCopyMid #1; program id to device, sync id to host, 8 B, 1 tile; read <anon>[0,1); "
                          "write programId[0,1)\n"
                          "  6 StreamCopyEnd #1\n"
                          "  7 Sync #2 internal\n"
                          "  8 DoExchange: switchControlBroadcast/ExchangePre #2; 2 messages, 8 B; read "
                          "programId[0,1); write broadcastProgramId[0,2)\n"
                          "  9 Switch on programId@0+0 [0 1 2]; read programId[0,1); read broadcastProgramId[0,2)\n"
                          "    10 Sequence\n"
                          "    11 Sequence\n"
                          "      12 StreamCopyBegin: set #3\n"
                          "      13 StreamCopyMid: set #3; set to device, 8 B, 1 tile; write x[0,2)\n"
                          "      14 StreamCopyEnd: set #3\n"
                          "    15 Sequence\n"
                          "      16 StreamCopyBegin: get #4\n"
                          "      17 StreamCopyMid: get #4; get to host, 8 B, 1 tile; read x[0,2)\n"
                          "      18 StreamCopyEnd: get #4\n");
    REQUIRE(p.programs.size() == 3);
    CHECK(p.programs[1].kind == EngineProgram::Kind::HostWrite);
    CHECK(p.programs[2].handle == "get");
    CHECK(p.streams[p.programs[2].stream].handle == "get");
    CHECK(p.programs[2].root == StepIndex(15));
    for (const char *name : {"programId", "broadcastProgramId"})
      for (const StepVar &v : p.vars)
        if (p.names[v.name] == name)
          CHECK(v.category == StorageCategory::ControlId);
  }

  TEST_CASE("the opening of one program has two control copies or one; of several always two") {
    for (const bool one : {false, true})
      for (const std::size_t programs : {1u, 2u}) {
        CAPTURE(one);
        CAPTURE(programs);
        GraphFixture f(3);
        LoweringOptions options;
        options.oneControlCopy = one;
        const std::vector<ProgramPtr> list(programs, GraphFixture::sequence({}));
        const StepProgram p = popscope::lower(f.graph, list, f.estimates, CostModel(f.graph.machine), options);
        verifySteps(p);
        const bool alone = one && programs == 1;
        CHECK(p.streamCopies.size() == (alone ? 1 : 2));
        CHECK(contains(dumpSteps(p), "sync id to device") == !alone);
        CHECK(contains(dumpSteps(p), alone ? "program id to device, 4 B, 1 tile"
                                           : "program id to device, sync id to host, 8 B, 1 tile"));
      }
  }

  TEST_CASE("streams of host accesses follow the graph's own") {
    GraphFixture f;
    const auto x = f.onTile("x", 2, 1);
    GraphStream s;
    s.handle = "fifo";
    f.graph.streams.push(s);
    f.graph.hostWrites.push_back({"a", f.all(x)});
    f.graph.hostReads.push_back({"b", f.all(x)});
    const StepProgram p = f.lower({GraphFixture::sequence({}), GraphFixture::sequence({})});
    REQUIRE(p.streams.size() == 3);
    CHECK(p.programs[2].stream == StreamId(1));
    CHECK(p.programs[3].stream == StreamId(2));
    CHECK(p.streams[StreamId(2)].kind == StreamInfo::Kind::HostAccess);
  }
}
