#include "base/TouchPages.hpp"

#include <algorithm>
#include <cstdint>
#include <doctest/doctest.h>
#include <utility>

using namespace popscope;

TEST_SUITE("base.LargePages") {
  TEST_CASE("a table keeps its rows as it grows from the heap to large pages, is copied and is moved") {
    LargeTable<std::uint32_t> table;
    constexpr std::uint32_t kRows = 3U << 20; // 12 MiB
    for (std::uint32_t i = 0; i < kRows; ++i)
      table.push_back(i ^ 0x5a5aU);
    REQUIRE(table.capacity() * sizeof(std::uint32_t) >= LargePageAllocator<std::uint32_t>::kFrom);
    CHECK(reinterpret_cast<std::uintptr_t>(table.data()) % (std::uintptr_t(2) << 20) == 0);
    const LargeTable<std::uint32_t> copy = table;
    const LargeTable<std::uint32_t> moved = std::move(table);
    CHECK(copy == moved);
    for (std::uint32_t i = 0; i < kRows; ++i)
      REQUIRE(moved[i] == (i ^ 0x5a5aU));
  }

  TEST_CASE("room that all threads touch is behind the rows, which stay") {
    for (const unsigned threads : {1U, 2U, 7U}) {
      LargeTable<std::uint32_t> small, large;
      for (std::uint32_t i = 0; i < 1000; ++i) {
        small.push_back(i);
        large.push_back(~i);
      }
      constexpr std::size_t kMore = 5000003; // neither a multiple of a page nor of a part
      TouchPages().behind(small, 0).behind(large, kMore).run(Threads{threads});
      CHECK(large.capacity() >= 1000 + kMore);
      const std::uint32_t *const rows = large.data();
      large.resize(1000 + kMore, 17);
      CHECK(large.data() == rows); // the capacity was sufficient
      CHECK(std::count(large.begin() + 1000, large.end(), 17U) == std::ptrdiff_t(kMore));
      for (std::uint32_t i = 0; i < 1000; ++i) {
        REQUIRE(small[i] == i);
        REQUIRE(large[i] == ~i);
      }
    }
  }

  TEST_CASE("a table that knows how many rows come moves once") {
    LargeTable<std::uint32_t> table;
    constexpr std::size_t kParts = 50, kRows = 40000;
    std::size_t moves = 0;
    for (std::size_t part = 1; part <= kParts; ++part) {
      const std::uint32_t *const before = table.data();
      TouchPages().behind(table, kRows, kRows + expectedRows(part * kRows, part, kParts - part)).run(Threads{2});
      moves += table.data() != before ? 1 : 0;
      table.resize(part * kRows, static_cast<std::uint32_t>(part));
    }
    CHECK(moves == 1);
    CHECK(expectedRows(7, 0, 3) == 0); // nothing is known
  }

  TEST_CASE("more rows than memory has addresses for are refused") {
    LargePageAllocator<std::uint64_t> memory;
    CHECK_THROWS_AS((void)memory.allocate(~std::size_t(0) / 8), std::bad_alloc);
    CHECK_THROWS_AS((void)memory.allocate(~std::size_t(0) / 4), std::bad_alloc);
  }
}
