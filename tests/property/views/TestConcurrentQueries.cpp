// Several threads may call const members at the same time: many threads repeat the queries that one thread made before,
// on the same graph and tensors, and each gets the same answers. The thread sanitizer finds races in this test.
#include "tests/property/views/RandomViews.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

using namespace poplar;
using namespace view_tests;

namespace {

struct Answers {
  std::vector<std::vector<Interval>> regions, mapping;
  std::vector<Interval> contiguous;
  std::string text;
  bool operator==(const Answers &o) const {
    return regions == o.regions && mapping == o.mapping && contiguous == o.contiguous && text == o.text;
  }
};

Answers ask(const Graph &graph, const Tensor &t) {
  Answers a;
  const std::vector<Interval> all{Interval(0, t.numElements())};
  a.regions = graph.getSortedContiguousRegions(t.flatten(), all, true);
  a.mapping = graph.getTileMapping(t, false);
  a.contiguous = t.transpose().reverse(0).getContiguousRegions();
  const Target &target = graph.getTarget();
  a.text = t.getVarStr() + concat(t, t).shapeToString() + std::to_string(target.getNumTiles()) +
           std::to_string(target.getTypeSize(t.elementType())) + std::to_string(target.getVectorWidth(HALF)) +
           graph.findUnbroadcastTensor(t.broadcast(3, 0)).shapeToString();
  return a;
}

} // namespace

TEST_SUITE("property.views") {

  TEST_CASE("eight threads that ask the same graph get what one thread gets") {
    Graph graph(Target::createIPUTarget(1, 16, "ipu2"));
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < 24; ++i) {
      const Tensor t = graph.addVariable(FLOAT, {8 + i, 6}, VariableMappingMethod::LINEAR, "t" + std::to_string(i));
      tensors.push_back(i % 3 == 0 ? t : i % 3 == 1 ? t.slice(1, 5, 1) : concat(t, tensors[i - 2].slice(0, 6, 1)));
    }
    std::vector<Answers> expected;
    for (const Tensor &t : tensors)
      expected.push_back(ask(graph, t));
    std::atomic<unsigned> wrong{0}, asked{0};
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < 8; ++k)
      threads.emplace_back([&, k] {
        for (std::size_t round = 0; round < 3; ++round)
          for (std::size_t i = 0; i < tensors.size(); ++i) {
            const std::size_t at = (i * 5 + k) % tensors.size(); // every thread uses another order
            wrong += !(ask(graph, tensors[at]) == expected[at]);
            ++asked;
          }
      });
    for (std::thread &t : threads)
      t.join();
    CHECK(asked == 8 * 3 * tensors.size());
    CHECK(wrong == 0);
  }

  TEST_CASE("eight threads that reorder one tensor of many pieces in turn get what one does") {
    constexpr std::size_t kRows = 40, kColumns = 30; // 1,200 pieces
    Graph graph(Target::createCPUTarget());
    const Tensor memory = graph.addVariable(FLOAT, {kRows * kColumns});
    std::vector<Interval> pieces;
    for (std::size_t i = 0; i < kRows * kColumns; ++i)
      pieces.emplace_back(i, i + 1);
    std::shuffle(pieces.begin(), pieces.end(), std::mt19937(3));
    const Tensor flat = concat(memory.slices(pieces));
    const Tensor expected[] = {flat.reshape({kRows, kColumns}).transpose(),
                               flat.reshape({kRows, kColumns, 1}).dimShuffle({2, 1, 0})};
    const Tensor t = flat.reshape({kRows, kColumns}), deep = flat.reshape({kRows, kColumns, 1});
    std::atomic<unsigned> right{0};
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < 8; ++k)
      threads.emplace_back([&, k] {
        for (unsigned i = 0; i < 30; ++i) {
          right += t.transpose() == expected[0];
          right += deep.dimShuffle({2, 1, 0}) == expected[1];
          if ((i + k) % 3 == 0)
            right += deep.dimShuffle({0, 1, 2}) == deep;
          else
            ++right;
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    CHECK(right == 8 * 30 * 3);
  }

  TEST_CASE("eight threads that ask first what was mapped in no order get it") {
    constexpr std::size_t kElements = 20000, kTiles = 16;
    Graph graph(Target::createIPUTarget(1, kTiles, "ipu2"));
    const Tensor t = graph.addVariable(FLOAT, {kElements}, "t");
    Graph::TileToTensorMapping expected(kTiles);
    for (std::size_t i = 0; i < kElements; ++i) {
      graph.setTileMapping(t[i * 7919 % kElements], static_cast<unsigned>(i * 7919 % kElements % kTiles));
      expected[i % kTiles].emplace_back(i, i + 1);
    }
    std::atomic<unsigned> right{0};
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < 8; ++k)
      threads.emplace_back([&] { right += graph.getTileMapping(t) == expected; });
    for (std::thread &thread : threads)
      thread.join();
    CHECK(right == 8);
  }
}
