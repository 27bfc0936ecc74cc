#include "base/Ids.hpp"
#include "base/Units.hpp"

#include <concepts>
#include <doctest/doctest.h>

using namespace popscope;

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};
template <class V, class I>
concept IndexableBy = requires(V v, I i) {
  v[i];
};

static_assert(Addable<Bytes, Bytes> && Addable<Cycles, Cycles>);
static_assert(!Addable<Bytes, Cycles> && !Addable<Bytes, int> && !Addable<TileId, TileId> && !Addable<TileId, int>);
static_assert(!Comparable<Bytes, Cycles> && !Comparable<TileId, IpuId> && Comparable<TileId, TileId>);
static_assert(!std::convertible_to<int, TileId> && !std::convertible_to<TileId, unsigned>);
static_assert(!std::convertible_to<int, Bytes> && !std::convertible_to<Bytes, std::uint64_t>);
static_assert(!std::convertible_to<Bytes, Cycles> && !std::constructible_from<Bytes, Cycles>);
static_assert(IndexableBy<IdVector<TileId, int>, TileId>);
static_assert(!IndexableBy<IdVector<TileId, int>, IpuId> && !IndexableBy<IdVector<TileId, int>, int>);

TEST_SUITE("base.types") {
  TEST_CASE("a default id is no valid id") {
    CHECK_FALSE(TileId().valid());
    CHECK(TileId(0).valid());
    CHECK(TileId() == TileId::invalid());
  }
  TEST_CASE("sizes round up to any alignment") {
    CHECK(roundUp(0, 8) == 0);
    CHECK(roundUp(1, 8) == 8);
    CHECK(roundUp(16, 8) == 16);
    CHECK(roundUp(10, 6) == 12);
  }
}
