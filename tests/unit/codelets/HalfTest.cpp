#include <cmath>
#include <cstdint>
#include <doctest/doctest.h>
#include <poplar/IeeeHalf.hpp>

using poplar::IeeeHalf;

namespace {
/// Returns the value of a finite half by its definition.
double byDefinition(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}
} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("every half has the value of its definition and survives a round trip through float") {
  for (unsigned bits = 0; bits != 0x10000; ++bits) {
    if (((bits >> 10) & 31) == 31)
      continue;
    const IeeeHalf half = IeeeHalf::fromBits(static_cast<std::uint16_t>(bits));
    REQUIRE(double(float(half)) == byDefinition(static_cast<std::uint16_t>(bits)));
    REQUIRE(IeeeHalf(float(half)).bit16() == bits);
  }
}

TEST_CASE("a float between two halves rounds to the nearer, a tie to the even one") {
  for (unsigned bits = 0; bits != 0x7bff; ++bits) {
    const double low = byDefinition(static_cast<std::uint16_t>(bits)),
                 high = byDefinition(static_cast<std::uint16_t>(bits + 1));
    const float middle = static_cast<float>((low + high) / 2);
    REQUIRE(IeeeHalf(middle).bit16() == bits + (bits & 1u));
    REQUIRE(IeeeHalf(std::nextafter(middle, 1e9f)).bit16() == bits + 1);
    REQUIRE(IeeeHalf(std::nextafter(middle, 0.0f)).bit16() == bits);
  }
}

TEST_CASE("values beyond the largest half become infinity and NaN stays NaN") {
  CHECK(IeeeHalf(65519.0f).bit16() == 0x7bff);
  CHECK(IeeeHalf(65520.0f).bit16() == 0x7c00);
  CHECK(IeeeHalf(-1e30f).bit16() == 0xfc00);
  CHECK(std::isnan(float(IeeeHalf(NAN))));
}

TEST_SUITE_END();
