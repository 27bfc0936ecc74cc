// Regions of tensors in memory, and slices by regions.
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <ctime>
#include <map>
#include <random>
#include <sstream>

using namespace poplar;

namespace {
using Groups = std::vector<std::vector<Interval>>;

/// Returns the processor time of this thread, so that other work of the machine does not count.
double threadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double secondsFor(Graph &graph, std::size_t pieces) {
  std::vector<Tensor> parts;
  std::vector<Interval> intervals;
  for (std::size_t i = 0; i < pieces; ++i) {
    parts.push_back(graph.addVariable(FLOAT, {4})[0].expand({0}));
    intervals.emplace_back(i, i + 1);
  }
  const Tensor all = concat(parts);
  double best = 1e9; // the minimum of several attempts, because the machine does other work, too
  for (int i = 0; i < 5; ++i) {
    const double begin = threadSeconds();
    CHECK(all.slices(intervals).size() == pieces);
    best = std::min(best, threadSeconds() - begin);
  }
  return best;
}
} // namespace

TEST_SUITE("graph_api.regions") {

  TEST_CASE("no regions of a tensor are no groups; a region without elements is one empty group") {
    Graph graph(Target::createCPUTarget());
    const Tensor t = graph.addVariable(FLOAT, {8});
    std::vector<std::size_t> aliases{1, 2};
    CHECK(graph.getSortedContiguousRegions(t, {}).empty());
    CHECK(graph.getSortedContiguousRegions(t, {}, true).empty());
    CHECK(graph.getSortedContiguousRegions(t, {{3, 3}}, false, &aliases) == Groups{{}});
    CHECK(aliases.empty());
  }

  TEST_CASE("where there are no groups, the room of the first reads as an empty one") {
    Graph graph(Target::createCPUTarget());
    const Tensor t = graph.addVariable(FLOAT, {8});
    for (const bool removeAliases : {false, true}) {
      const auto none = graph.getSortedContiguousRegions(t, {}, removeAliases);
      REQUIRE(none.empty());
      REQUIRE(none.capacity() > 0);
      std::vector<unsigned char> room(sizeof(none[0]), 1);
      std::memcpy(room.data(), static_cast<const void *>(none.data()), room.size());
      CHECK(room == std::vector<unsigned char>(room.size(), 0)); // an empty vector of libstdc++ reads this memory
    }
  }

  TEST_CASE("a client that makes one vertex for one group makes none on tiles that hold nothing") {
    Graph graph(Target::createIPUTarget(1, 4, "ipu1"));
    const Tensor t = graph.addVariable(FLOAT, {6});
    graph.setTileMapping(t.slice(0, 3), 0);
    graph.setTileMapping(t.slice(3, 6), 2);
    const auto mapping = graph.getTileMapping(t);
    REQUIRE(mapping.size() == 4);
    std::vector<std::size_t> pieces;
    for (const auto &regions : mapping)
      if (graph.getSortedContiguousRegions(t, regions).size() == 1)
        pieces.push_back(concat(t.slices(regions)).numElements()); // throws if there is nothing to join
    CHECK(pieces == std::vector<std::size_t>{3, 3});
  }

  TEST_CASE("copies of memory that a broadcast makes are whole, one after the other") {
    Graph graph(Target::createCPUTarget());
    const Tensor v = graph.addVariable(HALF, {4, 3});
    const Tensor b =
        v.dimShuffle({1, 0}).expand({0}).broadcast(2, 0); // element (k, j, i) is v(i, j): position 12 k + 4 j + i
    std::vector<std::size_t> aliases;
    const std::vector<Interval> row1{{1, 2}, {5, 6}, {9, 10}, {13, 14}, {17, 18}, {21, 22}}; // v(1, 0 to 2), twice
    CHECK(graph.getSortedContiguousRegions(b, row1) ==
          Groups{{{1, 2}, {5, 6}, {9, 10}}, {{13, 14}, {17, 18}, {21, 22}}});
    CHECK(graph.getSortedContiguousRegions(b, row1, false, &aliases).size() == 2);
    CHECK(aliases == std::vector<std::size_t>{1, 5, 9, 1, 5, 9});
    CHECK(graph.getSortedContiguousRegions(b, row1, true) == Groups{{{1, 2}, {5, 6}, {9, 10}}});
    // Rows 0 and 3 do not touch. Each copy has both, in the order of memory, so that a tile's part of one copy stays
    // together (PopLibs' createSliceableTensorFromSlice orders a tensor by it).
    const std::vector<Interval> rows03{{0, 1}, {3, 5}, {7, 9}, {11, 13}, {15, 17}, {19, 21}, {23, 24}};
    CHECK(graph.getSortedContiguousRegions(b, rows03) == Groups{{{0, 1}, {4, 5}, {8, 9}},
                                                                {{3, 4}, {7, 8}, {11, 12}},
                                                                {{12, 13}, {16, 17}, {20, 21}},
                                                                {{15, 16}, {19, 20}, {23, 24}}});
    // The same for several variables.
    const Tensor w = graph.addVariable(HALF, {2});
    const Tensor both = concat(v.slice(0, 1).flatten(), w).expand({0}).broadcast(2, 0).flatten();
    CHECK(graph.getSortedContiguousRegions(both, {{0, 10}}) == Groups{{{0, 3}}, {{3, 5}}, {{5, 8}}, {{8, 10}}});
  }

  TEST_CASE("a scalar that is broadcast has one group a copy") {
    Graph graph(Target::createCPUTarget());
    const Tensor b = graph.addVariable(FLOAT, {1}).broadcast(3, 0);
    CHECK(graph.getSortedContiguousRegions(b, {{0, 3}}) == Groups{{{0, 1}}, {{1, 2}}, {{2, 3}}});
  }

  TEST_CASE("slices outside a tensor have a shape, and may not be used") {
    Graph graph(Target::createCPUTarget());
    const Tensor one = graph.addVariable(FLOAT, {1}, "one");
    const std::vector<std::vector<Interval>> regions{{{4, 6}, {8, 9}}, {{0, 1}}};
    const std::vector<Tensor> parts = one.slices(regions);
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].shape() == std::vector<std::size_t>{3});
    CHECK(parts[1] == one);
    const Tensor joined = concat(parts);
    CHECK(joined.numElements() == 4);
    CHECK(joined.elementType() == FLOAT);
    graph.setTileMapping(one, 0);
    graph.setTileMapping(parts[1], 0);
    for (const Tensor &t : {parts[0], joined, joined.reshape({2, 2})[0], joined.flatten().broadcast(2, 0)}) {
      CHECK_THROWS_AS(graph.setTileMapping(t, 0), index_error);
      CHECK_THROWS_AS((void)graph.getTileMapping(t), index_error);
      CHECK_THROWS_WITH_AS((void)t.getContiguousRegions(), doctest::Contains("[4,6) is not a range of dimension 0"),
                           index_error);
    }
    CHECK(one.slices(std::vector<Interval>{{2, 5}})[0].numElements() == 3);
    // a single slice is checked at once
    CHECK_THROWS_AS((void)one.slice(2, 5), index_error);
    CHECK_THROWS_AS((void)one.slices(std::vector<Interval>{{0, 1}}, 1), index_error); // no such dimension
    CHECK_THROWS_AS((void)one.slices(std::vector<unsigned>{1}), index_error);
  }

  TEST_CASE("groups of intervals select what slices that are joined select") {
    std::mt19937 random(7);
    const auto pick = [&](std::size_t low, std::size_t high) { return low + random() % (high - low + 1); };
    Graph graph(Target::createCPUTarget());
    for (int round = 0; round < 200; ++round) {
      Tensor t = graph.addVariable(FLOAT, {pick(1, 4), pick(1, 5), pick(1, 4)}).dimShuffle({2, 0, 1});
      if (round % 3 == 0)
        t = concat(t, t.reverse(1), 1);
      const unsigned dim = static_cast<unsigned>(pick(0, 2));
      std::vector<std::vector<Interval>> groups(pick(0, 3));
      for (auto &group : groups)
        for (std::size_t i = pick(0, 3); i > 0; --i) {
          const std::size_t begin = pick(0, t.dim(dim));
          group.emplace_back(begin, pick(begin, t.dim(dim)));
        }
      const std::vector<Tensor> fast = t.slices(groups, dim);
      REQUIRE(fast.size() == groups.size());
      for (std::size_t g = 0; g < groups.size(); ++g) {
        Tensor slow = t.slice(0, 0, dim);
        for (const Interval &i : groups[g])
          slow = concat(slow, t.slice(i, dim), dim);
        CHECK(fast[g] == slow);
      }
    }
  }

  TEST_CASE("slices of many pieces cost in proportion to their number") {
    Graph graph(Target::createCPUTarget());
    // With eight times as many pieces, the time grows by 8 if each piece is cut once, and by 64 if each slice visits
    // all pieces.
    const double small = secondsFor(graph, 2000), large = secondsFor(graph, 16000);
    CHECK(large < 30 * small);
  }

  TEST_CASE("a debug context is written as its path") {
    std::ostringstream out;
    out << DebugContext(DebugContext("outer"), "inner");
    CHECK(out.str() == "outer/inner");
  }

  TEST_CASE("a variable of a type without metadata takes none") {
    Graph graph(Target::createCPUTarget());
    const std::vector<std::size_t> shape{2, 3};
    CHECK(graph.addVariable(FLOAT, {}, shape, {"n"}).shape() == shape);
    CHECK(graph.addVariable(FLOAT, {}, shape).shape() == shape);
    CHECK(graph.addVariable(FLOAT, {}, shape, VariableMappingMethod::LINEAR, {"n"}).shape() == shape);
    CHECK(graph.addVariable(FLOAT, Tensor(), {4}, "n").shape() == std::vector<std::size_t>{4});
    CHECK(graph.addVariable(FLOAT, {}, {2, 2}, {"n"}).numElements() == 4);
    // A lone {} is still the shape of a scalar.
    CHECK(graph.addVariable(FLOAT, {}, "n").rank() == 0);
    CHECK(graph.addVariable(FLOAT, {}, {"n"}).rank() == 0);
    CHECK(graph.addVariable(FLOAT, {}, {}).rank() == 0);
    CHECK(graph.addVariable(FLOAT, {}).rank() == 0);
  }
}
