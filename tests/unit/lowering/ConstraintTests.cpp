// Constraints of codelets on addresses, shared field data, and code sizes that the machine overrides.
#include "GraphFixture.hpp"
#include "graph/lowering/PlaceConstraints.hpp"
#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>
#include <string>

using namespace popscope;
using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST_SUITE("lowering.constraints") {

  TEST_CASE("constraints name fields; chains give neighbours, other text gives nothing") {
    CHECK(parseConstraint("elem(*a) != elem(*b)") == Pairs{{"a", "b"}});
    CHECK(parseConstraint("elem(**in)!=elem( *out_2 )") == Pairs{{"in", "out_2"}});
    CHECK(parseConstraint("elem(*a) != elem(*b) != elem(*c)") == Pairs{{"a", "b"}, {"b", "c"}});
    CHECK(parseConstraint("elem(*a)").empty());
    CHECK(parseConstraint("").empty());
    CHECK(parseConstraint("elem(*a) != ").empty());
    CHECK(parseConstraint("a != b").empty());
  }

  TEST_CASE("homes of fields that must be apart are paired once, whatever the number of vertices") {
    GraphFixture f;
    const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 4, 0), z = f.onTile("z", 4, 1);
    VertexClass c;
    c.name = "Apart";
    c.fields = {f.edge("a", FieldDirection::Input), f.edge("b", FieldDirection::Output)};
    c.constraints = {"elem(*a) != elem(*b)"};
    const int codelet = f.graph.codelets.addClass(c);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, codelet, 0, {{0, f.slice(x, 0, 2)}, {1, f.slice(y, 0, 2)}});
    f.vertex(cs, codelet, 0, {{0, f.slice(x, 2, 4)}, {1, f.slice(y, 2, 4)}});
    f.vertex(cs, codelet, 1, {{0, f.slice(z, 0, 2)}, {1, f.slice(z, 2, 4)}}); // one home cannot be kept in two elements
    const StepProgram p = f.lower({f.execute(cs)});
    REQUIRE(p.apart.size() == 1);
    CHECK(p.apart[0] == ApartHomes{HomeId(0), HomeId(1)});
  }

  TEST_CASE("a copy vertex that loads and stores in one cycle has its two sides in different memory elements") {
    // Published rows resnet50_tr_bs1_*_reduce end at 16,440: such a copy puts 32 bytes into the second memory element.
    for (const std::uint64_t first : {0u, 1u}) { // 1: not aligned for 8 bytes at a time
      CAPTURE(first);
      GraphFixture f;
      const auto x = f.onTile("x", 256, 2), y = f.onTile("y", 256, 2), z = f.onTile("z", 256, 2);
      const View from = GraphFixture::concat(f.slice(x, first, first + 64), f.slice(x, first + 128, first + 192));
      const View to = GraphFixture::concat(f.slice(y, 0, 64), f.slice(y, 96, 160));
      const auto copies = {f.copy(from, to), f.copy(f.slice(z, 0, 8), f.slice(y, 0, 8))};
      LoweringOptions single;
      single.multiAccessCopies = false;
      const StepProgram q = f.lower(copies, single);
      CHECK(contains(q.vertexTypes[q.copies[0].type].name, "StridedCopyDA32"));
      CHECK(q.apart.empty());
      const StepProgram p = f.lower(copies);
      REQUIRE(!p.copies.empty());
      const bool wide = contains(p.vertexTypes[p.copies[0].type].name, "MultiAccess");
      CHECK(wide == (first == 0));
      CHECK(p.apart.size() == (wide ? 1 : 0));
      if (wide) {
        CHECK(p.apart[0] == ApartHomes{p.copyRuns[0].src, p.copyRuns[0].dst});
        CHECK(p.copyRuns[0].src != p.copyRuns[0].dst);
      }
    }
  }

  TEST_CASE("a scaled pointer limits the addresses of what it points at where memory is larger than its reach") {
    for (const bool large : {false, true}) {
      GraphFixture f;
      f.graph.machine.architecture = "ipu1";
      f.graph.machine.memoryBase = 0x40000;
      f.graph.machine.bytesPerTile = large ? 600000 : 262144;
      f.graph.machine.regions[0].size = f.graph.machine.bytesPerTile;
      const auto x = f.onTile("x", 4, 0), y = f.onTile("y", 4, 0);
      VertexClass c;
      c.name = "Scaled";
      c.fields = {f.edge("a", FieldDirection::Input), f.edge("b", FieldDirection::Output)};
      c.fields[0].outer = PtrLayout::ScaledPtr32;
      c.fields[1].outer = PtrLayout::Span;
      const auto cs = f.computeSet("cs");
      f.vertex(cs, f.graph.codelets.addClass(c), 0, {{0, f.all(x)}, {1, f.all(y)}});
      const StepProgram p = f.lower({f.execute(cs)});
      CHECK(p.vars[VarId(0)].addressLimit == (large ? 262144 : 0)); // 16 bits of 4 bytes from the base of tile memory
      CHECK(p.vars[VarId(1)].addressLimit == 0);
    }
  }

  TEST_CASE("a vertex with more fields or elements than an operand can number is refused by name") {
    GraphFixture f;
    const auto x = f.onTile("x", 300, 0);
    const auto errorOf = [&](int codelet, const std::vector<Connection> &connections) -> std::string {
      const auto cs = f.computeSet("cs");
      f.vertex(cs, codelet, 0, connections);
      try {
        (void)f.lower({f.execute(cs)});
      } catch (const poplar::graph_connection_error &e) {
        return e.what();
      }
      return "";
    };
    std::vector<FieldInfo> fields;
    std::vector<Connection> connections;
    for (std::uint16_t i = 0; i < VertexEdge::kMaxFields; ++i) {
      fields.push_back(f.edge("in" + std::to_string(i), FieldDirection::Input));
      connections.push_back({i, f.slice(x, i, i + 1U)});
    }
    CHECK(errorOf(f.codelet("Full", fields), connections) == "");
    fields.push_back(f.edge("last", FieldDirection::Input));
    connections.push_back({static_cast<std::uint16_t>(VertexEdge::kMaxFields), f.slice(x, 0, 1)});
    const std::string wide = errorOf(f.codelet("Wide", fields), connections);
    CHECK(wide.find("field 'last'") != std::string::npos);
    CHECK(wide.find("Wide") != std::string::npos);
    CHECK(wide.find("number 257") != std::string::npos);

    const int rows = f.codelet("Rows", {f.edge("rows", FieldDirection::Input, FieldShape::VectorOfVectors)});
    Connection last{0, f.slice(x, 0, 1)};
    last.subIndex = VertexEdge::kMaxSubIndices;
    const std::string many = errorOf(rows, {last});
    CHECK(many.find("element 4194304 of field 'rows'") != std::string::npos);
    CHECK(many.find("Rows") != std::string::npos);
  }

  TEST_CASE("equal values of a const state vector are stored once; without const each vertex has its own") {
    for (const bool readOnly : {false, true}) {
      GraphFixture f;
      FieldInfo table = f.state("table", ElementType::UnsignedShort, FieldShape::Vector);
      table.readOnly = readOnly;
      const int codelet = f.codelet("Table", {table});
      const auto cs = f.computeSet("cs");
      for (int i = 0; i < 3; ++i) {
        const auto values = f.graph.vertices.writeState(f.vertex(cs, codelet, 0, {}), 0, 2, 4);
        const std::uint8_t bytes[] = {1, 2, 3, static_cast<std::uint8_t>(i < 2 ? 4 : 5)};
        std::copy(std::begin(bytes), std::end(bytes), values.begin());
      }
      const StepProgram p = f.lower({f.execute(cs)});
      CHECK(p.sharedData.size() == (readOnly ? 1 : 0));
      CHECK(p.footprints[p.formOf(p.vertices[0]).footprint].fieldData.count() == (readOnly ? 0 : 4));
      CHECK(p.footprints[p.formOf(p.vertices[2]).footprint].fieldData.count() == 4);
      if (readOnly) {
        CHECK(p.sharedData[0].bytes.count() == 4);
        CHECK(p.sharedData[0].numUses == 2);
        CHECK(p.sharedUses[1].vertex == 1);
      }
    }
  }

  TEST_CASE("the machine's table of code sizes stands in place of a class's own size and of what it calls") {
    GraphFixture f;
    f.graph.machine.vertexCode = {{"Known", 92}};
    const auto x = f.onTile("x", 2, 0);
    const auto cs = f.computeSet("cs");
    for (std::uint64_t i = 0; i < 2; ++i) {
      VertexClass c;
      c.name = i == 0 ? "Known" : "Other";
      c.fields = {f.edge("out", FieldDirection::Output)};
      c.codeBytes = 40;
      c.sharedCode = {{"expf", 0}};
      f.vertex(cs, f.graph.codelets.addClass(c), 0, {{0, f.slice(x, i, i + 1)}});
    }
    const StepProgram p = f.lower({f.execute(cs)});
    CHECK(p.vertexTypes[VertexTypeId(0)].codeBytes.count() == 92);
    CHECK(p.vertexTypes[VertexTypeId(0)].libraries.empty());
    CHECK(p.vertexTypes[VertexTypeId(1)].codeBytes.count() == 40);
    CHECK(p.vertexTypes[VertexTypeId(1)].libraries.size() == 1);
  }

} // TEST_SUITE
