// Vertices: fields, connections, initial values, sizes, estimates, DOT text. The codelets are compiled here.
#include "CountedHeap.hpp"
#include "MessageOf.hpp"
#include "graph/api/Estimates.hpp"
#include "graph/api/FieldView.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/codelets/TileLayout.hpp"

#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace poplar;

namespace {

const char *kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class Scale : public Vertex {
public:
  Input<Vector<float>> in;
  Output<Vector<float>> out;
  Input<float> factor;
  unsigned count;
  Vector<unsigned short> table;
  bool compute() { for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i] * *factor; return true; }
};
template <class T> class Adder : public Vertex {
public:
  Output<T> out;
  bool compute() { *out = 1; return true; }
};
template class Adder<float>;
template class Adder<int>;
class Pi : public Vertex {
public:
  Output<float> out;
  bool compute() { *out = 3; return true; }
};
class Rows : public Vertex {
public:
  Vector<Input<Vector<float>>> rows;
  Vector<Input<float>> scalars;
  Output<float> out;
  bool compute() { *out = rows.size() + scalars.size(); return true; }
};
)";

struct VertexFixture {
  Graph graph{Target::createIPUTarget(1, 4, "ipu1")};
  Tensor a = graph.addVariable(FLOAT, {6}, "a"), b = graph.addVariable(FLOAT, {6}, "b");
  Tensor m = graph.addVariable(FLOAT, {2, 3}, "m");
  ComputeSet cs = graph.addComputeSet("scaleAll");
  VertexFixture() {
    std::stringstream source(kCodelets);
    graph.addCodelets(source);
  }
  /// Returns the bytes of the n-th state field that has initial values.
  std::vector<std::uint8_t> stateBytes(const VertexRef &v, std::ptrdiff_t n) const {
    const auto states = vertex(v).states();
    const popscope::GraphState state = *std::next(states.begin(), n);
    return {state.bytes.begin(), state.bytes.end()};
  }
  popscope::GraphVertex vertex(const VertexRef &v) const {
    return popscope::irOf(graph).vertices[popscope::VertexId(static_cast<std::uint32_t>(v.getId()))];
  }
};

} // namespace

TEST_SUITE("graph_api.vertices") {

  TEST_CASE_FIXTURE(VertexFixture, "connections by list make edges and constants on the vertex's tile") {
    const VertexRef v = graph.addVertex(cs, "Scale", {{"in", a}, {"out", b}, {"factor", 2}, {"count", 7u}});
    graph.setTileMapping(v, 3);
    CHECK(vertex(v).edges().size() == 3);
    const popscope::GraphVarId constant = vertex(v).edges()[2].runs.front().var;
    CHECK(popscope::irOf(graph).vars[constant].constant);
    CHECK(popscope::irOf(graph).vars[constant].mapping.at(0).tile == popscope::TileId(3));
    CHECK(stateBytes(v, 0) == std::vector<std::uint8_t>{7, 0, 0, 0});
    CHECK(graph.numVertices() == 1);
    CHECK(graph.numComputeSets() == 1);
  }

  TEST_CASE_FIXTURE(VertexFixture, "a connect that fails changes nothing") {
    const Tensor wrong = graph.addVariable(INT, {6}, "wrong");
    const VertexRef v = graph.addVertex(cs, "Rows");
    CHECK_THROWS_AS(graph.connect(v["scalars"], ArrayRef<Tensor>{a[0], wrong[0]}), type_error);
    CHECK(vertex(v).edges().size() == 0);
    graph.connect(v["scalars"], ArrayRef<Tensor>{a[0], a[1]});
    graph.connect(v["rows"][1], a);
    CHECK_THROWS_WITH_AS(graph.connect(v["rows"], m), doctest::Contains("element 1 is connected already"),
                         graph_connection_error);
    CHECK_THROWS_WITH_AS(graph.connect(v["rows"], ArrayRef<Tensor>{a, b}),
                         doctest::Contains("element 1 is connected already"), graph_connection_error);
    CHECK(vertex(v).edges().size() == 3);
    graph.connect(v["rows"][0], b);
    CHECK(vertex(v).edges().size() == 4);
  }

  TEST_CASE_FIXTURE(VertexFixture, "a value that cannot be connected adds no constant") {
    const VertexRef v = graph.addVertex(cs, "Scale", {{"in", a}, {"out", b}, {"factor", 2}, {"count", 7u}});
    const VertexRef w = graph.addVertex(cs, "Rows");
    const auto &ir = popscope::irOf(graph);
    const std::size_t variables = ir.vars.size();
    CHECK_THROWS_AS(graph.connect(v["factor"], 3.0f), graph_connection_error); // is connected already
    CHECK_THROWS_AS(graph.connect(w["out"], 3.0f), graph_connection_error);    // would write a constant
    CHECK(ir.vars.size() == variables);
    graph.setTileMapping(v, 3); // maps the constants of the vertex, of which there is one
    graph.setTileMapping(w, 3);
    graph.connect(w["scalars"][0], 3.0f);
    CHECK(ir.vars.size() == variables + 1);
    CHECK(ir.vars[popscope::GraphVarId(static_cast<std::uint32_t>(variables))].mapping.at(0).tile ==
          popscope::TileId(3));
  }

  TEST_CASE_FIXTURE(VertexFixture, "an addVertex that fails changes nothing") {
    Tensor wrong = graph.addVariable(INT, {6}, "wrong");
    const VertexRef first = graph.addVertex(cs, "Scale", {{"in", a}});
    const auto &ir = popscope::irOf(graph);
    const std::size_t variables = ir.vars.size();
    const std::uint64_t bytes = ir.vertices.bytes();
    CHECK_THROWS_AS(graph.addVertex(cs, "Scale", {{"in", a}, {"out", b}, {"factor", 2.0f}, {"count", 3u}, {"fast", 1}}),
                    poplar_error);
    CHECK_THROWS_AS(graph.addVertex(cs, "Scale", {{"factor", 2.0f}, {"in", a}, {"out", wrong}}), type_error);
    CHECK_THROWS_AS(graph.addVertex(cs, "Rows", {{"rows", m}, {"scalars", ArrayRef<Tensor>{a[0], wrong[0]}}}),
                    type_error);
    CHECK(graph.numVertices() == 1);
    CHECK(ir.vars.size() == variables);
    CHECK(ir.computeSets[popscope::ComputeSetId(0)].vertices.size() == 1);
    CHECK(ir.vertices.numEdges() == 1);
    const VertexRef next = graph.addVertex(cs, "Scale", {{"in", b}, {"out", a}, {"factor", 4.0f}});
    CHECK(next.getId() == 1);
    CHECK(vertex(next).edges().size() == 3);
    CHECK(vertex(next).states().empty()); // "count" of the failed call
    CHECK(vertex(first).edges().size() == 1);
    CHECK(ir.vars.size() == variables + 1);
    graph.setTileMapping(next, 3);
    CHECK(ir.vars[popscope::GraphVarId(static_cast<std::uint32_t>(variables))].mapping.size() == 1);
    CHECK(ir.vertices.bytes() > bytes);
  }

  TEST_CASE("an unknown vertex type names the assembly files that addCodelets skipped") {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("popscope-skipped-" + std::to_string(::getpid()))).string() + ".S";
    std::ofstream(path) << "exitz $m15\n";
    Graph graph(IPUModel().createDevice().getTarget());
    graph.addCodelets(path);
    std::filesystem::remove(path);
    const ComputeSet cs = graph.addComputeSet("cs");
    const std::string said = messageOf([&] { graph.addVertex(cs, "InAssembly"); });
    CAPTURE(said);
    CHECK(mentions(said, "addCodelets skipped \"" + path + "\", because assembly and IR cannot run here"));
    CHECK_FALSE(mentions(said, "addCodelets adds some"));
  }

  TEST_CASE_FIXTURE(VertexFixture, "names that do not exist are answered with those that do") {
    CHECK_THROWS_AS(graph.addVertex(cs, "Scala"), unknown_vertex_type);
    CHECK(mentions(messageOf([&] { graph.addVertex(cs, "Scala"); }), "Did you mean \"Scale\"?"));
    const std::string of = messageOf([&] { graph.addVertex(cs, "Adder<double>"); });
    CHECK(mentions(of, "\"Adder<double>\". The graph has Adder<float>, Adder<int>."));
    CHECK(mentions(messageOf([&] { graph.addVertex(cs, "Adder"); }), "Adder<float>, Adder<int>."));
    CHECK_FALSE(mentions(messageOf([&] { graph.addVertex(cs, ""); }), "Did you mean")); // "Pi" has two letters
    const VertexRef v = graph.addVertex(cs, "Scale");
    CHECK_THROWS_AS(v["inn"], unknown_field);
    CHECK(mentions(messageOf([&] { v["inn"]; }), "in, out, factor, count, table"));
    CHECK(graph.hasCodelet("Scale"));
    CHECK_FALSE(graph.hasCodelet("Scala"));
  }

  TEST_CASE_FIXTURE(VertexFixture, "wrong types and shapes are refused by name") {
    const VertexRef v = graph.addVertex(cs, "Scale");
    const std::string message = messageOf([&] { graph.connect(v["in"], graph.addVariable(INT, {6})); });
    CHECK(mentions(message, "field in of vertex 0 of type Scale"));
    CHECK(mentions(message, "float"));
    CHECK(mentions(message, "int"));
    CHECK_THROWS_AS(graph.connect(v["in"], graph.addVariable(INT, {6})), type_error);
    CHECK_THROWS_AS(graph.connect(v["in"], m), graph_connection_error);
    CHECK_THROWS_AS(graph.connect(v["factor"], a), graph_connection_error);
    CHECK_THROWS_AS(graph.connect(v["count"], graph.addVariable(UNSIGNED_INT, {})), graph_connection_error);
    CHECK_THROWS_AS(graph.connect(v["out"], graph.addConstant(FLOAT, {6}, 1.0f)), graph_connection_error);
    CHECK_THROWS_AS(graph.connect(v["out"], a[0].expand({0}).broadcast(6, 0)), graph_connection_error);
    graph.connect(v["in"], a);
    CHECK_THROWS_AS(graph.connect(v["in"], b), graph_connection_error);
    Graph other(Target::createIPUTarget(1, 4, "ipu1"));
    CHECK_THROWS_AS(graph.connect(v["out"], other.addVariable(FLOAT, {6})), graph_connection_error);
  }

  TEST_CASE_FIXTURE(VertexFixture, "nested fields connect by row, by list and by element") {
    const VertexRef byRow = graph.addVertex(cs, "Rows");
    graph.connect(byRow["rows"], m);
    CHECK(graph.getFieldSize(byRow["rows"]) == 2);
    CHECK(graph.getFieldSize(byRow["rows"][1]) == 3);
    graph.connect(byRow["scalars"], a);
    CHECK(graph.getFieldSize(byRow["scalars"]) == 6);
    const VertexRef byList = graph.addVertex(cs, "Rows");
    graph.connect(byList["rows"], {a, m[0], b});
    CHECK(graph.getFieldSize(byList["rows"]) == 3);
    const VertexRef byElement = graph.addVertex(cs, "Rows");
    graph.setFieldSize(byElement["rows"], 2);
    graph.connect(byElement["rows"][1], a);
    graph.connect(byElement["rows"][0], b);
    CHECK(vertex(byElement).edges()[0].subIndex == 0);
    CHECK(vertex(byElement).edges()[1].subIndex == 1);
    CHECK_THROWS_AS(graph.connect(byElement["rows"][2], a), index_error);
    CHECK_THROWS_AS(graph.getFieldSize(byElement["scalars"]), no_size_specified);
    CHECK_THROWS_AS(byElement["rows"][0][0], index_error);
  }

  TEST_CASE_FIXTURE(VertexFixture, "a vertex takes 16 bytes, an edge 16, an initial value 36, whatever comes first") {
    constexpr std::size_t kVertices = 1 << 14;
    std::vector<VertexRef> all;
    all.reserve(kVertices);
    const std::size_t before = heldBytes();
    for (std::size_t i = 0; i < kVertices / 2; ++i) {
      const VertexRef v = graph.addVertex(cs, "Scale", {{"in", a.slice(1, 4)}, {"out", b}});
      graph.setInitialValue(v["count"], 3);
      graph.setTileMapping(v, 1);
      all.push_back(v);
    }
    for (std::size_t i = kVertices / 2; i < kVertices; ++i) {
      all.push_back(graph.addVertex(cs, "Scale"));
      graph.setInitialValue(all.back()["count"], 4);
      graph.setTileMapping(all.back(), 2);
      graph.connect(all.back()["out"], b);
      graph.connect(all.back()["in"], a.slice(2, 5));
    }
    CHECK(heldBytes() - before <= kVertices * (16 + 2 * 16 + 36) * 1.01);
    for (const std::size_t i : {std::size_t(5), kVertices - 5}) {
      CHECK(vertex(all[i]).edges().size() == 2);
      CHECK(vertex(all[i]).edges()[0].runs.front().begin == (i == 5 ? 1 : 2));
      CHECK(stateBytes(all[i], 0).front() == (i == 5 ? 3 : 4));
    }
  }

  TEST_CASE("every representation of a vector holds what is taken without asking") {
    using namespace popscope;
    for (const char *target : {"ipu1", "ipu2", "ipu21"})
      for (const FieldShape shape :
           {FieldShape::Vector, FieldShape::VectorOfScalars, FieldShape::VectorOfVectors, FieldShape::VectorList})
        for (const PtrLayout layout : {PtrLayout::Span, PtrLayout::ShortSpan, PtrLayout::OnePtr, PtrLayout::ScaledPtr32,
                                       PtrLayout::ScaledPtr64, PtrLayout::ScaledPtr128, PtrLayout::CompactPtr})
          for (const ListLayout list :
               {ListLayout::OnePtr, ListLayout::ScaledPtr32, ListLayout::ScaledPtr64, ListLayout::ScaledPtr128,
                ListLayout::DeltaN, ListLayout::DeltaNElements, ListLayout::CompactDeltaN}) {
            FieldInfo field;
            field.shape = shape;
            field.outer = field.inner = layout;
            field.list = list;
            field.type = ElementType::Char;
            field.minAlign = 1;
            for (const unsigned dimension : {0u, 1u})
              CHECK(maxFieldDim(field, dimension, target) >= kEveryFieldDim);
          }
  }

  TEST_CASE_FIXTURE(VertexFixture, "initial values of state fields") {
    const VertexRef v = graph.addVertex(cs, "Scale");
    graph.setInitialValue(v["count"], 3);
    graph.setInitialValue(v["table"], std::vector<unsigned>{1, 2, 0xffff});
    CHECK(stateBytes(v, 1) == std::vector<std::uint8_t>{1, 0, 2, 0, 0xff, 0xff});
    CHECK_THROWS_AS(graph.setInitialValue(v["table"], std::vector<unsigned>{0x10000}), overflow_error);
    const VertexRef w = graph.addVertex(cs, "Scale");
    CHECK_THROWS_AS(graph.setInitialValue(w["table"][0], 5), index_error);
    graph.setFieldSize(w["table"], 2);
    graph.setInitialValue(w["table"][1], 5);
    CHECK(stateBytes(w, 0) == std::vector<std::uint8_t>{0, 0, 5, 0});
    CHECK_THROWS_AS(graph.setInitialValue(w["out"], 1.0f), poplar_error);
    CHECK(graph.getMaxVertexFieldValue("Scale", "table") == 65535.0);
    CHECK(graph.getMaxFieldDim("Scale", "in", 0) > 1000);
    CHECK_THROWS_AS(graph.getMaxFieldDim("Scale", "count", 0), index_error);
  }

  TEST_CASE_FIXTURE(VertexFixture, "estimates: the vertex's own, then the registered one, then none") {
    const VertexRef v = graph.addVertex(cs, "Scale", {{"in", a}, {"factor", 2.5f}, {"count", 7}});
    const VertexRef own = graph.addVertex(cs, "Scale", {{"in", a}});
    const VertexRef rows = graph.addVertex(cs, "Rows");
    graph.setPerfEstimate(own, 11, 22);
    CHECK_THROWS_AS(graph.getPerfEstimate(v), missing_perf_estimate);
    graph.registerPerfEstimator("NotThere",
                                [](const VertexIntrospector &, const Target &) { return VertexPerfEstimate(1); });
    graph.registerPerfEstimator("Scale", [](const VertexIntrospector &x, const Target &target) {
      const std::uint64_t n = x.getFieldInfo("in").size();
      return VertexPerfEstimate(
          n * 100 + x.getFieldInfo("count").getInitialValue<unsigned>(target),
          static_cast<std::uint64_t>(x.getFieldInfo("factor").getInitialValue<float>(target) * 2));
    });
    CHECK(graph.getPerfEstimate(v) == VertexPerfEstimate(607, 5));
    CHECK(graph.getCycleEstimate(own) == 11);
    CHECK_THROWS_AS(graph.getCycleEstimate(rows), missing_cycle_estimate);
    // Estimates of estimators; the vertex's own estimate is in the graph.
    CHECK(popscope::estimateVertices(graph) == popscope::VertexEstimates{{607, -1, -1}, {5, -1, -1}});
    const popscope::VertexTable &vertices = popscope::irOf(graph).vertices;
    CHECK(vertices[popscope::VertexId(1)].cycleEstimate() == 11);
    CHECK(vertices[popscope::VertexId(1)].flopEstimate() == 22);
  }

  TEST_CASE_FIXTURE(VertexFixture, "an estimator's cycles and operations are 2^48 at most") {
    graph.addVertex(cs, "Scale", {{"in", a}});
    const std::uint64_t most = std::uint64_t(1) << 48;
    for (const auto &[cycles, flops, unit] :
         {std::tuple(most, most, ""), std::tuple(most + 1, most, "281474976710657 cycles"),
          std::tuple(most, most + 1, "281474976710657 floating-point operations")}) {
      graph.registerPerfEstimator("Scale",
                                  [cycles = cycles, flops = flops](const VertexIntrospector &, const Target &) {
                                    return VertexPerfEstimate(cycles, flops);
                                  });
      if (*unit == 0)
        CHECK_NOTHROW(popscope::estimateVertices(graph));
      else
        CHECK_THROWS_WITH_AS(popscope::estimateVertices(graph), doctest::Contains(unit), overflow_error);
    }
  }

  TEST_CASE_FIXTURE(VertexFixture, "estimates of cycles alone leave floating-point operations unknown") {
    const VertexRef v = graph.addVertex(cs, "Scale", {{"in", a}});
    graph.addVertex(cs, "Rows");
    graph.setCycleEstimate(v, 9);
    CHECK(popscope::estimateVertices(graph) == popscope::VertexEstimates{}); // no estimator is called
    graph.registerCycleEstimator("Rows", [](const VertexIntrospector &, const Target &) { return std::uint64_t(7); });
    CHECK(popscope::estimateVertices(graph) == popscope::VertexEstimates{{-1, 7}, {}});
    const auto own = [&] { return popscope::irOf(graph).vertices[popscope::VertexId(0)].flopEstimate(); };
    CHECK(own() == -1);
    graph.setPerfEstimate(v, 9); // 0 operations, the default, means no estimate
    CHECK(own() == -1);
    graph.setPerfEstimate(v, 9, 5);
    CHECK(own() == 5);
    CHECK(popscope::estimateVertices(graph) == popscope::VertexEstimates{{-1, 7}, {}});
    graph.registerPerfEstimator("Rows", [](const VertexIntrospector &, const Target &) {
      return VertexPerfEstimate(7, (std::uint64_t(1) << 48) + 1);
    });
    CHECK_THROWS_AS((void)popscope::estimateVertices(graph), poplar::overflow_error);
  }

  TEST_CASE_FIXTURE(VertexFixture, "an estimator asks for single elements of a vector's initial value") {
    const VertexRef v = graph.addVertex(cs, "Scale", {{"in", a}});
    graph.setInitialValue(v["table"], std::vector<unsigned>{3, 5, 8});
    graph.registerPerfEstimator("Scale", [](const VertexIntrospector &x, const Target &target) {
      const auto table = x.getFieldInfo("table");
      CHECK_THROWS_AS(table.getInitialValue<unsigned>(target, 3), poplar_error);
      CHECK_THROWS_AS(table.getInitialValue<unsigned>(target, ~std::size_t(0)), poplar_error);
      return VertexPerfEstimate(table.getInitialValue<unsigned short>(target, 1) * 10 +
                                table.getInitialValue<unsigned short>(target, 2));
    });
    CHECK(graph.getCycleEstimate(v) == 58);
  }

  TEST_CASE_FIXTURE(VertexFixture, "the compute graph lists compute sets in the order of execution") {
    graph.addVertex(cs, "Scale", {{"in", a}, {"out", b}});
    const ComputeSet later = graph.addComputeSet("made\"later");
    std::ostringstream out;
    graph.outputComputeGraph(out, {program::Sequence(program::Execute(later), program::Execute(cs))});
    const std::string text = out.str();
    CHECK(mentions(text, "digraph"));
    CHECK(text.find("made\\\"later") < text.find("scaleAll"));
    CHECK(mentions(text, "a float[6]"));
    std::ostringstream vertices;
    graph.outputVertexGraph(vertices);
    CHECK(mentions(vertices.str(), "Scale\\nscaleAll"));
  }
}
