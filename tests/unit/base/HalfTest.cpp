#include "base/Half.hpp"

#include <poplar/Half.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>
#include <random>
#include <vector>

using namespace popscope;

namespace {

/// The naive reference: searches the nearest of all finite halves; ties go to the even pattern. A double represents the
/// value exactly.
std::uint16_t referenceHalf(double value) {
  const double magnitude = std::fabs(value);
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (magnitude >= 65520) // half-way from the largest half, 65504, to 65536, which would be next
    return sign | 0x7c00;
  std::uint16_t best = 0;
  double bestError = magnitude;
  int low = 0, high = 0x7bff; // the patterns of positive halves ascend with the value
  while (low < high) {
    const int middle = (low + high) / 2;
    if (halfToFloat(static_cast<std::uint16_t>(middle)) < magnitude)
      low = middle + 1;
    else
      high = middle;
  }
  for (int bits = std::max(0, low - 1); bits <= std::min(0x7bff, low + 1); ++bits) {
    const double error = std::fabs(halfToFloat(static_cast<std::uint16_t>(bits)) - magnitude);
    if (error < bestError || (error == bestError && bits % 2 == 0)) {
      best = static_cast<std::uint16_t>(bits);
      bestError = error;
    }
  }
  return sign | best;
}

} // namespace

TEST_SUITE("base.Half") {
  TEST_CASE("poplar::Half keeps the bits of a half, and rounds once") {
    CHECK(poplar::Half().getBits() == 0);
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      const auto half = poplar::Half::fromBits(static_cast<std::uint16_t>(bits));
      const float expected = halfToFloat(half.getBits());
      CHECK(half.getBits() == bits);
      CHECK((half == expected || (std::isnan(half) && std::isnan(expected))));
      if (!std::isnan(expected))
        CHECK(poplar::Half(expected).getBits() == bits);
    }
    for (const double value : {1.0, -1.5, 65519.0, 65520.0, 0x1p-25, 1 + 0x1p-11 + 0x1p-40, -1e9})
      CHECK(poplar::Half(value).getBits() == referenceHalf(value));
    CHECK(poplar::Half(1 + 0x1p-11 + 0x1p-40).getBits() == 0x3c01); // through float it would be 0x3c00
    CHECK(std::isnan(poplar::Half(std::nan(""))));
  }

  TEST_CASE("known values have their bit patterns") {
    const std::pair<float, std::uint16_t> table[] = {{0.0f, 0x0000},
                                                     {-0.0f, 0x8000},
                                                     {1.0f, 0x3c00},
                                                     {-2.0f, 0xc000},
                                                     {65504.0f, 0x7bff},
                                                     {0.5f, 0x3800},
                                                     {0x1p-14f, 0x0400},
                                                     {0x1p-24f, 0x0001},
                                                     {0x1.ff8p-15f, 0x03ff},
                                                     {0.333251953125f, 0x3555},
                                                     {std::numeric_limits<float>::infinity(), 0x7c00},
                                                     {-std::numeric_limits<float>::infinity(), 0xfc00}};
    for (const auto &[value, bits] : table) {
      CHECK(floatToHalf(value) == bits);
      CHECK(std::bit_cast<std::uint32_t>(halfToFloat(bits)) == std::bit_cast<std::uint32_t>(value));
    }
  }

  TEST_CASE("ties go to the even neighbour") {
    CHECK(floatToHalf(1 + 0x1p-11f) == 0x3c00);     // between 1 and the next
    CHECK(floatToHalf(1 + 3 * 0x1p-11f) == 0x3c02); // between the next two
    CHECK(floatToHalf(1 + 0x1.002p-11f) == 0x3c01); // a little above the middle
    CHECK(floatToHalf(0x1p-25f) == 0x0000);         // half of the smallest denormal
    CHECK(floatToHalf(0x1.000002p-25f) == 0x0001);
    CHECK(floatToHalf(3 * 0x1p-25f) == 0x0002);
    CHECK(floatToHalf(std::nextafter(65520.0f, 0.0f)) == 0x7bff);
    CHECK(floatToHalf(65520.0f) == 0x7c00);
    CHECK(floatToHalf(std::numeric_limits<float>::denorm_min()) == 0x0000);
    CHECK(floatToHalf(std::numeric_limits<float>::max()) == 0x7c00);
  }

  TEST_CASE("every half goes through float and double unchanged") {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const auto half = static_cast<std::uint16_t>(bits);
      const bool nan = (half & 0x7c00) == 0x7c00 && (half & 0x3ff) != 0;
      const std::uint16_t expected = nan ? half | 0x200 : half; // a signalling NaN becomes a quiet one
      REQUIRE(floatToHalf(halfToFloat(half)) == expected);
      if (!nan)
        REQUIRE(doubleToHalf(halfToFloat(half)) == expected);
    }
  }

  TEST_CASE("many halves are converted as one by one, NaN, denormals and what is left over included") {
    std::vector<std::uint16_t> all(0x10000);
    for (unsigned bits = 0; bits < all.size(); ++bits)
      all[bits] = static_cast<std::uint16_t>(bits);
    std::vector<float> floats(all.size());
    halvesToFloats(all.data(), floats.data(), all.size());
    for (unsigned bits = 0; bits < all.size(); ++bits)
      REQUIRE(std::bit_cast<std::uint32_t>(floats[bits]) == std::bit_cast<std::uint32_t>(halfToFloat(all[bits])));
    const std::uint32_t seed = 20240302;
    std::mt19937 random(seed);
    for (std::size_t n : {0U, 1U, 7U, 8U, 9U, 100003U}) {
      std::vector<float> from(n);
      for (std::size_t i = 0; i < n; ++i) { // any bits; each third near the range of halves
        auto bits = static_cast<std::uint32_t>(random());
        if (i % 3 == 0)
          bits = (bits & 0x807fffffU) | ((0x70U + static_cast<std::uint32_t>(random()) % 34U) << 23);
        from[i] = std::bit_cast<float>(bits);
      }
      std::vector<unsigned char> to(2 * n + 1);
      floatsToHalves(from.data(), to.data() + 1, n); // at an odd address
      for (std::size_t i = 0; i < n; ++i) {
        std::uint16_t half = 0;
        std::memcpy(&half, to.data() + 1 + 2 * i, sizeof half);
        REQUIRE_MESSAGE(half == floatToHalf(from[i]), "seed " << seed << " value " << from[i]);
      }
    }
  }

  TEST_CASE("a NaN stays a NaN even when its payload does not fit") {
    const float nan = std::bit_cast<float>(0x7f800001u);
    CHECK((floatToHalf(nan) & 0x7c00) == 0x7c00);
    CHECK((floatToHalf(nan) & 0x03ff) != 0);
    CHECK(std::isnan(halfToFloat(floatToHalf(nan))));
  }

  TEST_CASE("a double is rounded once") {
    // Just above the middle of 1 and its successor; as a float it is the middle, which would go down to even.
    const double value = 1 + 0x1p-11 + 0x1p-40;
    CHECK(doubleToHalf(value) == 0x3c01);
    CHECK(floatToHalf(static_cast<float>(value)) == 0x3c00);
  }

  TEST_CASE("random values round as a search over all halves does") {
    const std::uint32_t seed = 20240229;
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::uint32_t> exponent(127 - 27, 127 + 17), rest(0, 0x807fffff);
    for (int i = 0; i < 20000; ++i) {
      const float value = std::bit_cast<float>((rest(random) & 0x807fffffu) | (exponent(random) << 23));
      REQUIRE_MESSAGE(floatToHalf(value) == referenceHalf(value), "seed " << seed << " value " << value);
      REQUIRE(doubleToHalf(value) == referenceHalf(value));
    }
  }
}
