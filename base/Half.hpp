// IEEE 754 binary16 by bit patterns. Rounds to nearest even; keeps denormals, infinities and NaN (quieted, with the top
// bits of its payload). Magnitudes that are too large become infinity.
#pragma once
#include <cstddef>
#include <cstdint>

namespace popscope {

[[nodiscard]] std::uint16_t floatToHalf(float value);
/// Converts with a single rounding from the double: going through float would round twice.
[[nodiscard]] std::uint16_t doubleToHalf(double value);
[[nodiscard]] float halfToFloat(std::uint16_t bits); // exact
/// Converts n numbers; halves need no alignment. Uses the processor's instructions (F16C) if it has them.
void floatsToHalves(const float *from, void *to, std::size_t n);
void halvesToFloats(const void *from, float *to, std::size_t n);

} // namespace popscope
