// Device side: quarter, an 8-bit float. A byte has a value only together with metadata: a format and a scale. The value
// is the byte's value in the format, times 2^scale. An edge of quarters has a pointer to the metadata in addition to
// the data.
//
//   F143   1 sign, 4 exponent (bias 8), 3 mantissa bits: largest 240
//   F152   1 sign, 5 exponent (bias 16), 2 mantissa bits: largest 57344
//   both   no infinity, no negative zero; the bit pattern 0x80 is NaN
//
// Conversions to quarter round to nearest even. If a number is too large for the format and the scale, the result is
// NaN if `nanoo` is true, and the largest quarter with the sign of the number if `nanoo` is false.
#ifndef POPLAR_QUARTER_FLOAT_HPP
#define POPLAR_QUARTER_FLOAT_HPP
#include <cstdint>
#include <cstring>

#include "HalfFloat.hpp"

/// The 8 bits of a float, without metadata. The type has no arithmetic, because the value of the bits depends on the
/// metadata.
struct quarter {
  std::uint8_t value;
};
inline bool operator==(quarter a, quarter b) { return a.value == b.value; }
inline bool operator!=(quarter a, quarter b) { return a.value != b.value; }

/// Metadata as the tile stores it: format in bit 7, scale in bits 0 to 5 (two's complement).
struct MetadataType {
  std::uint8_t value;
};

struct quarter_metadata {
  enum class format { quarter143 = 0, quarter152 = 1 };
  format fmt;
  signed char scale; // from -32 to 31
  quarter_metadata() = default;
  quarter_metadata(format f, signed char s) : fmt(f), scale(s) {}
};

namespace poplar {

using ::MetadataType;

inline quarter_metadata unpackMetadata(const MetadataType *packed) {
  const int scale = packed->value & 0x3f;
  return quarter_metadata((packed->value & 0x80) != 0 ? quarter_metadata::format::quarter152
                                                      : quarter_metadata::format::quarter143,
                          static_cast<signed char>(scale >= 32 ? scale - 64 : scale));
}
inline MetadataType packMetadata(quarter_metadata metadata) {
  return MetadataType{static_cast<std::uint8_t>((metadata.fmt == quarter_metadata::format::quarter152 ? 0x80 : 0) |
                                                (metadata.scale & 0x3f))};
}

} // namespace poplar

namespace popscope_device {

inline float powerOfTwo(int exponent) { // returns 2^exponent, which must be a normal float
  const std::uint32_t word = static_cast<std::uint32_t>(exponent + 127) << 23;
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

inline float quarterToFloat(quarter q, quarter_metadata metadata) {
  if (q.value == 0x80)
    return std::numeric_limits<float>::quiet_NaN();
  const int mantissaBits = metadata.fmt == quarter_metadata::format::quarter143 ? 3 : 2;
  const int bias = metadata.fmt == quarter_metadata::format::quarter143 ? 8 : 16;
  const int exponent = (q.value & 0x7f) >> mantissaBits;
  const int mantissa = q.value & ((1 << mantissaBits) - 1);
  const int significand = exponent == 0 ? mantissa : mantissa | 1 << mantissaBits;
  // The smallest power is 2^(1 - 16 - 2 - 32), which is a normal float, so the product is exact.
  const float magnitude = static_cast<float>(significand) *
                          powerOfTwo((exponent == 0 ? 1 : exponent) - bias - mantissaBits + metadata.scale);
  return (q.value & 0x80) != 0 ? -magnitude : magnitude;
}

inline quarter floatToQuarter(float value, quarter_metadata metadata, bool nanoo) {
  const int mantissaBits = metadata.fmt == quarter_metadata::format::quarter143 ? 3 : 2;
  const int bias = metadata.fmt == quarter_metadata::format::quarter143 ? 8 : 16;
  std::uint32_t word;
  std::memcpy(&word, &value, sizeof word);
  const unsigned sign = word >> 31 << 7;
  word &= 0x7fffffffu;
  const quarter nan = {0x80}, overflow = {static_cast<std::uint8_t>(nanoo ? 0x80u : sign | 0x7fu)};
  if (word >= 0x7f800000u)
    return word == 0x7f800000u ? overflow : nan;
  // `exponent` is the exponent of the leading bit of value / 2^scale. Subnormal floats are far below the smallest
  // quarter above 0, so the exponent of a subnormal float does not matter.
  int exponent = static_cast<int>(word >> 23) - 127 - metadata.scale;
  std::uint32_t significand = (word >> 23) == 0 ? 0 : (word & 0x7fffffu) | 0x800000u;
  int drop = 23 - mantissaBits;
  if (exponent < 1 - bias) { // subnormal quarters have the spacing of the smallest normal ones
    drop += 1 - bias - exponent;
    exponent = 1 - bias;
  }
  if (drop > 25)
    return quarter{0};
  const std::uint32_t rest = significand & ((1u << drop) - 1u), middle = 1u << (drop - 1);
  significand >>= drop;
  if (rest > middle || (rest == middle && (significand & 1u) != 0))
    ++significand;
  if (significand == 0)
    return quarter{0};
  // Bit patterns are in the order of the values, so a carry out of the mantissa correctly increments the exponent.
  const int pattern = ((exponent + bias - 1) << mantissaBits) + static_cast<int>(significand);
  return pattern > 0x7f ? overflow : quarter{static_cast<std::uint8_t>(sign | static_cast<unsigned>(pattern))};
}

} // namespace popscope_device

namespace poplar {

inline float toFloat(quarter value, quarter_metadata metadata) {
  return popscope_device::quarterToFloat(value, metadata);
}
inline half toHalf(quarter value, quarter_metadata metadata) {
  return half(popscope_device::quarterToFloat(value, metadata));
}
inline quarter toQuarter(float value, quarter_metadata metadata, bool nanoo = true) {
  return popscope_device::floatToQuarter(value, metadata, nanoo);
}
inline quarter toQuarter(half value, quarter_metadata metadata, bool nanoo = true) {
  return popscope_device::floatToQuarter(static_cast<float>(value), metadata, nanoo);
}

} // namespace poplar
#endif
