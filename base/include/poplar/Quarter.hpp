// QuarterMetadata: the format and the scale of 8-bit floats. The value of an element is the value of its bits in the
// format, times 2^scale.
//
//   F143   1 sign, 4 exponent (bias 8), 3 mantissa bits: largest 240
//   F152   1 sign, 5 exponent (bias 16), 2 mantissa bits: largest 57344
//   both   no infinity, no negative zero; the bit pattern 0x80 is NaN
//
// Conversions round to nearest even. A value that is too large after rounding becomes NaN, on the host and in codelets.
// Graphcore's public libraries follow the same rule: the element-wise casts of PopLibs 3.x give NaN on an IPU Model,
// and PopXL's host conversions give NaN by default. To get the largest value in place of NaN, a codelet calls
// toQuarter(value, metadata, false), and the host passes false as the last argument of convertToDeviceType.
#pragma once
#include <poplar/StandardIncludes.hpp>

namespace poplar {

class QuarterMetadata {
public:
  enum class Format { F143 = 0, F152 = 1 };

  /// Makes metadata with the format F143 and the scale 0.
  QuarterMetadata() : format_(Format::F143), scale_(0) {}
  /// Makes metadata. Throws poplar_error unless -32 <= scale <= 31.
  QuarterMetadata(Format format, int scale);
  /// Makes metadata from a byte that getBinary() returned.
  explicit QuarterMetadata(unsigned char binary);
  Format getFormat() const { return format_; }
  int getScale() const { return scale_; }
  /// Returns the byte that the device stores: the format in bit 7, the scale in bits 0 to 5 (two's complement).
  unsigned char getBinary() const;
  /// Returns the format and the scale: "F143, scale -2".
  std::string toString() const;
  bool operator==(const QuarterMetadata &other) const { return format_ == other.format_ && scale_ == other.scale_; }
  bool operator!=(const QuarterMetadata &other) const { return !(*this == other); }

private:
  Format format_;
  int scale_;
};

/// Returns "F143" or "F152". There is no operator<< for a format, because programs define their own operator.
std::string toString(QuarterMetadata::Format format);
/// Prints metadata.toString().
std::ostream &operator<<(std::ostream &os, const QuarterMetadata &metadata);

} // namespace poplar
