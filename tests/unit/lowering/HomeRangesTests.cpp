// Compares sets of byte ranges of homes with a reference that handles one byte at a time.
#include "graph/lowering/HomeRanges.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <utility>

using namespace popscope;

namespace {

using Cells = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Cells cellsOf(const std::vector<HomeRange> &ranges) {
  Cells cells;
  for (const HomeRange &r : ranges)
    for (std::uint32_t b = r.begin.count(); b != r.end.count(); ++b)
      cells.emplace(r.home.index(), b);
  return cells;
}

struct RangesShape {
  const char *name;
  std::size_t ranges;
  std::uint32_t homes, homeStep, bytes, longest;
};

std::vector<HomeRange> randomRanges(const RangesShape &shape, std::mt19937 &random) {
  std::vector<HomeRange> ranges;
  for (std::size_t i = 0; i != shape.ranges; ++i) {
    const auto begin = static_cast<std::uint32_t>(random() % shape.bytes),
               count = static_cast<std::uint32_t>(random() % (shape.longest + 1));
    ranges.push_back(homeRange(HomeId(7 + static_cast<std::uint32_t>(random() % shape.homes) * shape.homeStep),
                               Bytes(begin), Bytes(count)));
  }
  return ranges;
}

} // namespace

TEST_SUITE("lowering.home ranges") {

  TEST_CASE("joined ranges are the same bytes, ascending, with gaps between them, however many there are") {
    const RangesShape shapes[] = {{"few", 200, 5, 1, 400, 9},
                                  {"many of some homes", 6000, 9, 1, 3000, 8},
                                  {"many of one home", 5000, 1, 1, 9000, 4},
                                  {"many that lie far apart", 5000, 3, 1, 4000000000U, 3},
                                  {"many of homes that are no neighbours", 5000, 40, 1000003, 200, 6}};
    std::mt19937 random(11);
    for (const RangesShape &shape : shapes) {
      CAPTURE(shape.name);
      std::vector<HomeRange> ranges = randomRanges(shape, random);
      const Cells cells = cellsOf(ranges);
      joinRanges(ranges);
      CHECK(cellsOf(ranges) == cells);
      std::size_t outOfOrder = 0;
      for (std::size_t i = 1; i < ranges.size(); ++i)
        outOfOrder += ranges[i - 1].home > ranges[i].home ||
                      (ranges[i - 1].home == ranges[i].home && ranges[i - 1].end >= ranges[i].begin);
      for (const HomeRange &r : ranges)
        outOfOrder += r.begin >= r.end;
      CHECK(outOfOrder == 0);
    }
  }

  TEST_CASE("a set meets exactly the ranges that share a byte with what was added") {
    std::mt19937 random(12);
    unsigned met = 0, asked = 0;
    for (unsigned round = 0; round != 60; ++round) {
      HomeRanges set;
      Cells cells;
      for (unsigned part = 0; part != 1 + round % 5; ++part) {
        std::vector<HomeRange> ranges = randomRanges({"", 1 + random() % 30, 4, 1, 2000, 6}, random);
        cells.merge(cellsOf(ranges));
        joinRanges(ranges);
        set.add(std::move(ranges));
      }
      for (unsigned i = 0; i != 20; ++i, ++asked) {
        std::vector<HomeRange> ranges = randomRanges({"", 1 + random() % 6, 4, 1, 2000, 6}, random);
        joinRanges(ranges);
        bool shared = false;
        for (const auto &cell : cellsOf(ranges))
          shared = shared || cells.count(cell) != 0;
        CHECK(set.meet(ranges) == shared);
        met += shared;
      }
    }
    CHECK(met > asked / 20); // both answers must occur
    CHECK(met < asked - asked / 20);
  }
}
