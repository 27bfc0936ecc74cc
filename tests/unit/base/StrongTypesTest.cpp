#include "base/Ids.hpp"
#include "base/Units.hpp"
#include "graph/ir/Archive.hpp"

#include <concepts>
#include <doctest/doctest.h>
#include <type_traits>

using namespace popscope;

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};
template <class A, class B>
concept Growable = requires(A a, B b) {
  a += b;
};
template <class A, class B>
concept Multipliable = requires(A a, B b) {
  a *b;
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
// Narrow types have the size of their number, widen implicitly and narrow only through an explicit call.
static_assert(sizeof(Bytes32) == 4 && sizeof(Cycles32) == 4 && sizeof(Bytes) == 8);
static_assert(std::is_trivially_copyable_v<Bytes32> && std::is_trivially_copyable_v<Cycles>);
static_assert(std::convertible_to<Bytes32, Bytes> && !std::constructible_from<Bytes32, Bytes>);
static_assert(!std::constructible_from<Bytes32, std::uint64_t> && std::constructible_from<Bytes32, std::uint32_t>);
static_assert(std::same_as<decltype(Bytes32() + Bytes32()), Bytes> &&
              std::same_as<decltype(Bytes() + Bytes32()), Bytes>);
static_assert(std::same_as<decltype(narrow(Bytes())), Bytes32> && std::same_as<decltype(narrow(Cycles())), Cycles32>);
static_assert(!Addable<Bytes32, Cycles32> && !Addable<Bytes32, Cycles> && !Comparable<Bytes32, Cycles>);
static_assert(Comparable<Bytes32, Bytes> && Comparable<Bytes, Bytes32>);
static_assert(Growable<Bytes, Bytes32> && !Growable<Bytes32, Bytes32> && !Growable<Bytes32, Bytes>);
static_assert(std::same_as<decltype(Bytes() / Bytes32()), std::uint64_t> &&
              std::same_as<decltype(Bytes32() / 2), Bytes>);
static_assert(!Multipliable<Bytes, Bytes> && !Multipliable<Bytes, double> && Multipliable<Bytes32, int>);
static_assert(IndexableBy<IdVector<TileId, int>, TileId>);
static_assert(!IndexableBy<IdVector<TileId, int>, IpuId> && !IndexableBy<IdVector<TileId, int>, int>);

TEST_SUITE("base.types") {
  TEST_CASE("a default id is no valid id") {
    CHECK_FALSE(TileId().valid());
    CHECK(TileId(0).valid());
    CHECK(TileId() == TileId::invalid());
  }
  TEST_CASE("sums and products of narrow quantities go beyond 32 bits") {
    constexpr Bytes32 most(0xFFFFFFFFU);
    CHECK((most + most).count() == 0x1FFFFFFFEULL);
    CHECK((most * 3).count() == 0x2FFFFFFFDULL);
    CHECK((3 * most).count() == 0x2FFFFFFFDULL);
    Bytes sum;
    sum += most;
    sum += Bytes32(1);
    CHECK(sum.count() == std::uint64_t(1) << 32);
    CHECK(narrow(most + Bytes()) == most);
    CHECK(narrow(sum).count() == 0); // the caller must know that the value fits
  }
  TEST_CASE("differences, parts and remainders keep the unit; a ratio has none") {
    CHECK((Bytes32(3) - Bytes32(2)).count() == 1);
    CHECK((Cycles(100) / 8).count() == 12);
    CHECK(Cycles(100) / Cycles(8) == 12);
    CHECK((Bytes(10) % Bytes(4)).count() == 2);
    CHECK(Bytes32(7) < Bytes(8));
    CHECK(Bytes(8) == Bytes32(8));
    Bytes32 left(10);
    left -= Bytes32(4);
    CHECK(left.count() == 6);
  }
  TEST_CASE("offsets and sizes are multiples of a word or not") {
    CHECK(isMultiple(Bytes(), 4));
    CHECK(isMultiple(Bytes32(12), 4));
    CHECK_FALSE(isMultiple(Bytes(6), 4));
    CHECK(roundUp(Bytes(6), 4) == Bytes(8));
    CHECK(roundUp(Bytes(8), 4) == Bytes(8));
  }
  TEST_CASE("an archive holds a quantity as its number, narrow ones in 32 bits") {
    ArchiveWriter out;
    Bytes32 narrowOne(0x01020304);
    std::vector<Cycles> many{Cycles(5), Cycles(6)};
    transfer(out, narrowOne);
    transfer(out, many);
    CHECK(out.out == std::string("\4\3\2\1"
                                 "\2\0\0\0\0\0\0\0"
                                 "\5\0\0\0\0\0\0\0"
                                 "\6\0\0\0\0\0\0\0",
                                 28));
    ArchiveReader in(out.out);
    Bytes32 one;
    std::vector<Cycles> read;
    transfer(in, one);
    transfer(in, read);
    CHECK(one == narrowOne);
    CHECK(read == many);
  }
  TEST_CASE("numbers of elements take four bytes, and what is computed from them eight") {
    static_assert(sizeof(ElementNumber) == 4 && std::is_same_v<decltype(ElementNumber() * 2U), std::uint64_t>);
    const ElementNumber most = ElementNumber::kMost;
    CHECK(most + 1 == std::uint64_t(1) << 32);
    CHECK(most * 8 == (std::uint64_t(1) << 35) - 8);
    CHECK(ElementNumber(3) - ElementNumber(5) == ~std::uint64_t(1));
    ElementNumber grown = 5;
    grown += 2;
    CHECK(grown == 7);
    std::vector<ElementNumber> many{1, 2}, read;
    ArchiveWriter out;
    transfer(out, many);
    CHECK(out.out == std::string("\2\0\0\0\0\0\0\0"
                                 "\1\0\0\0"
                                 "\2\0\0\0",
                                 16));
    ArchiveReader in(out.out);
    transfer(in, read);
    CHECK(read == many);
  }
  TEST_CASE("sizes round up to any alignment") {
    CHECK(roundUp(0, 8) == 0);
    CHECK(roundUp(1, 8) == 8);
    CHECK(roundUp(16, 8) == 16);
    CHECK(roundUp(10, 6) == 12);
  }
}
