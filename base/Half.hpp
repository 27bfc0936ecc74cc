// IEEE 754 binary16 by bit patterns: rounds to nearest even, keeps denormals, infinities and NaN (quietened, with the
// top bits of its payload). Too large magnitudes become infinity.
#pragma once
#include <cstdint>

namespace popscope {

[[nodiscard]] std::uint16_t floatToHalf(float value);
/// Rounds once, from the double: going through float would round twice.
[[nodiscard]] std::uint16_t doubleToHalf(double value);
[[nodiscard]] float halfToFloat(std::uint16_t bits); // exact

} // namespace popscope
