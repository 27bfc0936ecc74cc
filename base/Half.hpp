// IEEE 754 binary16 by bit patterns: rounds to nearest even, keeps denormals, infinities and NaN (quietened, with the
// top bits of its payload). Too large magnitudes become infinity.
#pragma once
#include <cstddef>
#include <cstdint>

namespace popscope {

[[nodiscard]] std::uint16_t floatToHalf(float value);
/// Rounds once, from the double: going through float would round twice.
[[nodiscard]] std::uint16_t doubleToHalf(double value);
[[nodiscard]] float halfToFloat(std::uint16_t bits); // exact
/// The same for n of them; halves need no alignment. By the processor's own instructions (F16C) where it has them.
void floatsToHalves(const float *from, void *to, std::size_t n);
void halvesToFloats(const void *from, float *to, std::size_t n);

} // namespace popscope
