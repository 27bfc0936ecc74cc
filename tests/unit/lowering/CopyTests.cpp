#include "GraphFixture.hpp"
#include <doctest/doctest.h>

using namespace popscope;

TEST_SUITE("lowering.copy") {

TEST_CASE("a copy on one tile becomes copy vertices of the runtime") {
  GraphFixture f;
  const auto a = f.onTile("a", 4, 2), b = f.onTile("b", 4, 2);
  const StepProgram p = f.lower({f.copy(f.all(a), f.all(b))});
  REQUIRE(p.steps.size() == 2);
  CHECK(p.names[p.steps[StepIndex(1)].name] == "copy/OnTileCopy");
  REQUIRE(p.copies.size() == 1);
  CHECK(p.copies[0].bytes == 16);
  CHECK(p.copies[0].tile == TileId(2));
  CHECK(p.vertexTypes[p.copies[0].type].kind == VertexKind::Copy);
  CHECK(p.vertexTypes[p.copies[0].type].name == copyVertexName(static_cast<CopyVertexKind>(p.copies[0].kind)));
  CHECK(p.numVertices == 1);
  CHECK(p.numComputeSets == 1);
}

TEST_CASE("a copy to other tiles goes from home to home, one message for adjacent runs") {
  GraphFixture f;
  const auto a = f.onTile("a", 6, 0);
  const auto b = f.var("b", 6, {{0, 2, TileId(1)}, {2, 4, TileId(2)}, {4, 6, TileId(1)}});
  // b's home on tile 1 is b[0,2) b[4,6): two messages there (their sources are apart), one to tile 2.
  CHECK(f.dump({f.copy(f.all(a), f.all(b), "")}) == "0 Sequence\n"
                                                    "  1 Sync #0 internal\n"
                                                    "  2 DoExchange: Exchange #0; 3 messages, 24 B; read a[0,6); write b[0,6)\n");
  // Reading a[0,2) a[2,4) as two runs into adjacent places: one message.
  const auto c = f.onTile("c", 4, 3);
  const View twoRuns = GraphFixture::concat(f.slice(a, 0, 2), f.slice(a, 2, 4));
  CHECK(contains(f.dump({f.copy(twoRuns, f.all(c))}), "1 message, 16 B"));
}

TEST_CASE("a copy that reads what it writes gathers into a temporary first") {
  GraphFixture f;
  const auto a = f.var("a", 4, {{0, 2, TileId(0)}, {2, 4, TileId(1)}});
  // a[1,4) = a[0,3): element 1 stays on tile 0, element 2 crosses, element 3 stays on tile 1.
  const std::string dump = f.dump({f.copy(f.slice(a, 0, 3), f.slice(a, 1, 4))});
  CHECK(contains(dump, "2 DoExchange: copy/Exchange #0; 1 message, 4 B; read a[1,2); write <rearrangement:a>[1,2)\n"));
  CHECK(contains(dump, "3 OnTileExecute: copy/OnTileCopyPre #0; "));
  CHECK(contains(dump, "read a[0,1)[2,3); write <rearrangement:a>[0,1)[2,3)\n"));
  CHECK(contains(dump, "4 OnTileExecute: copy/OnTileCopy #0; "));
  CHECK(contains(dump, "write a[1,4); read <rearrangement:a>[0,3)\n"));
}

TEST_CASE("a copy of a tensor onto itself does nothing") {
  GraphFixture f;
  const auto a = f.onTile("a", 4, 0);
  CHECK(f.dump({f.copy(f.all(a), f.all(a))}) == "0 Sequence\n");
}

TEST_CASE("a copy to another IPU is a global exchange after a global sync") {
  GraphFixture f(2, 2);
  const auto a = f.onTile("a", 2, 1), b = f.onTile("b", 2, 2);
  CHECK(f.dump({f.copy(f.all(a), f.all(b))}) == "0 Sequence\n"
                                                "  1 Sync #0 global\n"
                                                "  2 GlobalExchange: copy/GlobalExchange #0; 1 message, 8 B; read a[0,2); write b[0,2)\n");
}

TEST_CASE("reversed and broadcast sources keep the order of the view") {
  GraphFixture f;
  const auto a = f.onTile("a", 3, 0), b = f.onTile("b", 3, 1);
  const StepProgram reversed = f.lower({f.copy(f.strided(a, 2, -1, 3), f.all(b))});
  REQUIRE(reversed.messages.size() == 3);
  for (std::uint64_t i = 0; i < 3; ++i) {
    CHECK(reversed.messages[i].dstOffset == 4 * i);
    CHECK(reversed.messages[i].srcOffset == 4 * (2 - i));
  }
  const StepProgram broadcast = f.lower({f.copy(f.strided(a, 1, 0, 3), f.all(b))});
  REQUIRE(broadcast.messages.size() == 3);
  for (const Message &m : broadcast.messages)
    CHECK(m.srcOffset == 4);
}

TEST_CASE("long aligned copies ask for 8-byte homes") {
  GraphFixture f;
  const auto a = f.onTile("a", 4096, 0), b = f.onTile("b", 4096, 0);
  const StepProgram p = f.lower({f.copy(f.all(a), f.all(b))});
  REQUIRE(p.copies.size() == 1);
  CHECK(p.copies[0].kind == static_cast<std::uint8_t>(CopyVertexKind::Memcpy64BitSupervisor));
  CHECK(p.vars[VarId(0)].alignment == 8);
  CHECK(p.vars[VarId(1)].alignment == 8);
}

}
