// Compares VertexTable with a simple reference of maps under random operations, and checks its size in memory.
#include "graph/ir/VertexTable.hpp"

#include "CountedHeap.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>

using namespace popscope;

namespace {

using Key = std::pair<std::uint16_t, std::uint32_t>;
using RunFacts = std::tuple<std::uint32_t, std::uint64_t, std::int64_t, std::uint64_t, bool>;
using Facts = std::vector<RunFacts>;

/// The expected contents of one vertex.
struct TwinVertex {
  int codelet = 0;
  ComputeSetId computeSet;
  TileId tile;
  SplitIndex split = 0;
  std::map<Key, Facts> edges;
  std::map<std::uint16_t, std::pair<std::uint64_t, std::vector<std::uint8_t>>> states;
  std::vector<std::pair<std::uint16_t, std::uint64_t>> sizes;
  std::map<Key, std::uint64_t> elementSizes;
  std::int64_t cycles = -1, flops = -1;
};

Facts factsOf(const RunList &runs) {
  Facts facts;
  for (const ViewRun &run : runs)
    if (run.count != 0)
      facts.emplace_back(run.var.index(), run.begin, run.count == 1 ? 1 : run.stride, run.count, run.ofWhole);
  return facts;
}

class TableTwin {
public:
  explicit TableTwin(unsigned seed) : random_(seed) {}
  VertexTable table;
  std::vector<TwinVertex> twins;

  std::uint64_t pick(std::uint64_t low, std::uint64_t high) {
    return std::uniform_int_distribution<std::uint64_t>(low, high)(random_);
  }
  void step() {
    if (twins.empty() || pick(0, 9) == 0)
      return add();
    const std::size_t at = pick(0, 2) == 0 ? twins.size() - 1 : pick(0, twins.size() - 1);
    const VertexId v = table.idAt(at);
    TwinVertex &twin = twins[at];
    switch (pick(0, 11)) {
    case 0: return setTile(v, twin);
    case 1: return setState(v, twin);
    case 2: return setSize(v, twin);
    case 3: return setElementSize(v, twin);
    case 4: return setEstimate(v, twin);
    case 5: return replace(v, twin);
    case 6: return addLike(v);
    default: connect(v, twin);
    }
  }
  void compare() const {
    REQUIRE(table.size() == twins.size());
    std::uint64_t edges = 0;
    for (std::size_t i = 0; i != twins.size(); ++i) {
      CAPTURE(i);
      compareVertex(table[table.idAt(i)], twins[i]);
      edges += twins[i].edges.size();
    }
    CHECK(table.numEdges() == edges);
  }

private:
  static void compareVertex(const GraphVertex &v, const TwinVertex &twin) {
    CHECK(v.codelet == twin.codelet);
    CHECK(v.computeSet == twin.computeSet);
    CHECK(v.tile == twin.tile);
    CHECK(v.split() == twin.split);
    CHECK(v.cycleEstimate() == twin.cycles);
    CHECK(v.flopEstimate() == twin.flops);
    std::map<Key, Facts> edges;
    std::vector<Key> order;
    for (const GraphEdge &edge : v.edges()) {
      edges[{edge.field, edge.subIndex}] = factsOf(edge.runs);
      order.emplace_back(edge.field, edge.subIndex);
    }
    CHECK(edges == twin.edges);
    CHECK(order.size() == twin.edges.size());
    CHECK(std::is_sorted(order.begin(), order.end()));
    for (const auto &[key, facts] : twin.edges) {
      REQUIRE(v.edge(key.first, key.second));
      CHECK(factsOf(v.edge(key.first, key.second)->runs) == facts);
      CHECK_FALSE((twin.edges.count({key.first, key.second + 1}) == 0 && v.edge(key.first, key.second + 1)));
      const auto ofField = std::count_if(twin.edges.begin(), twin.edges.end(),
                                         [field = key.first](const auto &edge) { return edge.first.first == field; });
      CHECK(v.edges(key.first).size() == static_cast<std::size_t>(ofField));
    }
    std::vector<std::pair<std::uint16_t, std::uint64_t>> sizes;
    for (const GraphFieldSize &size : v.fieldSizes())
      sizes.emplace_back(size.field, size.elements);
    CHECK(sizes == twin.sizes);
    std::size_t states = 0;
    for (const GraphState &state : v.states()) {
      const auto &expected = twin.states.at(state.field);
      CHECK(state.elements == expected.first);
      CHECK(std::vector<std::uint8_t>(state.bytes.begin(), state.bytes.end()) == expected.second);
      ++states;
    }
    CHECK(states == twin.states.size());
    CHECK(v.elementSizes().size() == twin.elementSizes.size());
    for (const auto &[key, elements] : twin.elementSizes)
      CHECK(v.elementSize(key.first, key.second) == elements);
  }

  std::uint16_t field() { return static_cast<std::uint16_t>(pick(0, 20) == 0 ? pick(1020, 1030) : pick(0, 5)); }
  std::uint32_t subIndex() {
    return static_cast<std::uint32_t>(pick(0, 20) == 0 ? pick((1 << 22) - 2, (1 << 22) + 2) : pick(0, 9));
  }
  std::vector<ViewRun> someRuns() {
    std::vector<ViewRun> runs;
    const std::uint64_t kind = pick(0, 7), n = kind == 0 ? 0 : kind == 1 ? pick(2, 4) : 1;
    for (std::uint64_t i = 0; i != n; ++i) {
      ViewRun run(GraphVarId(static_cast<std::uint32_t>(pick(0, 9))), pick(0, 100), 1, pick(0, 5));
      if (kind == 2)
        run.begin += std::uint64_t(1) << 32;
      if (kind == 3)
        run.count += std::uint64_t(1) << 32;
      if (kind == 4 || kind == 1)
        run.stride = static_cast<std::int64_t>(pick(0, 4)) - 2;
      run.ofWhole = kind == 5;
      runs.push_back(run);
    }
    return runs;
  }
  void add() {
    TwinVertex twin;
    twin.codelet = static_cast<int>(pick(0, 3) == 0 ? (1 << 20) - 1 : pick(0, 5));
    twin.computeSet = ComputeSetId(static_cast<std::uint32_t>(pick(0, 3)));
    twin.split = pick(0, 5) == 0 ? 2 : 0;
    CHECK(table.add(twin.codelet, twin.computeSet, twin.tile, twin.split) == table.idAt(twins.size()));
    twins.push_back(twin);
  }
  void addLike(VertexId of) {
    TwinVertex twin = twins[of.index()];
    twin.computeSet = ComputeSetId(7);
    twin.tile = TileId(9);
    twin.split = 0;
    CHECK(table.addLike(of, twin.computeSet, twin.tile) == table.idAt(twins.size()));
    twins.push_back(twin);
  }
  void connect(VertexId v, TwinVertex &twin) {
    const Key key{field(), subIndex()};
    const std::vector<ViewRun> runs = someRuns();
    const RunList list(runs.data(), runs.size());
    const bool fresh = twin.edges.emplace(key, factsOf(list)).second;
    CHECK(table.connect(v, key.first, key.second, list) == fresh);
  }
  void replace(VertexId v, TwinVertex &twin) {
    if (twin.edges.empty())
      return;
    const std::size_t n = pick(0, twin.edges.size() - 1);
    const std::vector<ViewRun> runs = someRuns();
    std::next(twin.edges.begin(), static_cast<std::ptrdiff_t>(n))->second = factsOf(RunList(runs.data(), runs.size()));
    table.replaceRuns(v, n, RunList(runs.data(), runs.size()));
  }
  void setTile(VertexId v, TwinVertex &twin) {
    twin.tile = TileId(static_cast<std::uint32_t>(pick(0, 100000)));
    table.setTile(v, twin.tile);
  }
  void setState(VertexId v, TwinVertex &twin) {
    const std::uint16_t f = field();
    auto &[elements, bytes] = twin.states[f];
    elements = pick(0, 20);
    bytes.resize(pick(0, 20), 0);
    const auto written = table.writeState(v, f, elements, bytes.size());
    CHECK(std::vector<std::uint8_t>(written.begin(), written.end()) == bytes);
    for (std::size_t i = 0; i < bytes.size(); i += pick(1, 4))
      written[i] = bytes[i] = static_cast<std::uint8_t>(pick(1, 255));
  }
  void setSize(VertexId v, TwinVertex &twin) {
    const std::uint16_t f = field();
    const std::uint64_t elements = pick(0, 100);
    const auto known = std::find_if(twin.sizes.begin(), twin.sizes.end(), [&](const auto &s) { return s.first == f; });
    if (known == twin.sizes.end())
      twin.sizes.emplace_back(f, elements);
    else
      known->second = elements;
    table.setFieldSize(v, f, elements);
  }
  void setElementSize(VertexId v, TwinVertex &twin) {
    const Key key{field(), subIndex()};
    twin.elementSizes[key] = pick(0, 100);
    table.setElementSize(v, key.first, key.second, twin.elementSizes[key]);
  }
  void setEstimate(VertexId v, TwinVertex &twin) {
    twin.cycles = static_cast<std::int64_t>(pick(0, 1000));
    twin.flops = static_cast<std::int64_t>(pick(0, 4)) - 1;
    table.setEstimate(v, twin.cycles, twin.flops);
  }

  std::mt19937 random_;
};

RunList runAt(ViewRun &run, std::uint32_t i) {
  run = ViewRun(GraphVarId(i % 7), i, 1, 4);
  return RunList(run);
}

constexpr std::uint32_t kVertices = 1 << 17;

} // namespace

TEST_SUITE("graph_ir.vertices") {

  TEST_CASE("a table says what an obvious twin says, whatever order everything comes in") {
    for (unsigned seed = 0; seed < 60; ++seed) {
      CAPTURE(seed);
      TableTwin both(seed);
      for (unsigned i = 0; i < 100 + seed * 20; ++i)
        both.step();
      both.compare();
      const VertexTable copy = both.table; // a copy is independent of the original
      const TableTwin before = both;
      for (unsigned i = 0; i < 200; ++i)
        both.step();
      both.compare();
      TableTwin unchanged = before;
      unchanged.table = copy;
      unchanged.compare();
    }
  }

  TEST_CASE("a vertex has as many edges as it wants, connected backwards and in turn with others") {
    VertexTable table;
    ViewRun run;
    for (int v = 0; v < 3; ++v)
      table.add(v, ComputeSetId(0));
    constexpr std::uint32_t kEdges = 6000; // more than one row of the table can count
    for (std::uint32_t i = kEdges; i-- > 0;)
      for (std::uint32_t v = 0; v < 3; ++v)
        REQUIRE(table.connect(VertexId(v), 1, i, runAt(run, i)));
    for (std::uint32_t v = 0; v < 3; ++v) {
      const EdgeRange edges = table[VertexId(v)].edges();
      REQUIRE(edges.size() == kEdges);
      for (std::uint32_t i = 0; i < kEdges; ++i) {
        CHECK(edges[i].subIndex == i);
        CHECK(edges[i].runs.front().begin == i);
      }
      CHECK(table[VertexId(v)].codelet == static_cast<int>(v));
      CHECK_FALSE(table.connect(VertexId(v), 1, 17, runAt(run, 17)));
    }
    CHECK(table.numEdges() == 3 * kEdges);
    CHECK(table.bytes() < 3 * 16 + 3 * kEdges * 16 * 3 / 2);
  }

  TEST_CASE("16 bytes per vertex and 16 an edge, the heap's own bytes counted") {
    const std::size_t before = heldBytes();
    VertexTable table;
    ViewRun run;
    for (std::uint32_t i = 0; i < kVertices; ++i) {
      const VertexId v = table.add(3, ComputeSetId(i % 5), TileId(i % 1472));
      for (std::uint16_t f = 0; f < 4; ++f)
        REQUIRE(table.connect(v, f, 0, runAt(run, i + f)));
    }
    CHECK(table.bytes() == kVertices * (16 + 4 * 16));
    CHECK(heldBytes() - before <= kVertices * (16 + 4 * 16) * 1.01);
  }

  TEST_CASE("edges that come field by field, for one vertex after the other, take 18.5 bytes") {
    const std::size_t before = heldBytes();
    VertexTable table;
    ViewRun run;
    for (std::uint32_t i = 0; i < kVertices; ++i)
      table.add(3, ComputeSetId(0));
    for (const std::uint16_t f : {2, 0, 3, 1})
      for (std::uint32_t i = 0; i < kVertices; ++i)
        REQUIRE(table.connect(VertexId(i), f, 0, runAt(run, i + f)));
    CHECK(heldBytes() - before <= kVertices * (16 + 4 * 18.5) * 1.01);
    for (std::uint32_t i = 0; i < kVertices; i += 1001)
      for (std::uint16_t f = 0; f < 4; ++f)
        CHECK(table[VertexId(i)].edges()[f].runs.front().begin == i + f);
  }

  TEST_CASE("what few vertices have costs the others nothing") {
    VertexTable table;
    for (std::uint32_t i = 0; i < 1000; ++i)
      table.add(0, ComputeSetId(0));
    CHECK(table.bytes() == 16 * 1000);
    table.setFieldSize(VertexId(0), 0, 3);
    table.setEstimate(VertexId(0), 5, 0);
    CHECK(table.bytes() == 16 * 1000 + 4 + 32 + 8);
  }

  TEST_CASE("a compute set lists its vertices in the order of addition") {
    VertexList list;
    CHECK(list.empty());
    CHECK(list.begin() == list.end());
    std::vector<std::uint32_t> expected{0, 1, 2, 7, 9, 10, 4, 5, 5, 0};
    for (const std::uint32_t v : expected)
      list.push_back(VertexId(v));
    std::vector<std::uint32_t> found;
    for (const VertexId v : list)
      found.push_back(v.index());
    CHECK(found == expected);
    CHECK(list.size() == expected.size());
  }
}
