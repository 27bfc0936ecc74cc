#include "GraphFixture.hpp"
#include "graph/lowering/LoweringContext.hpp"
#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;

TEST_SUITE("lowering.check") {

  TEST_CASE("used elements without a tile are counted and the first is named") {
    GraphFixture f;
    const auto x = f.var("weights", 10, {{0, 3, TileId(0)}, {5, 10, TileId(1)}}), y = f.onTile("y", 10, 0);
    const auto text = messageOf<poplar::invalid_tile_mapping>([&] { f.lower({f.copy(f.all(x), f.all(y))}); });
    CHECK(contains(text, "2 of the 10 elements of variable 'weights'"));
    CHECK(contains(text, "first element 3"));
    CHECK(contains(text, "call graph.setTileMapping"));
    // Only used elements must be mapped.
    CHECK_NOTHROW(f.lower({f.copy(f.slice(x, 0, 3), f.slice(y, 0, 3))}));
    CHECK(contains(
        messageOf<poplar::invalid_tile_mapping>([&] { f.lower({f.copy(f.strided(x, 2, 2, 2), f.slice(y, 0, 2))}); }),
        "1 of the 10"));
  }

  TEST_CASE("a variable that nothing uses is counted but has no home, mapped or not") {
    GraphFixture f;
    f.var("ghost", 10, {});
    f.onTile("idle", 4, 2);
    f.var("empty", 0, {});
    const auto x = f.onTile("x", 4, 1), y = f.onTile("y", 4, 1);
    const StepProgram p = f.lower({GraphFixture::copy(f.all(x), f.all(y))});
    CHECK(p.numVariables == 5);
    REQUIRE(p.homes.size() == 2);
    CHECK(p.homes[HomeId(0)].var == VarId(3));
    CHECK(p.homes[HomeId(1)].var == VarId(4));
  }

  TEST_CASE("tiles beyond the target are refused for variables and vertices") {
    GraphFixture f(2);
    const auto x = f.onTile("x", 1, 1);
    const auto cs = f.computeSet("cs");
    const auto v = f.vertex(cs, f.codelet("Set", {f.edge("out", FieldDirection::Output)}), 2, {{0, f.all(x)}});
    CHECK(contains(messageOf<poplar::invalid_tile_mapping>([&] { f.lower({f.execute(cs)}); }),
                   "mapped to tile 2, but the target has 2 tiles"));
    f.graph.vertices.setTile(v, TileId());
    CHECK(contains(messageOf<poplar::invalid_tile_mapping>([&] { f.lower({f.execute(cs)}); }),
                   "'Set' in compute set 'cs' is not mapped"));
    CHECK_NOTHROW(f.lower({GraphFixture::sequence({})})); // not executed
    f.graph.vars[x].mapping[0].tile = TileId(9);
    CHECK(contains(messageOf<poplar::invalid_tile_mapping>([&] { f.lower({GraphFixture::sequence({})}); }),
                   "'x' are mapped to tile 9"));
  }

  TEST_CASE("unconnected fields name the vertex type and the field") {
    GraphFixture f;
    const auto x = f.onTile("x", 1, 1);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 0, {{0, f.all(x)}});
    const auto text = messageOf<poplar::graph_connection_error>([&] { f.lower({f.execute(cs)}); });
    CHECK(contains(text, "field 'out'"));
    CHECK(contains(text, "'Move'"));
  }

  TEST_CASE("each element of a field with several edges is connected") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0);
    const int rows = f.codelet("Rows", {f.edge("in", FieldDirection::Input, FieldShape::VectorOfVectors)});
    const int scalars = f.codelet("Scalars", {f.edge("in", FieldDirection::Input, FieldShape::VectorOfScalars)});
    for (const int type : {rows, scalars}) {
      const auto open = f.computeSet("open"), sized = f.computeSet("sized"), full = f.computeSet("full");
      f.vertex(open, type, 0, {{0, f.slice(x, 0, 1), 0}, {0, f.slice(x, 1, 2), 2}});
      CHECK(contains(messageOf<poplar::graph_connection_error>([&] { f.lower({f.execute(open)}); }),
                     "element 1 of field 'in'"));
      const VertexId v = f.vertex(sized, type, 0, {{0, f.slice(x, 0, 1), 0}});
      CHECK_NOTHROW(f.lower({f.execute(sized)}));
      f.graph.vertices.setFieldSize(v, 0, 3);
      CHECK(contains(messageOf<poplar::graph_connection_error>([&] { f.lower({f.execute(sized)}); }),
                     "element 1 of field 'in'"));
      f.graph.vertices.setFieldSize(f.vertex(full, type, 0, {{0, f.slice(x, 0, 1), 1}, {0, f.slice(x, 1, 2), 0}}), 0,
                                    2);
      CHECK_NOTHROW(f.lower({f.execute(full)}));
    }
    const auto empty = f.computeSet("empty"), none = f.computeSet("none"), noEdge = f.computeSet("noEdge");
    f.graph.vertices.setFieldSize(f.vertex(none, rows, 0, {}), 0, 2);
    CHECK(contains(messageOf<poplar::graph_connection_error>([&] { f.lower({f.execute(none)}); }),
                   "element 0 of field 'in'"));
    // A row that is connected to a tensor without elements is connected.
    f.graph.vertices.setFieldSize(f.vertex(empty, rows, 0, {{0, f.slice(x, 0, 0), 0}, {0, f.all(x), 1}}), 0, 2);
    CHECK_NOTHROW(f.lower({f.execute(empty)}));
    const VertexId v = f.vertex(noEdge, rows, 0, {{0, f.all(x), 1}});
    f.graph.vertices.setElementSize(v, 0, 0, 0); // setFieldSize(v["in"][0], 0)
    CHECK_NOTHROW(f.lower({f.execute(noEdge)}));
  }

  TEST_CASE("a vector of state without size is refused") {
    GraphFixture f;
    const auto cs = f.computeSet("cs");
    const auto v = f.vertex(cs, f.codelet("Table", {f.state("table", ElementType::Float, FieldShape::Vector)}), 0, {});
    CHECK(contains(messageOf<poplar::no_size_specified>([&] { f.lower({f.execute(cs)}); }), "'table'"));
    f.graph.vertices.setFieldSize(v, 0, 3);
    CHECK_NOTHROW(f.lower({f.execute(cs)}));
  }

  TEST_CASE("functions that call themselves are refused, also through another one") {
    GraphFixture f;
    auto callA = GraphFixture::node(ProgramKind::Call, "a"), callB = GraphFixture::node(ProgramKind::Call, "b");
    callA->arguments = CallArguments{FunctionId(0)};
    callB->arguments = CallArguments{FunctionId(1)};
    const auto shared = GraphFixture::sequence({callB});
    f.graph.functions.push({shared, "first"});
    f.graph.functions.push({GraphFixture::sequence({callA}), "second"});
    CHECK(messageOf<poplar::graph_recursion_error>([&] { f.lower({shared}); }) ==
          "function 0 'first' calls itself: 0 'first' -> 1 'second' -> 0 'first', the last by Call 'a'. Functions "
          "cannot be recursive; use Repeat or RepeatWhileTrue");
  }

  TEST_CASE("a cycle of calls is named from one end to the other, without what only leads to it or away from it") {
    // main -> 3 -> 1 -> 4 -> 2 -> 1, and 4 -> 0
    GraphFixture f;
    const auto calling = [](std::vector<std::uint32_t> functions) {
      std::vector<ProgramPtr> calls;
      for (const std::uint32_t function : functions) {
        auto call = GraphFixture::node(ProgramKind::Call, "to" + std::to_string(function));
        call->arguments = CallArguments{FunctionId(function)};
        calls.push_back(call);
      }
      return GraphFixture::sequence(calls);
    };
    f.graph.functions.push({calling({}), "leaf"});
    f.graph.functions.push({calling({4}), "a"});
    f.graph.functions.push({calling({0, 1}), "c"});
    f.graph.functions.push({calling({0, 1}), "before"});
    f.graph.functions.push({calling({0, 2}), "b"});
    CHECK(contains(messageOf<poplar::graph_recursion_error>([&] { f.lower({calling({3})}); }),
                   "function 1 'a' calls itself: 1 'a' -> 4 'b' -> 2 'c' -> 1 'a', the last by Call 'to1'"));
    CHECK_NOTHROW(f.lower({calling({0})})); // a function that no program reaches may be recursive
  }

  TEST_CASE("calls of functions count as nesting, also where an earlier call of the function was not too deep") {
    GraphFixture f;
    const auto nested = [](ProgramPtr inner, int sequences) {
      for (int i = 0; i < sequences; ++i)
        inner = GraphFixture::sequence({inner});
      return inner;
    };
    const auto call = [] {
      auto p = GraphFixture::node(ProgramKind::Call, "call");
      p->arguments = CallArguments{FunctionId(0)};
      return p;
    };
    f.graph.functions.push({nested(GraphFixture::sequence({}), 599), "deep"}); // 600 programs
    // The root, the Sequences, the call and the function: 1,000 is the limit.
    CHECK_NOTHROW(f.lower({GraphFixture::sequence({call(), nested(call(), 398)})}));
    CHECK(contains(messageOf<poplar::control_program_error>([&] {
                     f.lower({GraphFixture::sequence({call(), nested(call(), 399)})});
                   }),
                   "is nested more than 1000 deep, counting calls of functions"));
  }

  TEST_CASE("two vertices of one compute set may not touch what one of them writes") {
    GraphFixture f;
    const auto x = f.onTile("data", 8, 0), y = f.onTile("y", 8, 0);
    const int move = f.moveCodelet();
    const auto writes = f.computeSet("writes");
    f.vertex(writes, move, 0, {{0, f.slice(y, 0, 2)}, {1, f.slice(x, 0, 4)}});
    f.vertex(writes, move, 0, {{0, f.slice(y, 2, 4)}, {1, f.slice(x, 3, 5)}});
    const auto text = messageOf<poplar::poplar_error>([&] { f.lower({f.execute(writes)}); });
    CHECK(contains(text, "vertex 1 (Move) writes element 3 of variable 'data' that vertex 0 (Move) writes"));
    const auto reads = f.computeSet("reads");
    f.vertex(reads, move, 0, {{0, f.slice(x, 0, 8)}, {1, f.slice(y, 0, 1)}});
    f.vertex(reads, move, 1, {{0, f.slice(x, 0, 1)}, {1, f.slice(y, 1, 2)}});
    CHECK_NOTHROW(f.lower({f.execute(reads)}));
    f.vertex(reads, move, 1, {{0, f.slice(y, 3, 4)}, {1, f.strided(x, 5, 2, 2)}});
    CHECK(contains(messageOf<poplar::poplar_error>([&] { f.lower({f.execute(reads)}); }),
                   "writes element 5 of variable 'data' that vertex 2 (Move) reads"));
  }

  TEST_CASE("a reader far behind in the order is found although a shorter read lies between") {
    GraphFixture f;
    const auto x = f.onTile("x", 10, 0), y = f.onTile("y", 3, 0);
    const auto cs = f.computeSet("cs");
    const int move = f.moveCodelet();
    f.vertex(cs, move, 0, {{0, f.slice(x, 0, 6)}, {1, f.slice(y, 0, 1)}});  // reads up to 6
    f.vertex(cs, move, 0, {{0, f.slice(x, 1, 9)}, {1, f.slice(x, 9, 10)}}); // its own read extends further
    f.vertex(cs, move, 0, {{0, f.slice(x, 2, 3)}, {1, f.slice(y, 1, 2)}});
    CHECK_NOTHROW(f.lower({f.execute(cs)}));
    // vertex 1 reads the element itself, and vertex 0 reads it, too
    f.graph.vertices.replaceRuns(VertexId(1), 1, f.slice(x, 5, 6));
    CHECK(contains(messageOf<poplar::poplar_error>([&] { f.lower({f.execute(cs)}); }),
                   "vertex 1 (Move) writes element 5 of variable 'x' that vertex 0 (Move) reads"));
  }

  TEST_CASE(
      "destinations must be variable and name each element once; sizes must agree; controls are single elements") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 4, 0);
    const auto c = f.constant("c", std::vector<std::uint8_t>(16, 0), 0);
    CHECK(contains(messageOf<poplar::poplar_error>([&] { f.lower({f.copy(f.all(x), f.all(c))}); }), "constant 'c'"));
    CHECK(contains(messageOf<poplar::poplar_error>([&] { f.lower({f.copy(f.all(x), f.strided(y, 2, 0, 4))}); }),
                   "element 2 of 'y' more than once"));
    CHECK(contains(messageOf<poplar::poplar_error>([&] { f.lower({f.copy(f.slice(x, 0, 3), f.all(y))}); }),
                   "3 elements"));
    auto test = GraphFixture::node(ProgramKind::If, "choose");
    test->a = f.all(x);
    CHECK(contains(messageOf<poplar::control_program_error>([&] { f.lower({test}); }),
                   "If 'choose' is controlled by a tensor of 4 elements"));
  }

  TEST_CASE("a variable with more bytes on a tile than addresses reach is refused by name") {
    GraphFixture f;
    const auto x = f.onTile("enormous", std::uint64_t(1) << 31, 1);
    const std::string text = messageOf<poplar::invalid_tile_mapping>(
        [&] { f.lower({GraphFixture::copy(f.slice(x, 0, 1), f.slice(x, 1, 2))}); });
    CHECK(contains(text, "variable 'enormous' has more than 4294967295 bytes on tile 1"));
    CHECK(contains(text, "graph.setTileMapping"));
  }

  TEST_CASE("a variable of 2^32 elements is refused by name; one less is mapped over tiles") {
    constexpr std::uint64_t kMost = ElementNumber::kMost, kTiles = 4;
    for (const std::uint64_t elements : {kMost, kMost + 1}) {
      GraphFixture f(kTiles);
      std::vector<MappedRange> mapping;
      for (std::uint32_t t = 0; t < kTiles; ++t)
        mapping.push_back({elements * t / kTiles, elements * (t + 1) / kTiles, TileId(t)});
      const auto x = f.var("endless", elements, mapping, ElementType::Char), y = f.onTile("y", 1, 1, ElementType::Char);
      const ProgramPtr program = GraphFixture::copy(f.slice(x, elements - 1, elements), f.all(y));
      if (elements == kMost) {
        const StepProgram p = f.lower({program});
        CHECK(std::uint64_t(p.vars[VarId(0)].elements) == kMost);
        CHECK(std::uint64_t(p.pieces.at(3).elements.end) == kMost);
        CHECK(contains(dumpSteps(p), "read endless[4294967294,4294967295)"));
      } else {
        const std::string text = messageOf<poplar::invalid_tile_mapping>([&] { f.lower({program}); });
        CHECK(contains(text, "variable 'endless' has 4294967296 elements"));
        CHECK(contains(text, "at most 4294967295: split it"));
      }
    }
  }

  TEST_CASE("what lowering makes of several variables has no 2^32 elements either") {
    GraphFixture f;
    const CostModel costs(f.graph.machine);
    const VertexEstimates estimates;
    const LoweringOptions options;
    LoweringContext context(f.graph, estimates, costs, options);
    constexpr std::uint64_t kHalf = std::uint64_t(1) << 31;
    const NameId name = context.name("<hostMessage:x>");
    const auto variable = [&](std::uint64_t last) {
      return context.addVariable(name, StorageCategory::HostMessage, ElementType::Char,
                                 {{TileId(0), kHalf}, {TileId(1), last}});
    };
    CHECK(std::uint64_t(context.out.vars[variable(kHalf - 1)].elements) == ElementNumber::kMost);
    const std::string text = messageOf<poplar::invalid_tile_mapping>([&] { (void)variable(kHalf); });
    CHECK(contains(text, "'<hostMessage:x>', the buffer for moved data, has 4294967296 elements"));
    CHECK(contains(text, "move slices of the tensor"));
    LoweringContext::Buffer buffer;
    buffer.name = name;
    buffer.tile = TileId(2);
    buffer.elements = 2 * kHalf;
    CHECK_THROWS_AS(context.addBuffers({buffer}), poplar::invalid_tile_mapping);
  }
}
