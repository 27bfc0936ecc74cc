// Tile mappings: round trips compared with a reference per element, errors, virtual graphs.
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"

#include <poplar/Graph.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <sstream>

using namespace poplar;

namespace {
Graph ipuGraph(unsigned tiles, unsigned ipus = 1) { return Graph(Target::createIPUTarget(ipus, tiles, "ipu1")); }
using Mapping = Graph::TileToTensorMapping;
} // namespace

TEST_SUITE("graph_api.mapping") {

  TEST_CASE("a large variable that is mapped piece by piece in no order reads back as a table of its elements says") {
    constexpr std::size_t kElements = 30000, kTiles = 8;
    std::mt19937 random(11);
    for (const std::size_t longest : {1U, 4U, 40U}) {
      Graph graph = ipuGraph(kTiles);
      const Tensor t = graph.addVariable(FLOAT, {kElements});
      std::vector<unsigned> tileOf(kElements, kTiles); // the reference; kTiles = unmapped
      std::size_t reads = 0, waited = 0;
      for (std::size_t i = 0; i < kElements; ++i) {
        const std::size_t length = 1 + random() % longest, begin = random() % (kElements - length);
        const auto tile = static_cast<unsigned>(random() % kTiles);
        if (i % 3 == 0) {
          Mapping mapping(kTiles);
          mapping[tile].emplace_back(0, length);
          graph.setTileMapping(t.slice(begin, begin + length), mapping);
        } else {
          graph.setTileMapping(t.slice(begin, begin + length), tile);
        }
        std::fill_n(tileOf.begin() + static_cast<std::ptrdiff_t>(begin), length, tile);
        waited += popscope::GraphAccess::shared(graph)->mappedLater.any ? 1 : 0;
        if (random() % 2000 != 0 && i + 1 != kElements)
          continue;
        ++reads;
        const Mapping mapping = graph.getTileMapping(t, false);
        std::vector<unsigned> told(kElements, kTiles);
        for (unsigned of = 0; of < kTiles; ++of)
          for (const Interval &part : mapping[of])
            std::fill(told.begin() + static_cast<std::ptrdiff_t>(part.begin()),
                      told.begin() + static_cast<std::ptrdiff_t>(part.end()), of);
        REQUIRE(told == tileOf);
        const auto &ranges = popscope::irOf(graph).vars.raw()[0].mapping;
        for (std::size_t r = 1; r < ranges.size(); ++r)
          REQUIRE((ranges[r - 1].end < ranges[r].begin ||
                   (ranges[r - 1].end == ranges[r].begin && ranges[r - 1].tile != ranges[r].tile)));
      }
      CHECK(reads > 5);
      CHECK((longest == 40 || waited > 1000)); // the test must reach both cases
      const Tensor copy = graph.clone(t);
      CHECK(graph.getTileMapping(copy, false) == graph.getTileMapping(t, false));
    }
  }

  TEST_CASE("a clone, a file and a compiled program have what was mapped last") {
    Graph graph = ipuGraph(8);
    const Tensor t = graph.addVariable(FLOAT, {10000});
    const auto map = [&](unsigned first) {
      for (std::size_t i = 0; i < 10100; ++i) // some twice
        graph.setTileMapping(t[i * 7919 % 10000], static_cast<unsigned>(first + i * 7919 % 10000) % 8);
      REQUIRE(popscope::GraphAccess::shared(graph)->mappedLater.any);
    };
    map(0);
    Graph::TileToTensorMapping expected(8);
    for (std::size_t i = 0; i < 10000; ++i)
      expected[i % 8].emplace_back(i, i + 1);
    CHECK(graph.getTileMapping(graph.clone(t)) == expected);
    std::rotate(expected.rbegin(), expected.rbegin() + 1, expected.rend());
    map(1);
    std::stringstream file;
    graph.serializeTensors(file, {t}, SerializationFormat::Binary);
    Graph other = ipuGraph(8);
    CHECK(other.getTileMapping(other.deserializeTensors(file, SerializationFormat::Binary).front()) == expected);
    std::rotate(expected.rbegin(), expected.rbegin() + 1, expected.rend());
    map(2);
    const auto &mapping = popscope::irOf(graph).vars.raw()[0].mapping;
    CHECK(mapping.size() == 10000);
    CHECK(mapping[0].tile.index() == 2);
  }

  TEST_CASE("random mappings read back as a table of one tile an element says") {
    std::mt19937 random(7);
    const auto pick = [&](std::size_t low, std::size_t high) {
      return std::uniform_int_distribution<std::size_t>(low, high)(random);
    };
    for (int round = 0; round < 100; ++round) {
      CAPTURE(round);
      Graph graph = ipuGraph(8);
      const Tensor t = graph.addVariable(FLOAT, {6, 10});
      std::vector<int> tileOf(60, -1); // the reference
      for (int i = 0; i < 12; ++i) {
        const std::size_t r = pick(0, 5), c = pick(0, 9), rows = pick(1, 6 - r), cols = pick(1, 10 - c);
        const Tensor part = t.slice({r, c}, {r + rows, c + cols}).transpose();
        const std::size_t n = rows * cols, cut = pick(0, n);
        const auto first = static_cast<unsigned>(pick(0, 7)), second = static_cast<unsigned>(pick(0, 7));
        Mapping mapping(8);
        mapping[first].emplace_back(0, cut);
        mapping[second].emplace_back(cut, n);
        if (i % 3 == 0)
          graph.setTileMapping(part, first);
        else
          graph.setTileMapping(part, mapping);
        for (std::size_t k = 0; k < n; ++k) // element k of the transposed part
          tileOf[(r + k % rows) * 10 + c + k / rows] = static_cast<int>(i % 3 == 0 || k < cut ? first : second);
      }
      Mapping expected(8);
      bool complete = true;
      for (std::size_t e = 0; e < 60; ++e) {
        complete = complete && tileOf[e] >= 0;
        if (tileOf[e] < 0)
          continue;
        auto &of = expected[static_cast<std::size_t>(tileOf[e])];
        if (!of.empty() && of.back().end() == e)
          of.back() = Interval(of.back().begin(), e + 1);
        else
          of.emplace_back(e, e + 1);
      }
      bool isComplete = false;
      CHECK(graph.getTileMapping(t, &isComplete) == expected);
      CHECK(isComplete == complete);
      const auto &ranges = popscope::irOf(graph).vars.raw()[0].mapping;
      for (std::size_t i = 1; i < ranges.size(); ++i) {
        CHECK(ranges[i - 1].end <= ranges[i].begin);
        CHECK((ranges[i - 1].end < ranges[i].begin || ranges[i - 1].tile != ranges[i].tile));
      }
      // The mapping of a permuted view, applied to a new variable through the same view, equals the original's mapping.
      const Tensor copy = graph.addVariable(FLOAT, {6, 10});
      graph.setTileMapping(copy.transpose().reverse(0), graph.getTileMapping(t.transpose().reverse(0), false));
      CHECK(graph.getTileMapping(copy, false) == expected);
    }
  }

  TEST_CASE("LINEAR gives equal shares in order") {
    Graph graph = ipuGraph(4);
    const Tensor t = graph.addVariable(FLOAT, {10}, VariableMappingMethod::LINEAR);
    CHECK(graph.getTileMapping(t) == Mapping{{{0, 3}}, {{3, 6}}, {{6, 8}}, {{8, 10}}});
    const Tensor one = graph.addVariable(FLOAT, {}, VariableMappingMethod::LINEAR);
    CHECK(graph.getTileMapping(one) == Mapping{{{0, 1}}, {}, {}, {}});
  }

  TEST_CASE("a graph of one tile maps its variables and constants to that tile") {
    const auto isMapped = [](Graph &graph) {
      const Mapping all{{{0, 15}}};
      CHECK(graph.getTileMapping(graph.addVariable(INT, {3, 5}, "never mapped")) == all);
      CHECK(graph.getTileMapping(graph.addVariable(HALF, {15}, VariableMappingMethod::LINEAR)) == all);
      CHECK(graph.getTileMapping(graph.addConstant<float>(FLOAT, {5, 3}, 0.5F)) == all);
      CHECK(graph.getTileMapping(graph.clone(FLOAT, graph.addVariable(INT, {15}).slice(3, 9))) == Mapping{{{0, 6}}});
      CHECK(graph.getTileMapping(graph.addVariable(INT, {4, 0})) == Mapping{{}});
    };
    Graph host(Target::createCPUTarget());
    isMapped(host);
    Graph ipu = ipuGraph(1);
    isMapped(ipu);
    Graph four = ipuGraph(4);
    Graph third = four.createVirtualGraph(2, 3);
    isMapped(third);
    CHECK(four.getTileMapping(third.addVariable(FLOAT, {7}))[2] == std::vector<Interval>{{0, 7}});
    Graph two = ipuGraph(1, 2);
    Graph replica = two.createReplicatedGraph(2);
    isMapped(replica);
    const Tensor both = two.getNonReplicatedTensor(replica.addVariable(FLOAT, {7}));
    CHECK(two.getTileMapping(both) == Mapping{{{0, 7}}, {{7, 14}}});
    bool complete = true;
    CHECK(four.getTileMapping(four.addVariable(FLOAT, {1}), &complete) == Mapping(4)); // several tiles: the user maps
    CHECK_FALSE(complete);
  }

  TEST_CASE("an element that a view names more than once gets the last tile, as from one call after another") {
    Graph graph = ipuGraph(4), twin = ipuGraph(4);
    const Tensor t = graph.addVariable(FLOAT, {10}, "t"), u = twin.addVariable(FLOAT, {10}, "u");
    const auto twice = [](const Tensor &x) { return concat({x, x.slice(2, 8), x.slice(5, 6)}); };
    const Mapping mapping = {{{0, 4}, {14, 16}}, {{4, 9}, {16, 17}}, {{9, 12}}, {{12, 14}}};
    graph.setTileMapping(twice(t), mapping);
    for (unsigned tile = 0; tile != mapping.size(); ++tile)
      for (const Interval &interval : mapping[tile])
        for (std::size_t i = interval.begin(); i != interval.end(); ++i) // one element a call
          twin.setTileMapping(twice(u).slice(i, i + 1), tile);
    CHECK(graph.getTileMapping(t) == twin.getTileMapping(u));
    CHECK(graph.getTileMapping(t)[3] == std::vector<Interval>{{4, 6}});
  }

  TEST_CASE("mapping errors name the tile and the limit") {
    Graph graph = ipuGraph(4);
    const Tensor t = graph.addVariable(FLOAT, {10}, "t");
    try {
      graph.setTileMapping(t, 4);
      FAIL("tile 4 of 4 was accepted");
    } catch (const invalid_tile_mapping &e) {
      CHECK(std::string(e.what()).find("tile 4") != std::string::npos);
      CHECK(std::string(e.what()).find("4 tiles") != std::string::npos);
    }
    CHECK_THROWS_AS(graph.getTileMapping(t), invalid_tile_mapping);
    CHECK_NOTHROW(graph.getTileMapping(t, false));
    CHECK_THROWS_AS(graph.setTileMapping(t, Mapping{{{0, 11}}}), invalid_tile_mapping);
    CHECK_NOTHROW(graph.setTileMapping(t.broadcast(2, 0), 1));
    Graph other = ipuGraph(4);
    CHECK_THROWS_AS(other.setTileMapping(t, 0), poplar_error);
  }

  TEST_CASE("a broadcast view reports each of its elements") {
    Graph graph = ipuGraph(2);
    const Tensor t = graph.addVariable(FLOAT, {2});
    graph.setTileMapping(t, Mapping{{{0, 1}}, {{1, 2}}});
    CHECK(graph.getTileMapping(t.broadcast(2, 0)) == Mapping{{{0, 1}, {2, 3}}, {{1, 2}, {3, 4}}});
    CHECK(graph.getTileMapping(t.upsample(2, 0, UpsampleMethod::REPEAT)) == Mapping{{{0, 2}}, {{2, 4}}});
  }

  TEST_CASE("virtual graphs renumber tiles and share contents") {
    Graph graph = ipuGraph(4, 2);
    Graph upper = graph.createVirtualGraph(4, 8);
    CHECK(upper.getTarget().getNumTiles() == 4);
    const Tensor t = upper.addVariable(FLOAT, {3});
    upper.setTileMapping(t, 1);
    CHECK(graph.getTileMapping(t)[5] == std::vector<Interval>{{0, 3}});
    CHECK(upper.getTileMapping(t)[1] == std::vector<Interval>{{0, 3}});
    CHECK(upper.convertVirtualTileToPhysicalTile(1) == 5);
    CHECK(upper.convertPhysicalTileToVirtualTile(1, 2) == 2);
    CHECK_THROWS_AS(upper.convertPhysicalTileToVirtualTile(3), invalid_tile_mapping);
    Graph half = graph.createVirtualGraph(2);
    CHECK(half.getTarget().getNumTiles() == 4);
    CHECK(half.convertVirtualTileToPhysicalTile(2) == 4);
    CHECK_THROWS_AS(
        half.getTileMapping(graph.createVirtualGraph(6, 8).addVariable(FLOAT, {1}, VariableMappingMethod::LINEAR)),
        invalid_tile_mapping);
    Graph some = graph.createVirtualGraph(std::vector<unsigned>{3, 1});
    CHECK(some.convertVirtualTileToPhysicalTile(0) == 3);
    CHECK(some.convertVirtualTileToPhysicalTile(3) == 5);
    CHECK(some.createVirtualGraph(1, 2).convertVirtualTileToPhysicalTile(0) == 1);
    CHECK(some.getTopLevelGraph().getTarget().getNumTiles() == 8);
    CHECK_THROWS_AS(graph.createVirtualGraph(3, 9), invalid_tile_mapping);
  }
}
