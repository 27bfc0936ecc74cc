#include "base/BitRanges.hpp"

#include <doctest/doctest.h>

#include <random>
#include <utility>

using namespace popscope;

namespace {
using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
Ranges rangesOf(const BitRanges &set) {
  Ranges found;
  set.each([&](std::uint64_t begin, std::uint64_t end) { found.emplace_back(begin, end); });
  return found;
}
} // namespace

TEST_SUITE("base.bit ranges") {

  TEST_CASE("ranges that touch or overlap are one, also across words and up to the limit") {
    BitRanges set;
    set.reset(200);
    CHECK(rangesOf(set).empty());
    set.add(60, 64);
    set.add(64, 70);
    set.add(3, 5);
    set.add(4, 9);
    set.add(199, 200);
    CHECK(rangesOf(set) == Ranges{{3, 9}, {60, 70}, {199, 200}});
    set.reset(128); // empty again
    set.add(0, 128);
    CHECK(rangesOf(set) == Ranges{{0, 128}});
    set.reset(0);
    CHECK(rangesOf(set).empty());
  }

  TEST_CASE("random ranges give what a flag a number gives") {
    std::mt19937 random(7);
    for (int round = 0; round != 300; ++round) {
      const std::uint64_t limit = 1 + random() % 400;
      std::vector<bool> flags(limit, false);
      BitRanges set;
      set.reset(limit);
      for (unsigned n = random() % 12; n != 0; --n) {
        const std::uint64_t begin = random() % limit, end = begin + 1 + random() % (limit - begin);
        set.add(begin, end);
        for (std::uint64_t i = begin; i != end; ++i)
          flags[i] = true;
      }
      Ranges expected;
      for (std::uint64_t i = 0; i != limit; ++i)
        if (flags[i] && !expected.empty() && expected.back().second == i)
          ++expected.back().second;
        else if (flags[i])
          expected.emplace_back(i, i + 1);
      REQUIRE(rangesOf(set) == expected);
    }
  }
}
