// Forms of the public interface that other tests do not call: constructors, overloads and texts.
#include "MessageOf.hpp"

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/exceptions.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <sstream>

using namespace poplar;

namespace {

template <class T> std::string textOf(const T &value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

} // namespace

TEST_SUITE("graph.forms") {
  TEST_CASE("initial values of halves by their bits, and the largest value of a field") {
    Graph graph(Target::createIPUTarget(1, 4, "ipu1"));
    std::stringstream source("#include <poplar/Vertex.hpp>\nusing namespace poplar;\n"
                             "struct Halves : Vertex { Input<Vector<half>> in; Output<float> out; half one;\n"
                             "  Vector<half> many; short small; bool compute() { *out = one; return true; } };\n");
    std::ostringstream messages;
    graph.addCodelets(source, messages);
    CHECK(messages.str() == "");
    const VertexRef v = graph.addVertex(graph.addComputeSet("cs"), "Halves");
    graph.setInitialValueHalf(v["one"], std::uint16_t(0x3c00));
    graph.setFieldSize(v["many"], 2);
    graph.setInitialValueHalf(v["many"], ArrayRef<std::uint16_t>({0x3c00, 0x4000}));
    CHECK_THROWS_AS(graph.setInitialValueHalf(v["small"], std::uint16_t(1)), type_error);
    CHECK(graph.getMaxVertexFieldValue("Halves", "many") == 65504);
    CHECK(graph.getMaxVertexFieldValueAs<int>("Halves", "many") == 65504);
    CHECK(graph.getMaxVertexFieldValueAs<float>("Halves", "out") == std::numeric_limits<float>::max());
    CHECK(graph.getMaxVertexFieldValueAs<long long>("Halves", "small") == 32767);
    CHECK_THROWS_AS(graph.getMaxVertexFieldValueAs<short>("Halves", "many"), overflow_error);

    graph.setPerfEstimate(v, VertexPerfEstimate(40, 7));
    CHECK(graph.getPerfEstimate(v) == VertexPerfEstimate(40, 7));
  }

  TEST_CASE("a graph of replicas on the CPU, and the mapping of a whole variable") {
    const Graph replicas(replication_factor(2));
    CHECK(replicas.getReplicationFactor() == 2);
    CHECK((replicas.getTarget().getTargetType() == TargetType::CPU)); // doctest cannot print it

    Graph graph(Target::createIPUTarget(1, 4, "ipu1"));
    const Tensor t = graph.addVariable(FLOAT, {4}, "t"), other = graph.addVariable(FLOAT, {4}, "other");
    graph.setTileMapping(t.slice(0, 3), 1);
    graph.setTileMapping(t.slice(3, 4), 2);
    const Graph::TileToTensorMapping mapping = graph.getVariableTileMapping(t.slice(1, 2));
    REQUIRE(mapping.size() == 4);
    CHECK(mapping[1] == std::vector<Interval>{{0, 3}});
    CHECK(mapping[2] == std::vector<Interval>{{3, 4}});
    CHECK(messageOf([&] { (void)graph.getVariableTileMapping(concat(t, other)); }).find("more than one variable") !=
          std::string::npos);
  }

  TEST_CASE("a Switch without a default, by its cases or one by one") {
    using namespace program;
    Graph graph(Target::createIPUTarget(1, 4, "ipu1"));
    const Tensor control = graph.addVariable(INT, {}, "control");
    Switch whole = Switch::switchWithUnreachableDefault(control, {{1, Sequence()}, {2, Sequence()}}, {"whole"});
    CHECK_THROWS_AS(whole.add(2, Sequence()), control_program_error);
    Switch single = Switch::switchWithUnreachableDefault(control, {"single"});
    single.add(2, Sequence()).add(3, Sequence());
    CHECK_THROWS_AS(single.add(3, Sequence()), control_program_error);
  }

  TEST_CASE("names of contexts, and texts of enumerations") {
    const DebugInfo info(DebugContext("outer"), "layer");
    const DebugContext context(info, "inner"), copy(context); // NOLINT: the copy is tested
    CHECK(copy.getPathName() == "outer/inner");
    CHECK(DebugNameAndId(info, "inner").getPathName() == "outer/inner");
    CHECK(DebugNameAndId(info.getId()).getPathName() == "");
    CHECK(textOf(DataStreamType::HostToDeviceFIFO) == "HostToDeviceFIFO");
    CHECK(textOf(DataStreamType::RemoteBuffer) == "RemoteBuffer");
    CHECK(textOf(ReplicatedStreamMode::BROADCAST) == "BROADCAST");
    CHECK(symbol_error("puts").type == "symbol_error");
    CHECK(link_error("no such file").type == "link_error");
    CHECK(std::string(graph_memory_allocation_error("tile 0\nis full").what()) == "tile 0\nis full");
    CHECK(std::string(graph_memory_allocation_error("tile 0\nis full", "profile.pop").what()) == "tile 0\nis full");
    CHECK(std::string(index_error("tile 0\nis full").what()) == "tile 0\\x0ais full");
  }
}
