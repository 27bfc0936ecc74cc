// Half: an IEEE 754 binary16 number on the host, for example an element of an ArrayRef<Half>. A Half only stores a
// number, with the same bits as the device type HALF. To compute with the number, convert it to float.
#pragma once
#include <poplar/StandardIncludes.hpp>

namespace poplar {

class Half {
public:
  Half() = default; // Half() is 0
  /// Rounds to nearest even. Magnitudes that are too large become infinity.
  Half(double value);
  operator float() const; // exact
  /// Makes the number with these bits: 1 sign, 5 exponent, 10 mantissa bits.
  static Half fromBits(std::uint16_t bits) {
    Half half;
    half.bits_ = bits;
    return half;
  }
  std::uint16_t getBits() const { return bits_; }

private:
  std::uint16_t bits_;
};

} // namespace poplar
