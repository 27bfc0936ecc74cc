#include "report/pop/TileBlocks.hpp"
#include "report/pop/PopFile.hpp"

#include <doctest/doctest.h>
#include <random>

using namespace popscope;

TEST_SUITE("report.pop") {
  TEST_CASE("packed numbers of every width come back, one by one and in blocks") {
    std::mt19937_64 random(3);
    for (unsigned bits = 0; bits <= 32; ++bits)
      for (const std::size_t tiles :
           {std::size_t(1), std::size_t(63), std::size_t(64), std::size_t(65), std::size_t(200)}) {
        CAPTURE(bits);
        CAPTURE(tiles);
        const std::uint64_t range = std::uint64_t(1) << bits;
        const auto base = static_cast<std::uint32_t>(random() % ((std::uint64_t(1) << 32) - range + 1));
        std::vector<std::uint32_t> numbers;
        for (std::size_t t = 0; t < tiles; ++t)
          numbers.push_back(base + static_cast<std::uint32_t>(random() % range));
        numbers.back() = base + static_cast<std::uint32_t>(range - 1);
        const std::string blob = packTiles(numbers);
        CHECK(unpackTiles(blob, tiles) == std::vector<std::uint64_t>(numbers.begin(), numbers.end()));
        for (std::size_t t = 0; t < tiles; ++t)
          REQUIRE(unpackTile(blob, tiles, t) == numbers[t]);
      }
  }

  TEST_CASE("a uniform block takes five bytes, and one of n bits 8 n more") {
    CHECK(packTiles(std::vector<std::uint32_t>(64, 70000)).size() == 5 + 5);
    std::vector<std::uint32_t> numbers(128, 5);
    numbers[64] = 5 + 7; // three bits
    CHECK(packTiles(numbers).size() == 5 + 2 * 5 + 24);
  }

  TEST_CASE("an unknown block reads as zeros, and one of more than 32 bits is refused") {
    BlockEncoder encoder;
    const std::uint32_t zero = 0;
    encoder.add(&zero, 1);
    encoder.add(&zero, 1);
    std::string blob = encoder.take();
    blob[1 + 4 + 1] = '\xFF'; // after codec and number of blocks, the widths: that of the second block
    CHECK(unpackTiles(blob, 65) == std::vector<std::uint64_t>(65, 0));
    std::string another = blob;
    another[1 + 4 + 2 + 4] = 7; // the smallest number of the second block: without a meaning if the block is unknown
    CHECK(unpackTiles(another, 65) == std::vector<std::uint64_t>(65, 0));
    CHECK(unpackTile(another, 65, 64) == 0);
    blob[1 + 4 + 1] = '\x21'; // 33 bits: neither a width nor unknown
    CHECK_THROWS_AS((void)unpackTiles(blob, 65), ProfileError);
  }

  TEST_CASE("a packed blob that is cut, longer or of another shape is refused, and changed bits stay in bounds") {
    std::mt19937_64 random(5);
    std::vector<std::uint32_t> numbers(300);
    for (auto &n : numbers)
      n = static_cast<std::uint32_t>(random() >> (random() % 32 + 32));
    const std::string blob = packTiles(numbers);
    CHECK_THROWS_AS((void)unpackTiles(blob, 320 + 1), ProfileError);
    CHECK_THROWS_AS((void)unpackTiles(blob, 256), ProfileError);
    CHECK_THROWS_AS((void)unpackTiles(blob + "x", 300), ProfileError);
    for (std::size_t size = 0; size < blob.size(); ++size)
      for (const std::size_t tile : {std::size_t(0), std::size_t(299)}) {
        CHECK_THROWS_AS((void)unpackTiles(blob.substr(0, size), 300), ProfileError);
        CHECK_THROWS_AS((void)unpackTile(blob.substr(0, size), 300, tile), ProfileError);
      }
    for (int i = 0; i < 2000; ++i) {
      std::string changed = blob;
      changed[random() % 40] ^= static_cast<char>(1u << random() % 8);
      try {
        const auto read = unpackTiles(changed, 300);
        CHECK(read.size() == 300);
      } catch (const ProfileError &) {
      }
    }
    std::string huge = blob;
    huge[1] = huge[2] = huge[3] = huge[4] = '\xFF';
    CHECK_THROWS_AS((void)unpackTiles(huge, 300), ProfileError);
  }
}
