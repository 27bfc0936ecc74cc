// ExpandReplicas: what each replica gets, on a graph of three replicas of two tiles each.
#include "GraphFixture.hpp"
#include "graph/ir/Replicas.hpp"
#include "graph/lowering/ExpandReplicas.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;

namespace {

constexpr SplitIndex kSplit = 1;

struct Replicas : GraphFixture {
  Replicas() : GraphFixture(6) {
    graph.splits.push_back({{{TileId(0), TileId(1)}, {TileId(2), TileId(3)}, {TileId(4), TileId(5)}}});
  }
  GraphVarId own(const std::string &name, std::uint64_t elements, std::uint32_t tile,
                 ElementType type = ElementType::Float) {
    const GraphVarId v = onTile(name, elements, tile, type);
    replicateVariable(graph, v, kSplit);
    return v;
  }
  VertexId move(ComputeSetId cs, int codeletIndex, std::uint32_t tile, GraphVarId from, GraphVarId to,
                SplitIndex split) {
    const VertexId v = graph.vertices.add(codeletIndex, cs, TileId(tile), split);
    REQUIRE(graph.vertices.connect(v, 0, 0, all(from).runs));
    REQUIRE(graph.vertices.connect(v, 1, 0, all(to).runs));
    graph.computeSets[cs].vertices.push_back(v);
    return v;
  }
  [[nodiscard]] std::unique_ptr<ExpandedGraph> expand(const ProgramPtr &program) const {
    return expandReplicas(graph, {program}, estimates);
  }
  [[nodiscard]] GraphVarId replica(GraphVarId v, std::uint32_t k) const { return graph.vars[v].replicas.at(k); }
};

std::vector<VertexId> verticesOf(const GraphIr &graph, ComputeSetId cs) {
  return {graph.computeSets[cs].vertices.begin(), graph.computeSets[cs].vertices.end()};
}
std::vector<GraphVarId> varsOf(const View &view) {
  std::vector<GraphVarId> vars;
  for (const ViewRun &run : view.runs)
    vars.push_back(run.var);
  return vars;
}

} // namespace

TEST_SUITE("lowering.replicas") {

  TEST_CASE("a vertex of a split runs once per replica, on that replica's tile and variables; others run once") {
    Replicas f;
    const auto x = f.own("x", 4, 0), y = f.own("y", 4, 1), a = f.onTile("a", 4, 0), b = f.onTile("b", 4, 5);
    const auto cs = f.computeSet("cs");
    const int codelet = f.moveCodelet();
    f.move(cs, codelet, 1, x, y, kSplit);
    f.move(cs, codelet, 5, a, b, 0);
    f.estimates.cycles = {70, 9};
    const auto twice = GraphFixture::sequence({f.execute(cs), f.execute(cs)}); // two programs, one compute set
    const auto expanded = f.expand(twice);
    REQUIRE(expanded);
    const std::vector<VertexId> vertices = verticesOf(expanded->graph, cs);
    REQUIRE(vertices.size() == 4);
    CHECK(expanded->estimates.cycles == std::vector<std::int64_t>{70, 9, 70, 70});
    CHECK(expanded->estimates.flops.empty());
    const std::uint32_t tiles[] = {1, 5, 3, 5}, replicas[] = {0, 0, 1, 2};
    for (std::size_t i = 0; i != 4; ++i) {
      CAPTURE(i);
      const GraphVertex vertex = expanded->graph.vertices[vertices[i]];
      CHECK(vertex.tile == TileId(tiles[i]));
      CHECK(vertex.edge(0, 0)->runs.front().var == (i == 1 ? a : f.replica(x, replicas[i])));
      CHECK(vertex.edge(1, 0)->runs.front().var == (i == 1 ? b : f.replica(y, replicas[i])));
    }
    CHECK(verticesOf(f.graph, cs).size() == 2); // the graph itself stays
    CHECK(expandReplicas(GraphFixture().graph, {twice}, {}) == nullptr);
  }

  TEST_CASE("a copy moves the elements of all replicas at once, unless replicas would write one tensor") {
    Replicas f;
    const auto x = f.own("x", 4, 0), y = f.own("y", 4, 1), whole = f.onTile("whole", 4, 0);
    const auto both = f.expand(GraphFixture::copy(f.all(x), f.all(y)));
    CHECK(varsOf(both->programs[0]->a) == std::vector<GraphVarId>{x, f.replica(x, 1), f.replica(x, 2)});
    CHECK(varsOf(both->programs[0]->b) == std::vector<GraphVarId>{y, f.replica(y, 1), f.replica(y, 2)});
    CHECK(f.expand(GraphFixture::copy(f.all(whole), f.all(y)))->programs[0]->a.elements() == 12);
    CHECK(contains(
        messageOf<poplar::control_program_error>([&] { (void)f.expand(GraphFixture::copy(f.all(x), f.all(whole))); }),
        "Copy 'copy': 3 replicas would write one tensor of the whole graph"));
  }

  TEST_CASE("a copy between replicas takes the map's pairs, whose replicas exist") {
    Replicas f;
    const auto x = f.own("x", 4, 0), y = f.own("y", 4, 1);
    const auto copy = [&](std::map<unsigned, unsigned> map) {
      auto p = GraphFixture::node(ProgramKind::CrossReplicaCopy, "ring");
      p->a = f.all(x);
      p->b = f.all(y);
      p->as<CrossReplicaArguments>().replicaMap = {map.begin(), map.end()};
      return p;
    };
    const auto expanded = f.expand(copy({{0, 1}, {1, 2}, {2, 0}}));
    const ProgramNode &p = *expanded->programs[0];
    CHECK(p.kind == ProgramKind::Copy);
    CHECK(p.a.elements() == 12);
    CHECK(varsOf(p.a) == std::vector<GraphVarId>{x, f.replica(x, 1), f.replica(x, 2)});
    CHECK(varsOf(p.b) == std::vector<GraphVarId>{f.replica(y, 1), f.replica(y, 2), y});
    for (const std::map<unsigned, unsigned> &wrong : {std::map<unsigned, unsigned>{{0, 3}}, {{3, 0}}})
      CHECK(
          contains(messageOf<poplar::control_program_error>([&] { (void)f.expand(copy(wrong)); }), "the graph has 3"));
  }

  TEST_CASE("a branch on a replica's own value runs once per replica, with that replica's part of its body alone") {
    Replicas f;
    const auto x = f.own("x", 4, 0), y = f.own("y", 4, 1), flag = f.own("flag", 1, 0, ElementType::Bool);
    const auto cs = f.computeSet("cs"), mixed = f.computeSet("mixed");
    const int codelet = f.moveCodelet();
    f.move(cs, codelet, 1, x, y, kSplit);
    f.graph.functions.push({f.execute(cs), "f"});
    auto call = GraphFixture::node(ProgramKind::Call, "call");
    call->arguments = CallArguments{FunctionId(0)};
    const auto branch = [&](const ProgramPtr &body) {
      auto p = GraphFixture::node(ProgramKind::If, "own", {body, GraphFixture::sequence({})});
      p->a = f.all(flag);
      return p;
    };
    const auto expanded = f.expand(branch(GraphFixture::sequence({call, f.execute(cs)})));
    const auto &branches = expanded->programs[0]->children;
    REQUIRE(branches.size() == 3);
    for (std::uint32_t k = 0; k != 3; ++k) {
      CAPTURE(k);
      CHECK(varsOf(branches[k]->a) == std::vector<GraphVarId>{f.replica(flag, k)});
      const auto &body = branches[k]->children[0]->children;
      const ComputeSetId one = body[1]->as<ExecuteArguments>().computeSet;
      const FunctionId function = body[0]->as<CallArguments>().function;
      CHECK(expanded->graph.functions[function].body->as<ExecuteArguments>().computeSet == one);
      REQUIRE(verticesOf(expanded->graph, one).size() == 1);
      CHECK(expanded->graph.vertices[verticesOf(expanded->graph, one)[0]].tile == TileId(1 + 2 * k));
    }
    const auto whole = f.onTile("whole", 4, 0);
    f.move(mixed, codelet, 0, x, whole, 0);
    CHECK(contains(messageOf<poplar::control_program_error>([&] { (void)f.expand(branch(f.execute(mixed))); }),
                   "Execute has a vertex of the whole graph (vertex 1)"));
    CHECK(contains(messageOf<poplar::control_program_error>(
                       [&] { (void)f.expand(branch(GraphFixture::copy(f.all(x), f.all(whole)))); }),
                   "Copy 'copy' writes a tensor of the whole graph in a branch"));
  }

  TEST_CASE("a compute set that only single replicas run is counted once per replica, and not as the set of all") {
    Replicas f;
    const auto x = f.own("x", 4, 0), y = f.own("y", 4, 1), z = f.own("z", 4, 1),
               flag = f.own("flag", 1, 0, ElementType::Bool);
    const auto cs = f.computeSet("cs"), other = f.computeSet("other");
    const int codelet = f.moveCodelet();
    f.move(cs, codelet, 1, x, y, kSplit);
    f.move(cs, codelet, 1, x, z, kSplit);
    f.move(other, codelet, 1, x, y, kSplit);
    const auto branch = GraphFixture::node(ProgramKind::If, "own", {f.execute(cs), GraphFixture::sequence({})});
    branch->a = f.all(flag);
    const auto counts = [&](const ProgramPtr &program) {
      const auto expanded = f.expand(program);
      GraphFixture whole(6);
      whole.graph = expanded->graph;
      const StepProgram p = whole.lower(expanded->programs);
      REQUIRE(p.copies.empty());
      return std::vector<std::uint64_t>{p.numComputeSets, p.numVertices, p.numEdges};
    };
    // Three replicas run two vertices with two edges each, in three sets. No program executes the set "other".
    CHECK(counts(branch) == std::vector<std::uint64_t>{3 + 1, 3 * 2 + 1, 2 * (3 * 2 + 1)});
    // If all replicas also run the set together, this set has the vertices of all replicas.
    for (const bool before : {true, false}) {
      const auto both =
          before ? GraphFixture::sequence({f.execute(cs), branch}) : GraphFixture::sequence({branch, f.execute(cs)});
      CHECK(counts(both) == std::vector<std::uint64_t>{4 + 1, 2 * 3 * 2 + 1, 2 * (2 * 3 * 2 + 1)});
    }
  }

  TEST_CASE("a host copy runs once per replica with its stream; a broadcast is read once and copied to the others") {
    Replicas f;
    const auto x = f.own("x", 4, 0), whole = f.onTile("whole", 4, 0);
    for (const char *handle : {"in", "in1", "in2", "once"}) {
      GraphStream stream;
      stream.handle = handle;
      stream.elements = 4;
      stream.split = kSplit;
      f.graph.streams.push(stream);
    }
    f.graph.streams[StreamId(0)].replicas = {StreamId(0), StreamId(1), StreamId(2)};
    f.graph.streams[StreamId(3)].broadcast = true;
    const auto read = [&](std::uint32_t stream, GraphVarId to) {
      auto p = GraphFixture::node(ProgramKind::StreamToTensor, "read");
      p->b = f.all(to);
      p->as<HostCopyArguments>().stream = StreamId(stream);
      return p;
    };
    const auto each = f.expand(read(0, x));
    REQUIRE(each->programs[0]->children.size() == 3);
    for (std::uint32_t k = 0; k != 3; ++k) {
      CHECK(each->programs[0]->children[k]->as<HostCopyArguments>().stream == StreamId(k));
      CHECK(varsOf(each->programs[0]->children[k]->b) == std::vector<GraphVarId>{f.replica(x, k)});
    }
    const auto once = f.expand(read(3, x));
    REQUIRE(once->programs[0]->children.size() == 2);
    CHECK(varsOf(once->programs[0]->children[0]->b) == std::vector<GraphVarId>{x});
    const ProgramNode &spread = *once->programs[0]->children[1];
    CHECK(spread.a.elements() == 8);
    CHECK(varsOf(spread.a) == std::vector<GraphVarId>{x, x});
    CHECK(varsOf(spread.b) == std::vector<GraphVarId>{f.replica(x, 1), f.replica(x, 2)});
    CHECK(contains(messageOf<poplar::control_program_error>([&] { (void)f.expand(read(0, whole)); }),
                   "stream \"in\" belongs to a replicated graph, the tensor to the whole graph"));
  }
}
