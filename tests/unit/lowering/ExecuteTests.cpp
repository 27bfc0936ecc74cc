#include "GraphFixture.hpp"
#include <doctest/doctest.h>

using namespace popscope;

TEST_SUITE("lowering.execute") {

  TEST_CASE("edges that lie in one run on the vertex's tile are used in place, without exchange or sync") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 1), y = f.onTile("y", 4, 1);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1, {{0, f.slice(x, 0, 2)}, {1, f.slice(y, 2, 4)}});
    CHECK(f.dump({f.execute(cs)}) == "0 Sequence\n"
                                     "  1 OnTileExecute: cs #0; 1 vertex; read x[0,2); write y[2,4)\n");
  }

  TEST_CASE("a compute set without vertices vanishes: no step, no count, and names stay with their vertices") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 1), y = f.onTile("y", 4, 1);
    const auto empty = f.computeSet("empty"), cs = f.computeSet("cs"), last = f.computeSet("last");
    f.vertex(cs, f.moveCodelet(), 1, {{0, f.slice(x, 0, 2)}, {1, f.slice(y, 2, 4)}});
    const StepProgram p = f.lower({GraphFixture::sequence({f.execute(empty), f.execute(cs), f.execute(last)})});
    CHECK(dumpSteps(p) == "0 Sequence\n"
                          "  1 OnTileExecute: cs #0; 1 vertex; read x[0,2); write y[2,4)\n");
    CHECK(p.numComputeSets == 1);
    REQUIRE(p.computeSets.size() == 1);
    CHECK(p.names[p.computeSets[p.executes[0].computeSet]] == "cs");
    CHECK(p.sources[SourceId(0)].computeSet == p.executes[0].computeSet);
  }

  TEST_CASE("a compute set without vertices that has a result writes it") {
    GraphFixture f;
    const auto flag = f.onTile("flag", 1, 2, ElementType::Bool);
    const auto cs = f.computeSet("empty");
    const auto execute = GraphFixture::node(ProgramKind::Execute, "");
    execute->arguments = ExecuteArguments{cs};
    execute->a = f.all(flag);
    const StepProgram p = f.lower({execute});
    CHECK(dumpSteps(p) == "0 Sequence\n"
                          "  1 OnTileExecute: empty #0; write flag[0,1)\n");
    CHECK(p.numComputeSets == 1);
  }

  TEST_CASE("a remote input is received straight into a message buffer that users of one view on one tile share") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 8, 1);
    const auto cs = f.computeSet("cs");
    const int move = f.moveCodelet();
    f.vertex(cs, move, 1, {{0, f.all(x)}, {1, f.slice(y, 0, 4)}});
    f.vertex(cs, move, 1, {{0, f.all(x)}, {1, f.slice(y, 4, 8)}});
    CHECK(f.dump({f.execute(cs)}) ==
          "0 Sequence\n"
          "  1 Sync #0 internal\n"
          "  2 DoExchange: cs/ExchangePre #0; 1 message, 16 B; read x[0,4); write <message:x>[0,4)\n"
          "  3 OnTileExecute: cs #0; 2 vertices; write y[0,8); read <message:x>[0,4)\n");
    const StepProgram p = f.lower({f.execute(cs)});
    CHECK(p.vars[VarId(2)].category == StorageCategory::Message);
    CHECK(p.edges[0].home == p.edges[2].home);
  }

  TEST_CASE("an input of remote and local parts is rearranged: the remote part arrives in place, a long local one is "
            "copied") {
    GraphFixture f;
    const auto x = f.var("x", 402, {{0, 2, TileId(0)}, {2, 402, TileId(1)}});
    const auto y = f.onTile("y", 402, 1);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1, {{0, f.all(x)}, {1, f.all(y)}});
    const StepProgram p = f.lower({f.execute(cs)});
    REQUIRE(p.messages.size() == 1);
    CHECK(p.messages[0].bytes.count() == 8);
    CHECK(p.messages[0].dstOffset.count() == 0);
    REQUIRE(p.copyRuns.size() == 1);
    CHECK(p.copyRuns[0].srcOffset.count() == 0);
    CHECK(p.copyRuns[0].dstOffset.count() == 8);
    const std::string dump = dumpSteps(p);
    CHECK(
        contains(dump, "2 DoExchange: cs/ExchangePre #0; 1 message, 8 B; read x[0,2); write <rearrangement:x>[0,2)\n"));
    CHECK(contains(dump, "3 OnTileExecute: cs/OnTileCopyPre #0; poplar_rt::"));
    CHECK(contains(dump, "4 OnTileExecute: cs #0; 1 vertex; write y[0,402); read <rearrangement:x>[0,402)\n"));
    CHECK(p.vars[VarId(2)].category == StorageCategory::Rearrangement);
  }

  TEST_CASE("a tile hears its own part of an input where that takes no longer than a copy vertex") {
    GraphFixture f;
    const auto x = f.var("x", 4, {{0, 2, TileId(0)}, {2, 4, TileId(1)}});
    const auto y = f.onTile("y", 4, 1);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1, {{0, f.all(x)}, {1, f.all(y)}});
    CHECK(f.dump({f.execute(cs)}) ==
          "0 Sequence\n"
          "  1 Sync #0 internal\n"
          "  2 DoExchange: cs/ExchangePre #0; 2 messages, 16 B; read x[0,4); write <rearrangement:x>[0,4)\n"
          "  3 OnTileExecute: cs #0; 1 vertex; write y[0,4); read <rearrangement:x>[0,4)\n");
  }

  TEST_CASE("what only its own tile fills is copied, and so is the own part of what another IPU fills") {
    GraphFixture f(2, 2);
    const auto x = f.var("x", 4, {{0, 2, TileId(2)}, {2, 4, TileId(1)}}), z = f.onTile("z", 4, 1);
    const auto y = f.onTile("y", 4, 1);
    const auto across = f.computeSet("across"), alone = f.computeSet("alone");
    f.vertex(across, f.moveCodelet(), 1, {{0, f.all(x)}, {1, f.all(y)}});
    f.vertex(alone, f.moveCodelet(), 1, {{0, f.strided(z, 0, 2, 2)}, {1, f.slice(y, 0, 2)}});
    CHECK(contains(f.dump({f.execute(across)}), "OnTileExecute: across/OnTileCopyPre #0"));
    CHECK(contains(f.dump({f.execute(alone)}), "OnTileExecute: alone/OnTileCopyPre #0"));
  }

  TEST_CASE("an output elsewhere goes through an output edge and an exchange after the compute set") {
    GraphFixture f;
    const auto x = f.onTile("x", 2, 0), y = f.onTile("", 2, 1);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 0, {{0, f.all(x)}, {1, f.all(y)}});
    CHECK(f.dump({f.execute(cs)}) ==
          "0 Sequence\n"
          "  1 OnTileExecute: cs #0; 1 vertex; read x[0,2); write <outputEdge:anon>[0,2)\n"
          "  2 Sync #0 internal\n"
          "  3 DoExchange: cs/ExchangePost #0; 1 message, 8 B; write <anon>[0,2); read <outputEdge:anon>[0,2)\n");
  }

  TEST_CASE("a strided output on the vertex's tile is computed in a rearranged buffer and copied after") {
    GraphFixture f;
    const auto x = f.onTile("x", 2, 0), y = f.onTile("y", 4, 0);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 0, {{0, f.all(x)}, {1, f.strided(y, 0, 2, 2)}});
    const std::string dump = f.dump({f.execute(cs)});
    CHECK(contains(dump, "1 OnTileExecute: cs #0; 1 vertex; read x[0,2); write <rearrangement:y>[0,2)\n"));
    CHECK(contains(dump, "2 OnTileExecute: cs/OnTileCopyPost #0; poplar_rt::"));
    CHECK(contains(dump, ": 2 runs, 8 B; write y[0,1)[2,3); read <rearrangement:y>[0,2)\n"));
  }

  TEST_CASE("elements that are strided in the variable but adjacent in the home are in place") {
    GraphFixture f;
    const auto x = f.var("x", 4, {{0, 1, TileId(0)}, {1, 2, TileId(1)}, {2, 3, TileId(0)}, {3, 4, TileId(1)}});
    const auto y = f.onTile("y", 2, 1);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1, {{0, f.strided(x, 1, 2, 2)}, {1, f.all(y)}});
    CHECK(f.dump({f.execute(cs)}) == "0 Sequence\n"
                                     "  1 OnTileExecute: cs #0; 1 vertex; read x[1,2)[3,4); write y[0,2)\n");
  }

  TEST_CASE("a remote InOut edge is received before and sent back after through one buffer") {
    GraphFixture f;
    const auto x = f.onTile("x", 2, 0);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.codelet("Twice", {f.edge("x", FieldDirection::InOut)}), 3, {{0, f.all(x)}});
    CHECK(f.dump({f.execute(cs)}) ==
          "0 Sequence\n"
          "  1 Sync #0 internal\n"
          "  2 DoExchange: cs/ExchangePre #0; 1 message, 8 B; read x[0,2); write <message:x>[0,2)\n"
          "  3 OnTileExecute: cs #0; 1 vertex; read <message:x>[0,2); write <message:x>[0,2)\n"
          "  4 Sync #0 internal\n"
          "  5 DoExchange: cs/ExchangePost #0; 1 message, 8 B; write x[0,2); read <message:x>[0,2)\n");
  }

  TEST_CASE("a vertex that reads through one field what it writes through another reads a copy of the old values") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 0, {{0, f.slice(x, 0, 3)}, {1, f.slice(x, 1, 4)}});
    const std::string dump = f.dump({f.execute(cs)});
    CHECK(contains(dump, "read x[0,3); write <rearrangement:x>[0,3)\n"));
    CHECK(contains(dump, "2 OnTileExecute: cs #0; 1 vertex; write x[1,4); read <rearrangement:x>[0,3)\n"));
  }

  TEST_CASE("data of another IPU come by a global exchange after a global sync") {
    GraphFixture f(2, 2); // tiles 0, 1 | 2, 3
    const auto x = f.var("x", 2, {{0, 1, TileId(0)}, {1, 2, TileId(3)}}), y = f.onTile("y", 2, 1);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1, {{0, f.all(x)}, {1, f.all(y)}});
    CHECK(f.dump({f.execute(cs)}) ==
          "0 Sequence\n"
          "  1 Sync #0 global\n"
          "  2 GlobalExchange: cs/GlobalExchangePre #0; 1 message, 4 B; read x[1,2); write <globalMessage:x>[1,2)\n"
          "  3 Sync #0 internal\n"
          "  4 DoExchange: cs/ExchangePre #0; 1 message, 4 B; read x[0,1); write <globalMessage:x>[0,1)\n"
          "  5 OnTileExecute: cs #0; 1 vertex; write y[0,2); read <globalMessage:x>[0,2)\n");
  }

  TEST_CASE("a second occurrence of a compute set has its own source but shares vertices, messages and buffers") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 4, 1);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1, {{0, f.all(x)}, {1, f.all(y)}});
    const StepProgram p = f.lower({f.sequence({f.execute(cs), f.execute(cs)})});
    CHECK(p.vertices.size() == 1);
    CHECK(p.messages.size() == 1);
    CHECK(p.sources.size() == 2);
    REQUIRE(p.steps.size() == 7);
    CHECK(p.steps[StepIndex(3)].payload == p.steps[StepIndex(6)].payload);
    CHECK(p.steps[StepIndex(3)].source != p.steps[StepIndex(6)].source);
  }

  TEST_CASE("vertices are ordered by tile and then by addition; empty edges have no home") {
    GraphFixture f;
    const auto x = f.var("x", 8, {{0, 4, TileId(0)}, {4, 8, TileId(1)}});
    const auto cs = f.computeSet("cs");
    const int set = f.codelet("Set", {f.edge("none", FieldDirection::Input), f.edge("out", FieldDirection::Output)});
    f.vertex(cs, set, 1, {{0, f.slice(x, 0, 0)}, {1, f.slice(x, 4, 6)}});
    f.vertex(cs, set, 0, {{0, f.slice(x, 0, 0)}, {1, f.slice(x, 0, 4)}});
    f.vertex(cs, set, 1, {{0, f.slice(x, 0, 0)}, {1, f.slice(x, 6, 8)}});
    const StepProgram p = f.lower({f.execute(cs)});
    REQUIRE(p.vertices.size() == 3);
    CHECK(p.vertices[0].id == 1);
    CHECK(p.vertices[1].id == 0);
    CHECK(p.vertices[2].id == 2);
    CHECK(!p.edges[0].home.valid());
    CHECK(p.edges[1].home.valid());
  }

  TEST_CASE("an Execute with a result tensor writes it") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0), done = f.onTile("done", 1, 2, ElementType::Bool);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.codelet("Test", {f.edge("in", FieldDirection::Input)}), 0, {{0, f.all(x)}});
    auto run = std::make_shared<ProgramNode>(*f.execute(cs));
    run->a = f.all(done);
    const StepProgram p = f.lower({run});
    CHECK(contains(dumpSteps(p), "read x[0,4); write done[0,1)"));
    CHECK(p.homes[p.executes[0].result].tile == TileId(2));
  }

  TEST_CASE("a field's alignment moves to the home, and a misaligned edge is copied") {
    GraphFixture f;
    const auto x = f.onTile("x", 8, 0), y = f.onTile("y", 8, 0);
    FieldInfo in = f.edge("in", FieldDirection::Input), out = f.edge("out", FieldDirection::Output);
    in.minAlign = 16;
    out.interleaved = true;
    const auto cs = f.computeSet("cs");
    const int aligned = f.codelet("Aligned", {in, out});
    f.vertex(cs, aligned, 0, {{0, f.slice(x, 0, 4)}, {1, f.slice(y, 0, 4)}});
    f.vertex(cs, aligned, 0, {{0, f.slice(x, 1, 5)}, {1, f.slice(y, 4, 8)}});
    const StepProgram p = f.lower({f.execute(cs)});
    CHECK(p.vars[VarId(0)].alignment == 16);
    CHECK(p.vars[VarId(1)].interleaved);
    REQUIRE(p.vars.size() == 3);
    CHECK(p.vars[VarId(2)].category == StorageCategory::Rearrangement);
    CHECK(p.vars[VarId(2)].alignment == 16);
  }
}
