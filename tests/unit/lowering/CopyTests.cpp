#include "GraphFixture.hpp"
#include "ReferenceLower.hpp"
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
    CHECK(p.copies[0].bytes.count() == 16);
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
    // b's home on tile 1 is b[0,2) b[4,6): it receives two messages, because their sources are not adjacent. Tile 2
    // receives one.
    CHECK(f.dump({f.copy(f.all(a), f.all(b), "")}) ==
          "0 Sequence\n"
          "  1 Sync #0 internal\n"
          "  2 DoExchange: Exchange #0; 3 messages, 24 B; read a[0,6); write b[0,6)\n");
    // Reading a[0,2) a[2,4) as two runs into adjacent places is one message.
    const auto c = f.onTile("c", 4, 3);
    const View twoRuns = GraphFixture::concat(f.slice(a, 0, 2), f.slice(a, 2, 4));
    CHECK(contains(f.dump({f.copy(twoRuns, f.all(c))}), "1 message, 16 B"));
  }

  TEST_CASE("a copy that reads what it writes gathers into a temporary first") {
    GraphFixture f;
    const auto a = f.var("a", 4, {{0, 2, TileId(0)}, {2, 4, TileId(1)}});
    // a[1,4) = a[0,3): element 1 stays on tile 0, element 2 crosses, element 3 stays on tile 1.
    const std::string dump = f.dump({f.copy(f.slice(a, 0, 3), f.slice(a, 1, 4))});
    CHECK(
        contains(dump, "2 DoExchange: copy/Exchange #0; 1 message, 4 B; read a[1,2); write <rearrangement:a>[1,2)\n"));
    CHECK(contains(dump, "3 OnTileExecute: copy/OnTileCopyPre #0; "));
    CHECK(contains(dump, "read a[0,1)[2,3); write <rearrangement:a>[0,1)[2,3)\n"));
    CHECK(contains(dump, "4 OnTileExecute: copy/OnTileCopy #0; "));
    CHECK(contains(dump, "write a[1,4); read <rearrangement:a>[0,3)\n"));
  }

  TEST_CASE("what waited for more stands in the Sequence that it is of, where nothing from behind it came") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 4, 1), z = f.onTile("z", 4, 2);
    const auto one = f.computeSet("one"), two = f.computeSet("two");
    const int move = f.moveCodelet();
    f.vertex(one, move, 1, {{0, f.all(x)}, {1, f.all(y)}});
    f.vertex(two, move, 2, {{0, f.all(y)}, {1, f.all(z)}});
    const auto sequence = [](std::vector<ProgramPtr> children, const char *name) {
      return GraphFixture::sequence(std::move(children), name);
    };
    const std::string apart =
        f.dump({sequence({sequence({sequence({f.execute(one)}, "in")}, "a"), sequence({f.execute(two)}, "b")}, "")});
    const auto line = [](const std::string &dump, const std::string &part) {
      const std::size_t at = dump.find(part);
      REQUIRE(at != std::string::npos);
      const std::size_t begin = dump.rfind('\n', at) + 1;
      return dump.find_first_not_of(' ', begin) - begin; // indentation depth
    };
    CHECK(apart.find("OnTileExecute: one") < apart.find("Sequence: b"));
    CHECK(line(apart, "OnTileExecute: one") == line(apart, "Sequence: in") + 2);
    CHECK(line(apart, "OnTileExecute: two") == line(apart, "Sequence: b") + 2);
    // Two copies that become one exchange: the exchange is at the place of the second copy.
    const std::string joined = f.dump({sequence({sequence({f.copy(f.all(x), f.all(y), "first")}, "a"),
                                                 sequence({f.copy(f.slice(x, 0, 1), f.slice(z, 0, 1), "second")}, "b")},
                                                "")});
    CHECK(contains(joined, "{first,second}"));
    CHECK(joined.find("{first,second}") > joined.find("Sequence: b"));
    CHECK(line(joined, "DoExchange: {first,second}") == line(joined, "Sequence: b") + 2);
  }

  TEST_CASE("a copy of a tensor onto itself does nothing") {
    GraphFixture f;
    const auto a = f.onTile("a", 4, 0);
    CHECK(f.dump({f.copy(f.all(a), f.all(a))}) == "0 Sequence\n");
  }

  TEST_CASE("a copy to another IPU is a global exchange after a global sync") {
    GraphFixture f(2, 2);
    const auto a = f.onTile("a", 2, 1), b = f.onTile("b", 2, 2);
    CHECK(f.dump({f.copy(f.all(a), f.all(b))}) ==
          "0 Sequence\n"
          "  1 Sync #0 global\n"
          "  2 GlobalExchange: copy/GlobalExchange #0; 1 message, 8 B; read a[0,2); write b[0,2)\n");
  }

  TEST_CASE("reversed and broadcast sources keep the order of the view") {
    GraphFixture f;
    const auto a = f.onTile("a", 3, 0), b = f.onTile("b", 3, 1);
    const StepProgram reversed = f.lower({f.copy(f.strided(a, 2, -1, 3), f.all(b))});
    REQUIRE(reversed.messages.size() == 3);
    for (std::uint64_t i = 0; i < 3; ++i) {
      CHECK(reversed.messages[i].dstOffset.count() == 4 * i);
      CHECK(reversed.messages[i].srcOffset.count() == 4 * (2 - i));
    }
    const StepProgram broadcast = f.lower({f.copy(f.strided(a, 1, 0, 3), f.all(b))});
    REQUIRE(broadcast.messages.size() == 3);
    for (const Message &m : broadcast.messages)
      CHECK(m.srcOffset.count() == 4);
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

  TEST_CASE("independent copies are one exchange and one compute set, and each remains a source of its own") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 4, 1), z = f.onTile("z", 4, 2), w = f.onTile("w", 4, 1);
    const StepProgram p = f.lower({GraphFixture::sequence({f.copy(f.slice(x, 0, 2), f.slice(y, 0, 2), "low"),
                                                           f.copy(f.slice(z, 2, 4), f.slice(y, 2, 4), "high"),
                                                           f.copy(f.all(w), f.all(f.onTile("v", 4, 1)), "low")})});
    REQUIRE(p.steps.size() == 4);
    CHECK(p.names[p.steps[StepIndex(2)].name] == "{low,high}/Exchange");
    CHECK(p.names[p.steps[StepIndex(3)].name] == "{low,high}/OnTileCopy");
    CHECK(p.sources.size() == 3);
    const Step &exchange = p.steps[StepIndex(2)];
    CHECK(exchange.source == SourceId(0));
    std::vector<std::uint16_t> writersOfY;
    for (std::uint32_t a = exchange.firstAccess; a < exchange.firstAccess + exchange.numAccesses; ++a)
      if (p.accesses[a].kind == AccessKind::Write && p.accesses[a].var == VarId(y.index()))
        writersOfY.push_back(p.accesses[a].member);
    CHECK(writersOfY == std::vector<std::uint16_t>{0, 1}); // neither copy wrote all of it
  }

  TEST_CASE("copies stay apart where one reads or overwrites what the other wrote, or overwrites what it reads") {
    GraphFixture f;
    const auto a = f.onTile("a", 4, 0), b = f.onTile("b", 4, 1), c = f.onTile("c", 4, 2);
    const auto exchanges = [&](const std::vector<ProgramPtr> &leaves) {
      return f.lower({GraphFixture::sequence(leaves)}).exchanges.size();
    };
    CHECK(exchanges({f.copy(f.all(a), f.all(b)), f.copy(f.all(b), f.all(c))}) == 2);
    CHECK(exchanges({f.copy(f.all(a), f.all(b)), f.copy(f.slice(c, 0, 1), f.slice(b, 3, 4))}) == 2);
    CHECK(exchanges({f.copy(f.all(a), f.all(b)), f.copy(f.slice(c, 0, 1), f.slice(a, 3, 4))}) == 2);
    CHECK(exchanges({f.copy(f.slice(a, 0, 3), f.slice(b, 0, 3)), f.copy(f.slice(c, 0, 1), f.slice(a, 3, 4))}) == 1);
    CHECK(exchanges({f.copy(f.all(a), f.all(b)), f.copy(f.all(a), f.all(c))}) == 1); // several copies may read it
  }

  TEST_CASE(
      "copies merge across the border of a plain sequence, not of a loop, and not beyond the size that is asked for") {
    GraphFixture f;
    const auto a = f.onTile("a", 4, 0), b = f.onTile("b", 4, 1), c = f.onTile("c", 4, 2);
    const ProgramPtr first = f.copy(f.all(a), f.all(b)), second = f.copy(f.all(a), f.all(c));
    const auto exchanges = [&](const ProgramPtr &program, std::uint64_t bytes = ~std::uint64_t(0)) {
      LoweringOptions options;
      options.maxCopyMergeBytes = bytes;
      return f.lower({program}, options).exchanges.size();
    };
    CHECK(exchanges(GraphFixture::sequence({first, GraphFixture::sequence({second})})) == 1);
    CHECK(exchanges(GraphFixture::sequence({GraphFixture::sequence({first}), GraphFixture::sequence({second})})) == 1);
    const auto repeat = GraphFixture::node(ProgramKind::Repeat, "", {first});
    repeat->arguments = RepeatArguments{3};
    CHECK(exchanges(GraphFixture::sequence({repeat, second})) == 2);
    CHECK(exchanges(GraphFixture::sequence({second, repeat})) == 2);
    CHECK(exchanges(GraphFixture::sequence({first, second}), 32) == 1);
    CHECK(exchanges(GraphFixture::sequence({first, second}), 31) == 2);
    CHECK(exchanges(GraphFixture::sequence({first, second}), 0) == 2);
  }

  TEST_CASE("copies before and behind a compute set that has nothing to do with them are in the exchange before it") {
    GraphFixture f;
    const auto a = f.onTile("a", 4, 0), b = f.onTile("b", 4, 1), c = f.onTile("c", 4, 2), d = f.onTile("d", 4, 3);
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 4, 1);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1, {{0, f.all(x)}, {1, f.all(y)}}); // x arrives by exchange, y is written in place
    const auto lower = [&](const std::vector<ProgramPtr> &leaves) {
      StepProgram p = f.lower({GraphFixture::sequence(leaves)});
      CHECK(replay(f.graph, leaves, p) == "");
      return p;
    };
    const ProgramPtr before = f.copy(f.all(a), f.all(b), "before"), behind = f.copy(f.all(c), f.all(d), "behind"),
                     set = f.execute(cs);
    const StepProgram all = lower({before, set, behind});
    REQUIRE(all.exchanges.size() == 1);
    CHECK(all.exchanges[0].numMessages == 3);
    CHECK(all.names[all.steps[StepIndex(2)].name] == "{before,cs,behind}/ExchangePre");
    CHECK(all.sources.size() == 3);
    CHECK(all.names[all.sources[SourceId(1)].name] == "cs");
    CHECK(all.accesses[all.steps[StepIndex(3)].firstAccess].member == 1); // the set's own step names its member
    CHECK(lower({before, set}).exchanges.size() == 1);
    CHECK(lower({set, behind}).exchanges.size() == 1);
    // Twice and alone: the messages of each kind exist once, and so do the vertices.
    const ProgramPtr sync = GraphFixture::node(ProgramKind::Sync, "");
    const StepProgram again = f.lower(
        {GraphFixture::sequence({before, set, behind, sync, before, set, behind, sync, set, sync, f.execute(cs)})});
    CHECK(again.exchanges.size() == 2);
    CHECK(again.vertices.size() == 1);
    // A copy between two sets joins the second, so that nothing has to be live for longer.
    const StepProgram between = lower({set, behind, f.execute(cs)});
    CHECK(between.exchanges.size() == 2);
    CHECK(between.exchanges[0].numMessages == 1);
    LoweringOptions none;
    none.maxCopyMergeBytes = 0;
    CHECK(f.lower({GraphFixture::sequence({before, set, behind})}, none).exchanges.size() == 3);
  }

  TEST_CASE("copies that a compute set needs, or that need it, keep their place") {
    GraphFixture f;
    const auto a = f.onTile("a", 4, 0), b = f.onTile("b", 4, 2), c = f.onTile("c", 4, 3);
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 4, 1);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1, {{0, f.all(x)}, {1, f.slice(y, 0, 2)}});
    const auto exchanges = [&](const std::vector<ProgramPtr> &leaves) {
      const StepProgram p = f.lower({GraphFixture::sequence(leaves)});
      CHECK(replay(f.graph, leaves, p) == "");
      return p.exchanges.size();
    };
    const ProgramPtr set = f.execute(cs);
    CHECK(exchanges({f.copy(f.all(b), f.all(x)), set}) == 2); // writes the operand that the set receives
    CHECK(exchanges({f.copy(f.all(b), f.all(y)), set}) == 1); // writes an element that the set then overwrites in place
    CHECK(exchanges({set, f.copy(f.slice(y, 0, 2), f.slice(c, 0, 2))}) == 2); // reads the result of the set
    // reads elements that the set does not write
    CHECK(exchanges({set, f.copy(f.slice(y, 2, 4), f.slice(c, 0, 2))}) == 1);
    CHECK(exchanges({set, f.copy(f.all(b), f.all(x))}) == 2);                 // overwrites an operand of the set
    CHECK(exchanges({set, f.copy(f.slice(b, 0, 2), f.slice(y, 0, 2))}) == 2); // overwrites a result of the set
    CHECK(exchanges({f.copy(f.all(a), f.all(b)), set, f.copy(f.all(b), f.all(c))}) ==
          2); // needs the copy before the set
  }

  TEST_CASE("copies on both sides of a compute set in place are one exchange") {
    GraphFixture f;
    const auto a = f.onTile("a", 4, 0), b = f.onTile("b", 4, 1), c = f.onTile("c", 4, 2), y = f.onTile("y", 4, 1);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1, {{0, f.slice(y, 0, 2)}, {1, f.slice(y, 2, 4)}});
    const std::vector<ProgramPtr> leaves{f.copy(f.all(a), f.all(b), "up"), f.execute(cs),
                                         f.copy(f.all(a), f.all(c), "down")};
    const StepProgram p = f.lower({GraphFixture::sequence(leaves)});
    CHECK(replay(f.graph, leaves, p) == "");
    CHECK(p.exchanges.size() == 1);
    CHECK(p.names[p.steps[StepIndex(2)].name] == "{up,down}/Exchange");
    // A single copy after the set stays there, because merging saves nothing.
    CHECK(f.lower({GraphFixture::sequence({leaves[1], leaves[2]})}).steps[StepIndex(1)].kind ==
          StepKind::OnTileExecute);
  }

  TEST_CASE("merged copies that occur twice have their messages once") {
    GraphFixture f;
    const auto a = f.onTile("a", 4, 0), b = f.onTile("b", 4, 1), c = f.onTile("c", 4, 2);
    const ProgramPtr both = GraphFixture::sequence({f.copy(f.all(a), f.all(b)), f.copy(f.all(a), f.all(c))});
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 0, {{0, f.slice(a, 0, 1)}, {1, f.slice(a, 1, 2)}});
    const StepProgram p = f.lower({GraphFixture::sequence({both, f.execute(cs), both})});
    CHECK(p.exchanges.size() == 1);
    CHECK(p.sources.size() == 5);
  }

  TEST_CASE("a copy of a constant of one value fills where it goes; no tile holds the constant") {
    GraphFixture f;
    const auto zero = f.constant("zero", std::vector<std::uint8_t>(16, 0), 0);
    const auto x = f.var("x", 4, {{0, 2, TileId(1)}, {2, 4, TileId(2)}});
    const StepProgram p = f.lower({f.copy(f.all(zero), f.all(x))});
    CHECK(p.exchanges.empty());
    REQUIRE(p.copies.size() == 2);
    for (const CopyVertex &copy : p.copies)
      CHECK(p.vertexTypes[copy.type].name == "poplar_rt::MemsetZero");
    CHECK_FALSE(p.copyRuns[0].src.valid());
    CHECK(p.vars[VarId(zero.index())].numHomes == 0);
  }

  TEST_CASE("a constant is on each tile that reads it, once, and only what the tile reads") {
    GraphFixture f;
    const auto table = f.constant("table", {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}, 0);
    const auto y = f.var("y", 8, {{0, 4, TileId(1)}, {4, 8, TileId(3)}});
    const auto cs = f.computeSet("cs");
    const int move = f.moveCodelet();
    f.vertex(cs, move, 1, {{0, f.slice(table, 1, 3)}, {1, f.slice(y, 0, 2)}});
    f.vertex(cs, move, 1, {{0, f.slice(table, 2, 4)}, {1, f.slice(y, 2, 4)}});
    f.vertex(cs, move, 3, {{0, f.all(table)}, {1, f.slice(y, 4, 8)}});
    const StepProgram p = f.lower({f.execute(cs)});
    CHECK(p.exchanges.empty());
    CHECK(p.copies.empty());
    const StepVar &var = p.vars[VarId(table.index())];
    REQUIRE(var.numHomes == 2);
    CHECK(p.homes[HomeId(var.firstHome)].tile == TileId(1));
    CHECK(p.homes[HomeId(var.firstHome)].elements == 3);
    CHECK(p.homes[HomeId(var.firstHome + 1)].tile == TileId(3));
    CHECK(p.homes[HomeId(var.firstHome + 1)].elements == 4);
  }

  TEST_CASE("a constant that a reader without a tile reads is where the user mapped it, from the first element on") {
    GraphFixture f;
    const auto table = f.constant("table", {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}, 0);
    f.graph.vars[table].mapping = {{0, 3, TileId(0)}, {3, 4, TileId(2)}};
    auto print = GraphFixture::node(ProgramKind::PrintTensor, "");
    print->a = f.all(table);
    print->arguments = TextArguments{"table"};
    const StepProgram p = f.lower({print});
    const StepVar &var = p.vars[VarId(table.index())];
    REQUIRE(var.numHomes == 2);
    CHECK(p.homes[HomeId(var.firstHome)].tile == TileId(0));
    CHECK(p.homes[HomeId(var.firstHome)].elements == 3);
    CHECK(p.homes[HomeId(var.firstHome + 1)].tile == TileId(2));
    CHECK(p.homes[HomeId(var.firstHome + 1)].elements == 1);
  }

  TEST_CASE("constants of equal type and bytes are one constant, that of the first that is used") {
    GraphFixture f;
    const std::vector<std::uint8_t> bytes{1, 0, 0, 0, 2, 0, 0, 0};
    const auto unused = f.constant("unused", bytes, 0), first = f.constant("first", bytes, 0),
               other = f.constant("other", {1, 0, 0, 0, 3, 0, 0, 0}, 0),
               ofType = f.constant("ofType", bytes, 0, ElementType::Int), again = f.constant("again", bytes, 2);
    const auto y = f.var("y", 8, {{0, 4, TileId(1)}, {4, 8, TileId(2)}});
    const auto n = f.onTile("n", 2, 1, ElementType::Int);
    const auto cs = f.computeSet("cs");
    const int move = f.moveCodelet();
    f.vertex(cs, move, 1, {{0, f.all(first)}, {1, f.slice(y, 0, 2)}});
    f.vertex(cs, move, 1, {{0, f.all(again)}, {1, f.slice(y, 2, 4)}});
    f.vertex(cs, move, 1, {{0, f.all(ofType)}, {1, f.all(n)}});
    f.vertex(cs, move, 2, {{0, f.all(other)}, {1, f.slice(y, 4, 6)}});
    f.vertex(cs, move, 2, {{0, f.slice(again, 1, 2)}, {1, f.slice(y, 6, 7)}});
    const StepProgram p = f.lower({f.execute(cs)});
    const auto tiles = [&](GraphVarId v) {
      std::vector<std::pair<std::uint32_t, std::uint64_t>> held; // tile, elements
      const StepVar &var = p.vars[VarId(v.index())];
      for (std::uint32_t h = var.firstHome; h < var.firstHome + var.numHomes; ++h)
        held.emplace_back(p.homes[HomeId(h)].tile.index(), p.homes[HomeId(h)].elements);
      return held;
    };
    using Held = std::vector<std::pair<std::uint32_t, std::uint64_t>>;
    CHECK(tiles(unused).empty());
    CHECK(tiles(first) == Held{{1, 2}, {2, 1}});
    CHECK(tiles(again).empty());
    CHECK(tiles(other) == Held{{2, 2}});
    CHECK(tiles(ofType) == Held{{1, 2}});
  }

  TEST_CASE("an operand padded with a constant of one value is filled on the vertex's tile") {
    GraphFixture f;
    const auto one = f.constant("one", {1, 0, 0, 0, 1, 0, 0, 0}, 0);
    const auto x = f.onTile("x", 4, 1), y = f.onTile("y", 6, 1);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1, {{0, GraphFixture::concat(f.all(one), f.all(x))}, {1, f.all(y)}});
    const StepProgram p = f.lower({f.execute(cs)});
    CHECK(p.exchanges.empty());
    REQUIRE(p.copies.size() == 2);
    CHECK(p.vertexTypes[p.copies[1].type].name == "poplar_rt::Memset");
    CHECK(p.vars[VarId(one.index())].numHomes == 0);
  }

  TEST_CASE("a long strided copy is shared among the workers in equal parts") {
    GraphFixture f;
    f.graph.machine.copyChoice.shareMinCycles = 10;
    const auto a = f.onTile("a", 3000, 0), b = f.onTile("b", 1500, 0);
    const StepProgram p = f.lower({f.copy(f.strided(a, 0, 2, 1500), f.all(b))});
    REQUIRE(p.copies.size() == f.graph.machine.workerContexts);
    std::uint64_t bytes = 0;
    for (const CopyVertex &copy : p.copies) {
      CHECK(copy.bytes.count() == 6000 / p.copies.size());
      bytes += copy.bytes.count();
    }
    CHECK(bytes == 6000);
  }

  TEST_CASE("shares of a copy never write one word together") {
    GraphFixture f;
    f.graph.machine.copyChoice.shareMinCycles = 1;
    const auto a = f.onTile("a", 2000, 0, ElementType::Half), b = f.onTile("b", 1001, 0, ElementType::Half);
    const StepProgram p = f.lower({f.copy(f.strided(a, 0, 2, 999), f.slice(b, 1, 1000))});
    REQUIRE(p.copies.size() > 1);
    std::uint64_t last = 0, moved = 0;
    for (std::size_t c = 0; c < p.copies.size(); ++c) {
      const CopyRun &first = p.copyRuns[p.copies[c].firstRun],
                    &end = p.copyRuns[p.copies[c].firstRun + p.copies[c].numRuns - 1];
      if (c > 0)
        CHECK(first.dstOffset.count() / 4 > last);
      last = ((end.dstOffset + end.bytes).count() - 1) / 4;
      moved += p.copies[c].bytes.count();
    }
    CHECK(moved == 1998);
  }

  TEST_CASE("runs of whole words are sorted by their source; others stay in the order of their destination") {
    for (const ElementType type : {ElementType::Float, ElementType::Half}) {
      CAPTURE(elementBytes(type));
      GraphFixture f;
      const auto x = f.onTile("x", 4, 0, type), y = f.onTile("y", 8, 0, type);
      // The two halves of x, swapped. In bytes, runs of Half begin on words of x and between words of y.
      const View from = GraphFixture::concat(f.slice(x, 0, 2), f.slice(x, 2, 4)),
                 to = GraphFixture::concat(f.slice(y, 5, 7), f.slice(y, 1, 3));
      LoweringOptions options;
      options.sortsAsSent = true;
      const StepProgram p = f.lower({GraphFixture::copy(from, to)}, options);
      REQUIRE(p.copyRuns.size() == 2);
      CHECK((p.copyRuns[0].srcOffset < p.copyRuns[1].srcOffset) == (type == ElementType::Float));
    }
  }
}
