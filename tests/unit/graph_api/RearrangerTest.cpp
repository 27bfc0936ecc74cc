// Rearrangers by their definition: each element of the rearranged tensor is one element of the tensor, and undoing
// restores the order.
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>

#include <doctest/doctest.h>

using namespace poplar;

namespace {

std::vector<std::size_t> elementsOfRegions(const Tensor &t) {
  std::vector<std::size_t> elements;
  for (const VariableInterval &region : t.getVarRegions())
    for (std::size_t e = region.interval.begin(); e != region.interval.end(); ++e)
      elements.push_back(std::size_t(region.var.id) * 1000 + e);
  return elements;
}

std::vector<std::size_t> positionsIn(const std::vector<Interval> &intervals) {
  std::vector<std::size_t> positions;
  for (const Interval &interval : intervals)
    for (std::size_t p = interval.begin(); p != interval.end(); ++p)
      positions.push_back(p);
  return positions;
}

} // namespace

TEST_SUITE("graph.rearranger") {

  TEST_CASE("a rearranger brings a tensor into the order of memory, and back") {
    Graph graph;
    const Tensor a = graph.addVariable(FLOAT, {4, 6}, "a"), b = graph.addVariable(FLOAT, {5}, "b");
    for (const Tensor &t : {a.transpose().flatten(), concat(b.reverse(0), a.transpose().flatten().slice(3, 20)),
                            concat(a[1], a[0]), b.slice(2, 2), b}) {
      const TensorRearranger rearranger = graph.getSimplifyingRearranger(t);
      CHECK(rearranger.valid());
      const Tensor simple = rearranger.rearrange(t);
      Tensor expected = t;
      graph.reorderToSimplify(&expected, {});
      CHECK(elementsOfRegions(simple) == elementsOfRegions(expected));
      CHECK(elementsOfRegions(rearranger.undoRearrangement(simple)) == elementsOfRegions(t));
      // The intervals name the same elements, one after the other.
      const std::vector<std::size_t> before = elementsOfRegions(t), behind = elementsOfRegions(simple);
      for (std::size_t begin = 0; begin <= before.size(); ++begin)
        for (std::size_t end = begin; end <= before.size(); end += 3) {
          const auto moved = positionsIn(rearranger.rearrange({Interval(begin, end)}));
          REQUIRE(moved.size() == end - begin);
          for (std::size_t i = begin; i != end; ++i)
            CHECK(behind[moved[i - begin]] == before[i]);
          const auto back = positionsIn(rearranger.undoRearrangement({Interval(begin, end)}));
          REQUIRE(back.size() == end - begin);
          for (std::size_t i = begin; i != end; ++i)
            CHECK(before[back[i - begin]] == behind[i]);
        }
    }
  }

  TEST_CASE("another tensor follows the order of the first") {
    Graph graph;
    const Tensor a = graph.addVariable(FLOAT, {2, 3}, "a"), b = graph.addVariable(FLOAT, {6}, "b");
    const TensorRearranger rearranger = graph.getSimplifyingRearranger(a.transpose());
    CHECK(elementsOfRegions(rearranger.rearrange(b)) == elementsOfRegions(b.reshape({3, 2}).transpose().flatten()));
    CHECK(elementsOfRegions(rearranger.undoRearrangement(b)) ==
          elementsOfRegions(b.reshape({2, 3}).transpose().flatten()));
  }

  TEST_CASE("what does not fit is refused") {
    Graph graph;
    const Tensor a = graph.addVariable(FLOAT, {6}, "a");
    const TensorRearranger rearranger = graph.getSimplifyingRearranger(a);
    CHECK_THROWS_AS(rearranger.rearrange(a.slice(0, 5)), poplar_error);
    CHECK_THROWS_AS(rearranger.rearrange({Interval(3, 7)}), index_error);
    CHECK_FALSE(TensorRearranger().valid());
    CHECK_THROWS_AS(TensorRearranger().rearrange(a), poplar_error);
  }
}
