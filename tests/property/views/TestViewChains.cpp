// Compares random chains of all view operations, and the queries of views, with the naive reference.
#include "graph/api/GraphAccess.hpp"
#include "tests/property/views/RandomViews.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace poplar;
using namespace view_tests;

namespace {

std::vector<Interval> naiveRegions(const NaiveView &v) {
  std::vector<Interval> regions;
  for (std::size_t i = 0; i < v.elements.size(); ++i) {
    if (i > 0 && v.elements[i] == v.elements[i - 1] + 1)
      regions.back() = Interval(regions.back().begin(), i + 1);
    else
      regions.emplace_back(i, i + 1);
  }
  return regions;
}

void checkQuestions(const Pair &p) {
  const std::set<std::size_t> distinct(p.slow.elements.begin(), p.slow.elements.end());
  const bool aliases = distinct.size() != p.slow.elements.size();
  CHECK(p.fast.numElements() == p.slow.elements.size());
  CHECK(p.fast.rank() == p.slow.shape.size());
  CHECK(p.fast.containsAliases() == aliases);
  CHECK(p.fast.isParallelWriteable() == !aliases);
  CHECK_FALSE(p.fast.containsConstant());
  const std::vector<Interval> regions = naiveRegions(p.slow);
  CHECK(p.fast.getContiguousRegions() == regions);
  CHECK(p.fast.isContiguous() == (regions.size() <= 1));
  std::vector<std::size_t> fromRegions;
  for (const VariableInterval &r : p.fast.getVarRegions())
    for (std::size_t e = r.interval.begin(); e < r.interval.end(); ++e)
      fromRegions.push_back(r.var.id * kVarStep + e);
  CHECK(fromRegions == p.slow.elements);
}

// Checks that every requested position (or, without aliases, its element) is reported once, and that groups are runs of
// memory, in order.
void checkSortedRegions(RandomViews &chain, const Pair &p) {
  if (p.slow.elements.empty())
    return;
  std::vector<Interval> regions;
  for (std::size_t at = 0; at < p.slow.elements.size();) {
    const std::size_t end = at + chain.pick(1, p.slow.elements.size() - at);
    regions.emplace_back(at, end);
    at = end + chain.pick(0, 3);
  }
  std::vector<std::size_t> asked;
  for (const Interval &r : regions)
    for (std::size_t i = r.begin(); i < r.end(); ++i)
      asked.push_back(p.slow.elements[i]);
  std::vector<std::size_t> aliases;
  std::set<std::size_t> representatives;
  std::size_t interval = 0;
  for (const auto &group : chain.graph().getSortedContiguousRegions(p.fast, regions, false, &aliases))
    for (const Interval &r : group) {
      REQUIRE(interval < aliases.size());
      for (std::size_t i = 0; i < r.size(); ++i)
        CHECK(p.slow.elements[aliases[interval] + i] == p.slow.elements[r.begin() + i]);
      if (aliases[interval++] == r.begin())
        for (std::size_t i = r.begin(); i < r.end(); ++i)
          CHECK(representatives.insert(p.slow.elements[i]).second); // one place represents an element
    }
  CHECK(interval == aliases.size());
  CHECK(representatives == std::set<std::size_t>(asked.begin(), asked.end()));
  for (const bool removeAliases : {false, true}) {
    std::vector<std::size_t> found;
    // Contiguous memory is listed from its beginning. A copy of a part of it follows, with a beginning that is not past
    // its end.
    std::size_t before = 0, reached = 0;
    bool first = true;
    for (const auto &group : chain.graph().getSortedContiguousRegions(p.fast, regions, removeAliases)) {
      std::vector<std::size_t> run;
      for (const Interval &r : group)
        for (std::size_t i = r.begin(); i < r.end(); ++i)
          run.push_back(p.slow.elements[i]);
      REQUIRE(!run.empty());
      for (std::size_t i = 1; i < run.size(); ++i)
        CHECK(run[i] == run[i - 1] + 1);
      CHECK((first || run.front() >= before || (!removeAliases && run.front() < reached)));
      if (first || run.front() > reached)
        before = run.front();
      reached = std::max(reached, run.back() + 1);
      first = false;
      found.insert(found.end(), run.begin(), run.end());
    }
    std::vector<std::size_t> expected = asked;
    std::sort(expected.begin(), expected.end());
    if (removeAliases)
      expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    std::sort(found.begin(), found.end());
    CHECK(found == expected);
  }
}

} // namespace

TEST_SUITE("property.views") {

  TEST_CASE("chains of all view operations select what index arithmetic selects, and every operation occurs") {
    std::map<std::string, unsigned> done;
    unsigned empty = 0, scalar = 0;
    for (unsigned seed = 0; seed < 600; ++seed) {
      RandomViews chain(seed);
      Pair p = chain.start();
      for (int i = 0; i < 10; ++i) {
        p = chain.step(p);
        CAPTURE(seed);
        CAPTURE(p.history);
        REQUIRE(p.fast.shape() == p.slow.shape);
        REQUIRE(elementsOf(p.fast) == p.slow.elements);
        empty += p.slow.elements.empty();
        scalar += p.slow.shape.empty();
      }
      CAPTURE(seed);
      CAPTURE(p.history);
      checkQuestions(p);
      checkSortedRegions(chain, p);
      for (std::size_t i = 0; i < chain.counts.size(); ++i)
        done[RandomViews::operations()[i]] += chain.counts[i];
    }
    for (const auto &operation : done) {
      CAPTURE(operation.first);
      CHECK(operation.second >= 20);
    }
    CHECK(empty >= 100);
    CHECK(scalar >= 50);
  }

  TEST_CASE(
      "chains on tensors of thousands of elements, whose runs are grouped, select what index arithmetic selects") {
    std::map<std::size_t, unsigned> withLevels; // groups by the number of their levels
    unsigned intersecting = 0, apart = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
      RandomViews chain(seed);
      chain.mostElements = 4000;
      std::vector<std::size_t> shape;
      for (std::size_t rank = chain.pick(3, 5); rank > 0; --rank)
        shape.push_back(chain.pick(2, rank < 3 ? 9 : 5));
      const Pair whole = chain.start(shape);
      Pair p = whole, other = whole;
      for (int i = 0; i < 14; ++i) {
        p = chain.step(p);
        CAPTURE(seed);
        CAPTURE(p.history);
        REQUIRE(p.fast.shape() == p.slow.shape);
        REQUIRE(elementsOf(p.fast) == p.slow.elements);
        const popscope::ViewRuns &runs = popscope::viewOf(p.fast).runs;
        CHECK(runs.elements() == p.slow.elements.size());
        CHECK(runs.size() == static_cast<std::uint64_t>(std::distance(runs.begin(), runs.end())));
        for (std::size_t g = 0; g != runs.numGroups(); ++g)
          ++withLevels[runs.group(g).numLevels];
      }
      checkQuestions(p);
      checkSortedRegions(chain, p);
      for (int i = 0; i < 4; ++i) { // a second view of the same variable
        other = chain.step(other);
        const std::set<std::size_t> touched(other.slow.elements.begin(), other.slow.elements.end());
        const bool common = std::any_of(p.slow.elements.begin(), p.slow.elements.end(),
                                        [&](std::size_t e) { return touched.count(e) != 0; });
        CAPTURE(seed);
        CAPTURE(other.history);
        CHECK(p.fast.intersectsWith(other.fast) == common);
        CHECK(other.fast.intersectsWith(p.fast) == common);
        ++(common ? intersecting : apart);
      }
    }
    for (const std::size_t levels : {0, 1, 2, 3})
      CHECK(withLevels[levels] >= 100);
    CHECK(intersecting >= 50);
    CHECK(apart >= 50);
  }

  TEST_CASE("a tile mapping set through any view without aliases is read back through any other") {
    for (unsigned seed = 0; seed < 150; ++seed) {
      CAPTURE(seed);
      RandomViews chain(seed);
      Graph graph(Target::createIPUTarget(1, 8, "ipu2"));
      const Tensor whole = graph.addVariable(FLOAT, {4, 6, 2}, "whole");
      graph.setTileMapping(whole, 7);
      std::vector<unsigned> tileOf(whole.numElements(), 7);
      for (int round = 0; round < 4; ++round) {
        const auto d = static_cast<unsigned>(chain.pick(0, 2));
        const std::size_t begin = chain.pick(0, whole.dim(d)), end = chain.pick(begin, whole.dim(d));
        const Tensor part = whole.slice(begin, end, d).reverse(d).dimRoll(d);
        Graph::TileToTensorMapping mapping(8);
        std::size_t position = 0;
        for (const Interval &r : part.getContiguousRegions())
          mapping[chain.pick(0, 7)].push_back(r);
        graph.setTileMapping(part, mapping);
        std::vector<unsigned> byPosition(part.numElements());
        for (unsigned tile = 0; tile < 8; ++tile)
          for (const Interval &r : mapping[tile])
            for (std::size_t i = r.begin(); i < r.end(); ++i)
              byPosition[i] = tile;
        for (const VariableInterval &r : part.getVarRegions())
          for (std::size_t e = r.interval.begin(); e < r.interval.end(); ++e)
            tileOf[e] = byPosition[position++];
      }
      const Tensor view = whole.dimShuffle({2, 0, 1}).flatten();
      const std::vector<std::size_t> elements = elementsOf(view);
      const auto mapping = graph.getTileMapping(view);
      for (unsigned tile = 0; tile < mapping.size(); ++tile)
        for (const Interval &r : mapping[tile])
          for (std::size_t i = r.begin(); i < r.end(); ++i)
            CHECK(tileOf[elements[i]] == tile);
    }
  }
}
