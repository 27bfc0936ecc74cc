#include "base/LargePages.hpp"

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

  TEST_CASE("more rows than memory has addresses for are refused") {
    LargePageAllocator<std::uint64_t> memory;
    CHECK_THROWS_AS((void)memory.allocate(~std::size_t(0) / 8), std::bad_alloc);
    CHECK_THROWS_AS((void)memory.allocate(~std::size_t(0) / 4), std::bad_alloc);
  }
}
