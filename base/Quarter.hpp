// Converts between doubles and quarters. A quarter is an 8-bit float of the format F143 or F152, stored as a bit
// pattern (see <poplar/Quarter.hpp>).
#pragma once
#include <poplar/Quarter.hpp>

#include <cstdint>

namespace popscope {

/// The result for a value that is too large or infinite: NaN (<poplar/Quarter.hpp> states the reason), or the largest
/// finite number with the sign of the value.
enum class QuarterOverflow { NaN, Saturate };

/// Returns value / 2^scale as a quarter, rounded once to nearest even. `metadata` contains the scale and the format.
/// NaN stays NaN.
[[nodiscard]] std::uint8_t doubleToQuarter(double value, const poplar::QuarterMetadata &metadata,
                                           QuarterOverflow onOverflow = QuarterOverflow::NaN);
[[nodiscard]] double quarterToDouble(std::uint8_t bits, const poplar::QuarterMetadata &metadata); // exact

} // namespace popscope
