// Compares joinTouches with a reference that sorts all touches and then marks each element of each access in a set.
#include "graph/lowering/JoinTouches.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace popscope;

namespace {

using Key = std::tuple<std::uint32_t, AccessKind, std::uint16_t>;
using Rows = std::map<Key, LargeTable<ElementRange>>;

struct Joined {
  LargeTable<Access> accesses;
  LargeTable<ElementRange> ranges;
};

Joined joined(const std::vector<Touch> &touches) {
  Joined out;
  out.accesses.push_back({VarId(0), AccessKind::Read, 0, 0, 1}); // an access of another step, which must not be joined
  out.ranges.push_back({0, 1});
  const std::uint32_t added = joinTouches(touches, out.accesses, out.ranges);
  CHECK(added + 1 == out.accesses.size());
  return out;
}

/// Checks the order of the accesses and that their ranges follow each other in the table.
Rows rowsOf(const Joined &table) {
  Rows rows;
  std::uint32_t at = 1;
  Key last{};
  for (std::size_t a = 1; a < table.accesses.size(); ++a) {
    const Access &access = table.accesses[a];
    const Key key{access.var.index(), access.kind, access.member};
    CHECK((a == 1 || last < key));
    last = key;
    REQUIRE(access.firstRange == at);
    REQUIRE(access.numRanges > 0);
    for (; at < access.firstRange + access.numRanges; ++at)
      rows[key].push_back(table.ranges.at(at));
  }
  CHECK(at == table.ranges.size());
  return rows;
}

Rows twin(const std::vector<Touch> &touches) {
  std::map<Key, std::set<std::uint64_t>> elements;
  for (const Touch &t : touches)
    for (std::uint64_t e = t.begin; e < t.end; ++e)
      elements[{t.var.index(), t.kind, t.member}].insert(e);
  Rows rows;
  for (const auto &[key, all] : elements)
    for (const std::uint64_t e : all)
      if (rows[key].empty() || rows[key].back().end != e)
        rows[key].push_back({e, e + 1});
      else
        rows[key].back().end += 1;
  return rows;
}

struct Shape {
  std::size_t touches;
  std::uint32_t vars, firstVar;
  std::uint64_t elements, longest;
  std::uint16_t members;
};

std::vector<Touch> randomTouches(std::mt19937 &random, const Shape &s) {
  std::vector<Touch> touches(s.touches);
  for (Touch &t : touches) {
    t.var = VarId(s.firstVar + static_cast<std::uint32_t>(random() % s.vars));
    t.kind = static_cast<AccessKind>(random() % 3);
    t.member = static_cast<std::uint16_t>(random() % s.members);
    t.begin = random() % s.elements;
    t.end = t.begin + random() % (s.longest + 1);
  }
  return touches;
}

} // namespace

TEST_SUITE("lowering.joinTouches") {
  TEST_CASE("ranges that touch are joined, those of other variables, kinds and members are not") {
    const std::vector<Touch> touches{{VarId(7), AccessKind::Write, 0, 4, 8}, {VarId(7), AccessKind::Write, 0, 0, 4},
                                     {VarId(7), AccessKind::Write, 0, 9, 9}, {VarId(7), AccessKind::Read, 0, 6, 7},
                                     {VarId(7), AccessKind::Write, 2, 8, 9}, {VarId(0), AccessKind::Read, 0, 1, 2}};
    const Rows rows = rowsOf(joined(touches));
    CHECK(rows == Rows{{{0, AccessKind::Read, 0}, {{1, 2}}},
                       {{7, AccessKind::Read, 0}, {{6, 7}}},
                       {{7, AccessKind::Write, 0}, {{0, 8}}},
                       {{7, AccessKind::Write, 2}, {{8, 9}}}});
  }

  TEST_CASE("nothing, and touches without elements, add nothing") {
    CHECK(rowsOf(joined({})).empty());
    CHECK(rowsOf(joined({{VarId(3), AccessKind::Read, 0, 5, 5}})).empty());
    CHECK(rowsOf(joined(std::vector<Touch>(100, {VarId(3), AccessKind::Read, 0, 5, 5}))).empty());
  }

  TEST_CASE("as a twin of sets says, for few and many touches, dense and sparse, short and long") {
    const std::vector<Shape> shapes{
        {20, 3, 5, 40, 9, 1},          // sorted at once
        {500, 1, 9, 1000, 3, 1},       // one variable, dense: bits
        {500, 1, 9, 64, 64, 1},        // words that are completely filled
        {300, 2, 0, 1000000, 5, 1},    // sparse: sorted
        {400, 3, 0, 2000, 1500, 1},    // long touches
        {600, 4, 100, 900, 7, 3},      // several members
        {200, 100000, 0, 50, 4, 1},    // more variables than touches
        {3000, 700, 12345, 130, 9, 1}, // many variables
        {1000, 1, 0, 1, 1, 1},         // one element
    };
    for (std::size_t s = 0; s < shapes.size(); ++s)
      for (unsigned seed = 0; seed < 12; ++seed) {
        CAPTURE(s);
        CAPTURE(seed);
        std::mt19937 random(seed);
        std::vector<Touch> touches = randomTouches(random, shapes[s]);
        if (seed % 3 == 1)
          for (Touch &t : touches)
            t.kind = AccessKind::Read;
        if (seed % 3 == 2)
          for (Touch &t : touches)
            t.begin += 1000003, t.end += 1000003; // not aligned to the border of a word
        CHECK(rowsOf(joined(touches)) == twin(touches));
      }
  }

  TEST_CASE("touches that are joined in blocks become the accesses that all of them together become") {
    std::mt19937 random(31);
    TouchBlocks blocks;
    std::vector<Touch> all;
    std::size_t most = 0;
    for (std::size_t i = 0; i != 2 * TouchBlocks::kMany + 5; ++i) {
      const std::uint64_t begin = i * 7919 % 3'000'000;
      const Touch touch{VarId(random() % 3), i % 2 == 0 ? AccessKind::Read : AccessKind::Write,
                        static_cast<std::uint16_t>(i % 5 == 0 ? 1 : 0), begin, begin + 1 + i % 3};
      all.push_back(touch);
      blocks.touches.push_back(touch);
      blocks.shrink();
      most = std::max(most, blocks.touches.size());
    }
    CHECK(most < all.size()); // some touches were joined early
    LargeTable<Access> accesses, expected;
    LargeTable<ElementRange> ranges, expectedRanges;
    REQUIRE(joinTouches(std::move(blocks.touches), accesses, ranges) ==
            joinTouches(std::move(all), expected, expectedRanges));
    REQUIRE(accesses.size() == expected.size());
    for (std::size_t i = 0; i != expected.size(); ++i) {
      REQUIRE(accesses[i].var == expected[i].var);
      REQUIRE(accesses[i].kind == expected[i].kind);
      REQUIRE(accesses[i].member == expected[i].member);
      REQUIRE(accesses[i].firstRange == expected[i].firstRange);
      REQUIRE(accesses[i].numRanges == expected[i].numRanges);
    }
    REQUIRE(ranges.size() == expectedRanges.size());
    bool same = true;
    for (std::size_t i = 0; i != expectedRanges.size(); ++i)
      same = same && ranges[i].begin == expectedRanges[i].begin && ranges[i].end == expectedRanges[i].end;
    CHECK(same);
  }
}
