#include "GraphFixture.hpp"
#include "graph/codelets/TileLayout.hpp"
#include <doctest/doctest.h>

using namespace popscope;

TEST_SUITE("lowering.vertices") {

  TEST_CASE("footprints come from the layout with the sizes that are connected, equal ones are stored once") {
    GraphFixture f;
    const auto x = f.onTile("x", 12, 0);
    const auto cs = f.computeSet("cs");
    const int sum = f.codelet("Sum", {f.edge("rows", FieldDirection::Input, FieldShape::VectorOfVectors),
                                      f.edge("out", FieldDirection::Output, FieldShape::Scalar)});
    f.vertex(cs, sum, 0, {{0, f.slice(x, 0, 2), 0}, {0, f.slice(x, 2, 5), 1}, {1, f.slice(x, 10, 11)}});
    f.vertex(cs, sum, 0, {{0, f.slice(x, 5, 7), 0}, {0, f.slice(x, 7, 10), 1}, {1, f.slice(x, 11, 12)}});
    const StepProgram p = f.lower({f.execute(cs)});
    REQUIRE(p.footprints.size() == 1);
    FieldCounts rows, out;
    rows.elements = 2;
    rows.inner = {2, 3};
    out.elements = 1;
    const TileVertexBytes expected = tileVertexBytes(f.graph.codelets.at(sum), {rows, out}, "ipu2");
    CHECK(p.footprints[0].instanceState.count() == expected.instanceState);
    CHECK(p.footprints[0].fieldData.count() == expected.fieldData);
    CHECK(p.footprints[0].edgePointers.count() == expected.edgePointers);
    CHECK(p.formOf(p.vertices[0]).footprint == p.formOf(p.vertices[1]).footprint);
    CHECK(p.numEdges == 6);
  }

  TEST_CASE("a vector connected element by element is one operand") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 3, 0);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 0,
             {{0, f.slice(x, 2, 3), 2}, {0, f.slice(x, 0, 1), 0}, {0, f.slice(x, 1, 2), 1}, {1, f.all(y)}});
    const StepProgram p = f.lower({f.execute(cs)});
    REQUIRE(p.edges.size() == 2);
    CHECK(p.edgesOf(p.vertices[0])[0].elements == 3);
    CHECK(p.edges[0].offset.count() == 0);
  }

  TEST_CASE("state values and sizes of vectors of state are kept in the program's data") {
    GraphFixture f;
    const auto cs = f.computeSet("cs");
    const auto v = f.vertex(
        cs, f.codelet("State", {f.state("n"), f.state("table", ElementType::Float, FieldShape::Vector)}), 0, {});
    const std::uint8_t n[] = {1, 2, 3, 4};
    std::copy(std::begin(n), std::end(n), f.graph.vertices.writeState(v, 0, 1, 4).begin());
    f.graph.vertices.setFieldSize(v, 1, 3);
    f.estimates.cycles = {77};
    const StepProgram p = f.lower({f.execute(cs)});
    REQUIRE(p.formOf(p.vertices[0]).numState == 2);
    CHECK(p.states[0].elements == 1);
    CHECK(p.data[p.states[0].firstByte + 2] == 3);
    CHECK(p.states[1].elements == 3);
    CHECK(p.data.size() == p.states[1].firstByte + 12);
    CHECK(p.vertices[0].estimate == 77);
  }

  TEST_CASE("a vertex's own estimate, even 0, comes before that of its type's estimator") {
    GraphFixture f;
    const auto x = f.onTile("x", 3, 0), y = f.onTile("y", 3, 0);
    const auto cs = f.computeSet("cs");
    const int move = f.moveCodelet();
    std::vector<VertexId> vertices;
    for (std::uint64_t i = 0; i < 3; ++i)
      vertices.push_back(f.vertex(cs, move, 0, {{0, f.slice(x, i, i + 1)}, {1, f.slice(y, i, i + 1)}}));
    f.graph.vertices.setEstimate(vertices[0], 0, -1);
    f.graph.vertices.setEstimate(vertices[1], 9, -1);
    f.estimates.cycles = {77, 77, 77};
    const StepProgram p = f.lower({f.execute(cs)});
    REQUIRE(p.vertices.size() == 3);
    CHECK(p.vertices[0].estimate == 0);
    CHECK(p.vertices[1].estimate == 9);
    CHECK(p.vertices[2].estimate == 77);
    for (std::size_t v = 0; v < 3; ++v)
      CHECK(p.formOf(p.vertices[v]).fromEstimator == (v == 2));
  }

  TEST_CASE("floating-point operations are summed by compute set and type, once wherever the set is executed") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 1), y = f.onTile("y", 4, 1);
    const auto one = f.computeSet("one"), two = f.computeSet("two");
    const int move = f.moveCodelet();
    for (std::uint64_t i = 0; i < 3; ++i)
      f.vertex(i < 2 ? one : two, move, 1, {{0, f.slice(x, i, i + 1)}, {1, f.slice(y, i, i + 1)}});
    const auto twice = [&] {
      return f.lower({GraphFixture::sequence({f.execute(two), f.execute(one), f.execute(two)})});
    };
    f.estimates.cycles = {5, 5, 5};
    CHECK(twice().typeFlops.empty()); // the operations of all vertices are unknown
    f.estimates.flops = {7, -1, 0};
    const StepProgram p = twice();
    REQUIRE(p.typeFlops.size() == 2);
    CHECK(p.names[p.computeSets[p.typeFlops[0].computeSet]] == "one");
    CHECK(p.typeFlops[0].flops == 7);
    CHECK(p.typeFlops[0].vertices == 1); // one of two vertices
    CHECK(p.names[p.computeSets[p.typeFlops[1].computeSet]] == "two");
    CHECK(p.typeFlops[1].flops == 0); // stated as 0, not unknown
    CHECK(p.typeFlops[1].vertices == 1);
  }

  TEST_CASE("shared functions are listed once; those without bytes take the runtime's size") {
    GraphFixture f;
    const auto x = f.onTile("x", 2, 0);
    const auto cs = f.computeSet("cs");
    for (std::uint64_t i = 0; i < 2; ++i) {
      VertexClass c;
      c.name = i == 0 ? "A" : "B";
      c.fields = {f.edge("out", FieldDirection::Output)};
      c.codeBytes = 40;
      c.sharedCode = {{"expf", 0}, {"helper", 24}};
      f.vertex(cs, f.graph.codelets.addClass(c), 0, {{0, f.slice(x, i, i + 1)}});
    }
    const StepProgram p = f.lower({f.execute(cs)});
    REQUIRE(p.libraryCode.size() == 2);
    CHECK(p.libraryCode[0].bytes.count() == 200);
    CHECK(p.libraryCode[1].bytes.count() == 24);
    CHECK(p.vertexTypes[VertexTypeId(1)].libraries == std::vector<std::uint32_t>{0, 1});
    CHECK(p.vertexTypes[VertexTypeId(0)].name == "A");
  }

  TEST_CASE("constants keep their data; unnamed variables and constants have the names that reports print") {
    GraphFixture f;
    f.constant("", {1, 0, 0, 0}, 1, ElementType::Int);
    f.onTile("", 1, 0);
    const StepProgram p = f.lower({GraphFixture::sequence({})});
    CHECK(p.names[p.vars[VarId(0)].name] == "<const>");
    CHECK(p.names[p.vars[VarId(1)].name] == "<anon>");
    CHECK(p.vars[VarId(0)].category == StorageCategory::Constant);
    REQUIRE(p.vars[VarId(0)].initialData >= 0);
    CHECK(p.data[static_cast<std::size_t>(p.vars[VarId(0)].initialData)] == 1);
    CHECK(p.vars[VarId(1)].initialData == -1);
  }
}
