// Compares chains of random view operations with the naive reference.
#include "graph/ir/ViewOps.hpp"
#include "graph/api/GraphAccess.hpp"
#include "tests/unit/graph_api/NaiveView.hpp"

#include <poplar/Graph.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

using namespace poplar;

namespace {

constexpr std::size_t kVarStep = std::size_t(1) << 23; // element identity = variable * kVarStep + offset

std::vector<std::size_t> elementsOf(const Tensor &t) {
  std::vector<std::size_t> elements;
  for (const popscope::ViewRun &run : popscope::viewOf(t).runs)
    for (std::uint64_t i = 0; i < run.count; ++i)
      elements.push_back(
          run.var.index() * kVarStep +
          static_cast<std::size_t>(static_cast<std::int64_t>(run.begin) + static_cast<std::int64_t>(i) * run.stride));
  return elements;
}

struct Pair {
  Tensor fast;
  NaiveView slow;
};

class RandomChain {
public:
  explicit RandomChain(unsigned seed) : random_(seed), graph_(Target::createCPUTarget()) {}

  Pair fresh(std::vector<std::size_t> shape) {
    Pair p;
    p.fast = graph_.addVariable(FLOAT, shape);
    p.slow = NaiveView::iota(shape, next_ * kVarStep);
    ++next_;
    return p;
  }
  Pair start() {
    std::vector<std::size_t> shape;
    const std::size_t rank = pick(1, 4);
    for (std::size_t i = 0; i < rank; ++i)
      shape.push_back(pick(1, 4));
    return fresh(shape);
  }
  std::size_t pick(std::size_t low, std::size_t high) {
    return std::uniform_int_distribution<std::size_t>(low, high)(random_);
  }
  /// Applies one random operation to both; keeps tensors small.
  Pair step(const Pair &p) {
    const auto &shape = p.slow.shape;
    if (shape.empty() || p.slow.elements.size() > 600)
      return {p.fast.flatten().slice(0, p.slow.elements.size() / 2 + p.slow.elements.size() % 2),
              NaiveView{{p.slow.elements.size() / 2 + p.slow.elements.size() % 2},
                        {p.slow.elements.begin(),
                         p.slow.elements.begin() +
                             static_cast<std::ptrdiff_t>(p.slow.elements.size() / 2 + p.slow.elements.size() % 2)}}};
    const std::size_t d = pick(0, shape.size() - 1);
    const auto dim = static_cast<unsigned>(d);
    auto newShape = shape;
    switch (pick(0, 9)) {
    case 0: {
      const std::size_t begin = pick(0, shape[d]), end = pick(begin, shape[d]);
      newShape[d] = end - begin;
      return {p.fast.slice(begin, end, dim), p.slow.map(newShape, [=](NaiveView::Index i) {
                i[d] += begin;
                return i;
              })};
    }
    case 1: {
      std::vector<unsigned> permutation(shape.size());
      std::iota(permutation.begin(), permutation.end(), 0u);
      std::shuffle(permutation.begin(), permutation.end(), random_);
      for (std::size_t i = 0; i < shape.size(); ++i)
        newShape[i] = shape[permutation[i]];
      return {p.fast.dimShuffle(permutation), p.slow.map(newShape, [=](NaiveView::Index i) {
                NaiveView::Index source(i.size());
                for (std::size_t k = 0; k < i.size(); ++k)
                  source[permutation[k]] = i[k];
                return source;
              })};
    }
    case 2:
      return {p.fast.reverse(dim), p.slow.map(newShape, [=](NaiveView::Index i) {
                i[d] = shape[d] - 1 - i[d];
                return i;
              })};
    case 3: {
      const std::size_t stride = pick(1, 3);
      newShape[d] = (shape[d] + stride - 1) / stride;
      return {p.fast.subSample(static_cast<unsigned>(stride), dim), p.slow.map(newShape, [=](NaiveView::Index i) {
                i[d] *= stride;
                return i;
              })};
    }
    case 4: {
      const std::size_t scale = pick(1, 3);
      newShape[d] *= scale;
      return {p.fast.upsample(static_cast<unsigned>(scale), dim, UpsampleMethod::REPEAT),
              p.slow.map(newShape, [=](NaiveView::Index i) {
                i[d] /= scale;
                return i;
              })};
    }
    case 5: {
      const std::size_t n = pick(1, 3);
      newShape[d] *= n;
      return {p.fast.broadcast(static_cast<unsigned>(n), dim), p.slow.map(newShape, [=](NaiveView::Index i) {
                i[d] %= shape[d];
                return i;
              })};
    }
    case 6: {
      const std::size_t end = pick(d, shape.size() - 1) + 1;
      NaiveView flat = p.slow;
      const std::size_t merged = NaiveView::product(
          {shape.begin() + static_cast<std::ptrdiff_t>(d), shape.begin() + static_cast<std::ptrdiff_t>(end)});
      flat.shape.erase(flat.shape.begin() + static_cast<std::ptrdiff_t>(d),
                       flat.shape.begin() + static_cast<std::ptrdiff_t>(end));
      flat.shape.insert(flat.shape.begin() + static_cast<std::ptrdiff_t>(d), merged);
      return {p.fast.flatten(dim, static_cast<unsigned>(end)), flat};
    }
    case 7: {
      Pair other = fresh(shape);
      newShape[d] *= 2;
      NaiveView joined{newShape, {}};
      const std::size_t row = NaiveView::product({shape.begin() + static_cast<std::ptrdiff_t>(d), shape.end()});
      for (std::size_t begin = 0; row > 0 && begin < p.slow.elements.size(); begin += row)
        for (const NaiveView *v : std::initializer_list<const NaiveView *>{&p.slow, &other.slow})
          joined.elements.insert(joined.elements.end(), v->elements.begin() + static_cast<std::ptrdiff_t>(begin),
                                 v->elements.begin() + static_cast<std::ptrdiff_t>(begin + row));
      return {concat(p.fast, other.fast, dim), joined};
    }
    case 8: {
      if (shape[0] == 0)
        return p;
      const std::size_t at = pick(0, shape[0] - 1);
      newShape.erase(newShape.begin());
      return {p.fast[at], p.slow.map(newShape, [=](NaiveView::Index i) {
                i.insert(i.begin(), at);
                return i;
              })};
    }
    default: {
      NaiveView expanded = p.slow;
      expanded.shape.insert(expanded.shape.begin() + static_cast<std::ptrdiff_t>(d), 1);
      return {p.fast.expand({d}), expanded};
    }
    }
  }
  Graph &graph() { return graph_; }

private:
  std::mt19937 random_;
  Graph graph_;
  unsigned next_ = 0;
};

void checkQuestions(const Pair &p) {
  const std::set<std::size_t> distinct(p.slow.elements.begin(), p.slow.elements.end());
  CHECK(p.fast.containsAliases() == (distinct.size() != p.slow.elements.size()));
  std::vector<Interval> regions;
  for (std::size_t i = 0; i < p.slow.elements.size(); ++i) {
    if (i > 0 && p.slow.elements[i] == p.slow.elements[i - 1] + 1)
      regions.back() = Interval(regions.back().begin(), i + 1);
    else
      regions.emplace_back(i, i + 1);
  }
  CHECK(p.fast.getContiguousRegions() == regions);
  CHECK(p.fast.isContiguous() == (regions.size() <= 1));
  std::vector<std::size_t> fromRegions;
  for (const VariableInterval &r : p.fast.getVarRegions())
    for (std::size_t e = r.interval.begin(); e < r.interval.end(); ++e)
      fromRegions.push_back(r.var.id * kVarStep + e);
  CHECK(fromRegions == p.slow.elements);
}

} // namespace

TEST_SUITE("graph_api.views") {

  TEST_CASE("chains of random view operations select what index arithmetic selects") {
    for (unsigned seed = 0; seed < 400; ++seed) {
      CAPTURE(seed);
      RandomChain chain(seed);
      Pair p = chain.start();
      for (int i = 0; i < 8; ++i) {
        p = chain.step(p);
        REQUIRE(p.fast.shape() == p.slow.shape);
        REQUIRE(elementsOf(p.fast) == p.slow.elements);
      }
      checkQuestions(p);
    }
  }

  TEST_CASE("two random views intersect exactly when they share an element") {
    unsigned hits = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
      CAPTURE(seed);
      RandomChain chain(seed + 1000);
      const Pair base = chain.fresh({4, 5, 3});
      Pair a = base, b = base;
      for (int i = 0; i < 4; ++i) {
        a = chain.step(a);
        b = chain.step(b);
      }
      const std::set<std::size_t> left(a.slow.elements.begin(), a.slow.elements.end());
      const bool shared =
          std::any_of(b.slow.elements.begin(), b.slow.elements.end(), [&](std::size_t e) { return left.count(e) > 0; });
      CHECK(a.fast.intersectsWith(b.fast) == shared);
      hits += shared;
      CHECK((a.fast == b.fast) == (a.slow.shape == b.slow.shape && a.slow.elements == b.slow.elements));
    }
    CHECK(hits > 20); // both answers must occur
    CHECK(hits < 190);
  }

  TEST_CASE("pieces at some positions are those of the whole view, cut to them") {
    std::size_t inside = 0; // intervals that begin and end within a piece
    for (unsigned seed = 0; seed < 200; ++seed) {
      CAPTURE(seed);
      RandomChain chain(seed + 2000);
      Pair p = chain.start();
      for (int i = 0; i < 6; ++i)
        p = chain.step(p);
      const popscope::View &view = popscope::viewOf(p.fast);
      const std::vector<popscope::ViewPiece> whole = popscope::contiguousPieces(view);
      for (int i = 0; i < 20; ++i) {
        const std::size_t begin = chain.pick(0, view.elements()), end = chain.pick(begin, view.elements());
        CAPTURE(begin);
        CAPTURE(end);
        popscope::PieceReader reader(view.runs, begin, end);
        for (const popscope::ViewPiece &piece : whole) {
          const std::size_t from = std::max<std::size_t>(begin, piece.position),
                            to = std::min<std::size_t>(end, piece.position + piece.count);
          if (from >= to)
            continue;
          const auto found = reader.next();
          REQUIRE(found);
          CHECK(found->var == piece.var);
          CHECK(found->position == from);
          CHECK(found->count == to - from);
          CHECK(found->begin == piece.begin + (from - piece.position));
          inside += piece.position < begin && end < piece.position + piece.count;
        }
        CHECK_FALSE(reader.next());
      }
    }
    CHECK(inside > 50); // such intervals must occur
  }

  TEST_CASE("what views of thousands of pieces touch, whether twice, and their order in memory") {
    constexpr std::size_t kVars = 3, kElements = 2500;
    unsigned aliased = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
      CAPTURE(seed);
      std::mt19937 random(seed);
      Graph graph(Target::createCPUTarget());
      std::vector<Tensor> vars;
      for (std::size_t v = 0; v < kVars; ++v)
        vars.push_back(graph.addVariable(FLOAT, {kElements}));
      std::vector<Tensor> parts;
      const bool far = seed % 4 == 3; // few elements of a wide range, for which tables are not used
      const Tensor wide = graph.addVariable(FLOAT, {std::size_t(1) << 22});
      for (std::size_t at = 0; at < kVars * kElements;) {
        const std::size_t v = at / kElements, e = at % kElements, count = std::min(1 + random() % 3, kElements - e);
        if (random() % 5 != 0) // some elements are in no view
          parts.push_back(far ? wide.slice(at * 500, at * 500 + 1) : vars[v].slice(e, e + count));
        at += count;
      }
      if (seed % 2 == 1)
        for (unsigned i = 0; i < 1 + seed % 7; ++i)
          parts.push_back(parts[random() % parts.size()]);
      std::shuffle(parts.begin(), parts.end(), random);
      const Tensor t = concat(parts);
      REQUIRE(popscope::viewOf(t).runs.numGroups() >= 1024);
      const std::vector<std::size_t> elements = elementsOf(t);
      const std::set<std::size_t> once(elements.begin(), elements.end());
      CHECK(t.containsAliases() == (once.size() != elements.size()));
      aliased += once.size() != elements.size();
      std::vector<std::size_t> touched;
      std::size_t before = 0;
      for (const popscope::VarInterval &i : popscope::joinedIntervals(popscope::viewOf(t))) {
        const std::size_t first = i.var.index() * kVarStep;
        CHECK((touched.empty() || first + i.begin > before)); // joined: there is a gap before each interval
        for (std::uint64_t e = i.begin; e < i.end; ++e)
          touched.push_back(first + e);
        before = first + i.end;
      }
      CHECK(touched == std::vector<std::size_t>(once.begin(), once.end()));

      Tensor sorted = t, positions = graph.addVariable(FLOAT, {t.numElements()});
      graph.reorderToSimplify(&sorted, {&positions}, false);
      const std::vector<std::size_t> order = elementsOf(positions), inMemory = elementsOf(sorted);
      REQUIRE(order.size() == elements.size());
      std::size_t misplaced = 0;
      std::vector<bool> seen(elements.size(), false);
      for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t position = order[i] % kVarStep;
        misplaced += elements[position] != inMemory[i] || seen[position];
        seen[position] = true;
      }
      if (once.size() == elements.size())
        CHECK(inMemory == std::vector<std::size_t>(once.begin(), once.end()));
      CHECK(misplaced == 0);
    }
    CHECK(aliased == 20);
  }

  TEST_CASE("a tensor of many pieces is reordered alike however often it is asked for") {
    constexpr std::size_t kRows = 12, kColumns = 10, kDepth = 9; // 1,080 pieces
    Graph graph(Target::createCPUTarget());
    const Tensor memory = graph.addVariable(FLOAT, {kRows * kColumns * kDepth});
    std::vector<std::size_t> order(memory.numElements());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::shuffle(order.begin(), order.end(), std::mt19937(7));
    std::vector<Interval> pieces;
    for (const std::size_t e : order)
      pieces.emplace_back(e, e + 1);
    const Tensor t = concat(memory.slices(pieces)).reshape({kRows, kColumns, kDepth});
    REQUIRE(popscope::viewOf(t).runs.numGroups() > 256);
    const auto ask = [&](const std::vector<unsigned> &permutation) {
      const std::size_t sizes[] = {kRows, kColumns, kDepth}, steps[] = {kColumns * kDepth, kDepth, 1};
      const unsigned a = permutation[0], b = permutation[1], c = permutation[2];
      const Tensor shuffled = t.dimShuffle({a, b, c});
      if (shuffled.shape() != std::vector<std::size_t>{sizes[a], sizes[b], sizes[c]})
        return false;
      std::vector<std::size_t> expected;
      for (std::size_t i = 0; i < sizes[a]; ++i)
        for (std::size_t j = 0; j < sizes[b]; ++j)
          for (std::size_t k = 0; k < sizes[c]; ++k)
            expected.push_back(order[i * steps[a] + j * steps[b] + k * steps[c]]);
      return elementsOf(shuffled) == expected;
    };
    std::vector<unsigned> permutation{0, 1, 2};
    do
      for (int again = 0; again < 3; ++again)
        CHECK(ask(permutation));
    while (std::next_permutation(permutation.begin(), permutation.end()));
  }

  TEST_CASE("equality does not depend on how the elements were cut into runs") {
    Graph graph(Target::createCPUTarget());
    const Tensor t = graph.addVariable(FLOAT, {4, 6});
    CHECK(concat(t.slice(0, 1), t.slice(1, 4)) == t);
    CHECK(t.transpose().transpose() == t);
    CHECK(t.reverse(0).reverse(0) == t);
    CHECK(t.transpose() != t);
    CHECK(t.flatten() != t);
    CHECK(t.flatten().isAliasOf(t));
  }

  TEST_CASE("a transposed matrix is one strided run a row") {
    Graph graph(Target::createCPUTarget());
    const Tensor t = graph.addVariable(FLOAT, {1000, 1000}).transpose();
    CHECK(popscope::viewOf(t).runs.size() == 1000);
    CHECK(popscope::viewOf(t.transpose()).runs.size() == 1);
    CHECK_FALSE(t.containsAliases());
  }

  TEST_CASE("columns of rows that are several pieces each are a handful of numbers") {
    // Rows of 7679 elements. A tile has the same 7 adjacent elements of every row: 1097 tiles; the last tile has no
    // block.
    Graph graph(Target::createCPUTarget());
    constexpr std::size_t Rows = 812, Blocks = 1097;
    const Tensor blocks = graph.addVariable(HALF, {Blocks, Rows, 7}).dimShuffle({1, 0, 2}).reshape({Rows, Blocks * 7});
    const Tensor rest = graph.addVariable(HALF, {Rows, 2});
    const Tensor rows = concat(blocks, rest, 1); // two pieces per row
    const Tensor columns = rows.transpose();
    CHECK(popscope::viewOf(rows).runs.numGroups() == 2 * Rows);
    CHECK(popscope::viewOf(columns).runs.numGroups() == 2);
    CHECK(columns.transpose() == rows);
    const Tensor part = columns.slice(7 * 5 + 3, 7 * 6 + 2); // begins and ends inside a block
    CHECK(part.transpose() == rows.slice(7 * 5 + 3, 7 * 6 + 2, 1));
    CHECK(columns[7 * 5 + 3][11] == rows[11][7 * 5 + 3]);
    CHECK(columns[Blocks * 7 + 1][811] == rest[811][1]);
    CHECK(rows.reverse(0).transpose() == columns.reverse(1));
    // A slice that begins within a block holds the rest of this block, then whole blocks.
    const Tensor later = rows.slice(3, Blocks * 7 + 2, 1);
    CHECK(later.transpose() == columns.slice(3, Blocks * 7 + 2));
    CHECK(popscope::viewOf(later.transpose()).runs.numGroups() <= 4);
  }

  TEST_CASE("a regular view of 67 million elements is a handful of numbers, whatever order it is in") {
    Graph graph(Target::createIPUTarget(1, 4, "ipu2"));
    constexpr std::size_t A = 64, B = 1024, C = 1024;
    const Tensor v = graph.addVariable(HALF, {A, B, C});
    const Tensor turned = v.dimShuffle({2, 0, 1}); // {C, A, B}
    const Tensor blocks = turned.reshape({C / 8, 8, A, B / 16, 16}).dimShuffle({1, 4, 0, 2, 3});
    const Tensor part = blocks.slice({1, 2, 3, 4, 5}, {8, 16, 128, 64, 64});
    const auto small = [](const Tensor &t) { return popscope::viewOf(t).runs.tableBytes() <= 250; };
    for (const Tensor &t : {turned, blocks, part, blocks.reverse(2), blocks.subSample(3, 2), blocks.flatten(),
                            turned.broadcast(2, 1), turned.upsample(4, 0, UpsampleMethod::REPEAT),
                            turned.reshape({C * A, B}).transpose(), concat(turned, turned, 0)})
      CHECK(small(t));
    CHECK(popscope::viewOf(blocks.dimShuffle({2, 0, 3, 4, 1}).reshape({C, A, B}).dimShuffle({1, 2, 0})).runs.size() ==
          1);
    const auto element = [](const Tensor &t, std::initializer_list<std::size_t> index) {
      return popscope::viewOf(t.index(std::vector<std::size_t>(index))).runs.front().begin;
    };
    CHECK(element(turned, {1000, 60, 900}) == (60 * B + 900) * C + 1000);
    CHECK(element(blocks, {7, 15, 100, 60, 62}) == (60 * B + 62 * 16 + 15) * C + 100 * 8 + 7);
    CHECK(element(part, {6, 13, 97, 56, 57}) == (60 * B + 62 * 16 + 15) * C + 100 * 8 + 7);
    CHECK(element(blocks.reverse(2), {7, 15, 27, 60, 62}) == element(blocks, {7, 15, 100, 60, 62}));
    CHECK_FALSE(blocks.containsAliases());
    CHECK(turned.broadcast(2, 1).containsAliases());
    CHECK(blocks.intersectsWith(v[63][1023]));
    CHECK_FALSE(part.intersectsWith(v[3]));
    graph.setTileMapping(blocks, 3); // a single range for all elements
    CHECK(graph.getTileMapping(v)[3] == std::vector<Interval>{{0, A * B * C}});
  }

  TEST_CASE("regions sorted by memory are contiguous runs and drop elements that occur twice") {
    Graph graph(Target::createCPUTarget());
    const Tensor v = graph.addVariable(FLOAT, {12});
    // positions 0-3: elements 8..11; 4-7: 0..3; 8-11: 2..5
    const Tensor t = concat({v.slice(8, 12), v.slice(0, 4), v.slice(2, 6)});
    std::vector<std::size_t> aliases;
    const auto all = graph.getSortedContiguousRegions(t, {{0, 12}});
    CHECK(all == std::vector<std::vector<Interval>>{{{4, 8}}, {{0, 4}}, {{8, 12}}}); // the second copy comes last
    const auto distinct = graph.getSortedContiguousRegions(t, {{0, 12}}, true, &aliases);
    CHECK(distinct == std::vector<std::vector<Interval>>{{{4, 8}, {10, 12}}, {{0, 4}}});
    CHECK(aliases == std::vector<std::size_t>{4, 10, 0}); // no remaining position is an alias
    const auto named = graph.getSortedContiguousRegions(t, {{0, 12}}, false, &aliases);
    CHECK(named == std::vector<std::vector<Interval>>{{{4, 8}}, {{0, 4}}, {{8, 10}, {10, 12}}});
    CHECK(aliases == std::vector<std::size_t>{4, 0, 6, 10}); // positions 8 and 9 have the memory of 6 and 7
  }

  TEST_CASE("a run continues past an alias in its middle, which comes after it") {
    Graph graph(Target::createCPUTarget());
    const Tensor v = graph.addVariable(FLOAT, {12});
    const Tensor t = concat({v.slice(0, 10), v.slice(5, 7), v.slice(10, 12)});
    const auto groups = graph.getSortedContiguousRegions(t, {{0, 14}});
    CHECK(groups == std::vector<std::vector<Interval>>{{{0, 10}, {12, 14}}, {{10, 12}}});
  }

  TEST_CASE("reorderToSimplify keeps which element belongs to which") {
    Graph graph(Target::createCPUTarget());
    const Tensor v = graph.addVariable(FLOAT, {3, 4});
    const Tensor w = graph.addVariable(FLOAT, {4, 3});
    Tensor a = v.transpose(), b = w;
    graph.reorderToSimplify(&a, {&b});
    CHECK(a == v.flatten());
    CHECK(b == w.transpose().flatten());
  }

  TEST_CASE("findUnbroadcastTensor undoes broadcasts and leaves other tensors alone") {
    Graph graph(Target::createCPUTarget());
    const Tensor v = graph.addVariable(FLOAT, {2, 3});
    CHECK(graph.findUnbroadcastTensor(v.broadcast(4, 0).broadcast(2, 1)) == v);
    CHECK(graph.findUnbroadcastTensor(v) == v);
    CHECK(graph.findUnbroadcastTensor(v.upsample(2, 1, UpsampleMethod::REPEAT)).shape() ==
          std::vector<std::size_t>{2, 6});
  }

  TEST_CASE(
      "views go through their variables alike where all pairs of elements are as far apart, whatever their runs") {
    std::mt19937 random(23);
    const auto below = [&](std::uint64_t n) { return random() % n; };
    unsigned alike = 0, different = 0;
    for (int round = 0; round != 2000; ++round) {
      // One list of elements, cut into different runs for each of the two views.
      std::vector<std::uint64_t> elements;
      for (std::uint64_t parts = 1 + below(4); parts != 0; --parts) {
        const std::uint64_t begin = 200 + below(100), count = 1 + below(9);
        const std::int64_t stride = static_cast<std::int64_t>(below(7)) - 3;
        for (std::uint64_t i = 0; i != count; ++i)
          elements.push_back(begin + static_cast<std::uint64_t>(stride * static_cast<std::int64_t>(i)));
      }
      const std::int64_t offset = static_cast<std::int64_t>(below(300)) - 150;
      std::vector<std::uint64_t> others;
      for (const std::uint64_t e : elements)
        others.push_back(e + static_cast<std::uint64_t>(offset));
      if (below(2) == 0)
        ++others[below(others.size())];
      const auto viewOf = [&](std::uint32_t var, const std::vector<std::uint64_t> &list) {
        popscope::RunBuilder runs;
        for (std::size_t i = 0; i != list.size();) {
          std::size_t end = i + 1;
          const std::int64_t stride =
              end == list.size() ? 1 : static_cast<std::int64_t>(list[end]) - static_cast<std::int64_t>(list[i]);
          while (end != list.size() && below(5) != 0 &&
                 static_cast<std::int64_t>(list[end]) - static_cast<std::int64_t>(list[end - 1]) == stride)
            ++end;
          runs.append({popscope::GraphVarId(var), list[i], stride, end - i});
          i = end;
        }
        return runs.take();
      };
      const popscope::ViewRuns one = viewOf(0, elements), other = viewOf(1, others);
      bool all = true;
      for (std::size_t i = 0; i != elements.size(); ++i)
        all = all && others[i] - elements[i] == others[0] - elements[0];
      const auto found = popscope::sameWalk(one, other);
      REQUIRE(found.has_value() == all);
      if (found) {
        REQUIRE(found->var == popscope::GraphVarId(1));
        REQUIRE(static_cast<std::uint64_t>(found->offset) == others[0] - elements[0]);
      }
      ++(all ? alike : different);
    }
    CHECK(alike > 500);
    CHECK(different > 500);
  }
}
