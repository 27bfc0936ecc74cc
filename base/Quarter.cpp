#include "base/Quarter.hpp"

#include <poplar/exceptions.hpp>

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <ostream>

namespace popscope {
namespace {

struct Layout {
  int mantissaBits, bias, maxExponent; // maxExponent: exponent of the largest value
};
Layout layoutOf(poplar::QuarterMetadata::Format format) {
  return format == poplar::QuarterMetadata::Format::F143 ? Layout{3, 8, 7} : Layout{2, 16, 15};
}
constexpr std::uint8_t kNaN = 0x80;

} // namespace

std::uint8_t doubleToQuarter(double value, const poplar::QuarterMetadata &metadata, QuarterOverflow onOverflow) {
  if (std::isnan(value))
    return kNaN;
  const Layout layout = layoutOf(metadata.getFormat());
  const std::uint8_t sign = std::signbit(value) ? 0x80 : 0;
  const std::uint8_t overflow = onOverflow == QuarterOverflow::NaN ? kNaN : static_cast<std::uint8_t>(sign | 0x7f);
  const double magnitude = std::ldexp(std::fabs(value), -metadata.getScale());
  if (std::isinf(magnitude))
    return overflow; // the value is infinite, or the scale made it infinite
  if (magnitude == 0)
    return 0;
  int exponent = std::ilogb(magnitude);
  exponent = std::max(exponent, 1 - layout.bias); // smaller values are denormals: their spacing is the spacing of the
                                                  // smallest normals
  // Units of the last place; nearbyint rounds to nearest even in the default mode.
  const double units = std::nearbyint(std::ldexp(magnitude, layout.mantissaBits - exponent));
  const double rounded = std::ldexp(units, exponent - layout.mantissaBits);
  const double largest = std::ldexp(2.0 - std::ldexp(1.0, -layout.mantissaBits), layout.maxExponent);
  if (rounded > largest)
    return overflow;
  if (rounded == 0)
    return 0; // the format has no negative zero
  // Bit patterns ascend with the values, so a carry out of the mantissa moves into the exponent.
  const int first = (exponent + layout.bias) << layout.mantissaBits;
  const int bits = first - (1 << layout.mantissaBits) + static_cast<int>(units);
  return static_cast<std::uint8_t>(sign | bits);
}

double quarterToDouble(std::uint8_t bits, const poplar::QuarterMetadata &metadata) {
  if (bits == kNaN)
    return std::numeric_limits<double>::quiet_NaN();
  const Layout layout = layoutOf(metadata.getFormat());
  const int exponent = (bits & 0x7f) >> layout.mantissaBits;
  const int mantissa = bits & ((1 << layout.mantissaBits) - 1);
  const int hidden = exponent == 0 ? 0 : 1 << layout.mantissaBits;
  const double magnitude =
      std::ldexp(hidden + mantissa, std::max(exponent, 1) - layout.bias - layout.mantissaBits + metadata.getScale());
  return (bits & 0x80) != 0 ? -magnitude : magnitude;
}

} // namespace popscope

namespace poplar {

QuarterMetadata::QuarterMetadata(Format format, int scale) : format_(format), scale_(scale) {
  if (scale < -32 || scale > 31)
    throw poplar_error(fmt::format("QuarterMetadata: the scale {} is not in [-32, 31]", scale));
}
QuarterMetadata::QuarterMetadata(unsigned char binary)
    : format_((binary & 0x80) != 0 ? Format::F152 : Format::F143),
      scale_((binary & 0x20) != 0 ? (binary & 0x3f) - 64 : binary & 0x3f) {}

unsigned char QuarterMetadata::getBinary() const {
  return static_cast<unsigned char>((format_ == Format::F152 ? 0x80 : 0) | (scale_ & 0x3f));
}

std::string QuarterMetadata::toString() const { return fmt::format("{}, scale {}", poplar::toString(format_), scale_); }

std::string toString(QuarterMetadata::Format format) {
  return format == QuarterMetadata::Format::F143 ? "F143" : "F152";
}
std::ostream &operator<<(std::ostream &os, const QuarterMetadata &metadata) { return os << metadata.toString(); }

} // namespace poplar
