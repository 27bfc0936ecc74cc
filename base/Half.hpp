// Converts IEEE 754 binary16 numbers, which are stored as bit patterns. Rounds to nearest even. Keeps denormals and
// infinities. A NaN becomes quiet and keeps the top bits of its payload. Magnitudes that are too large become infinity.
#pragma once
#include <cstddef>
#include <cstdint>

namespace popscope {

[[nodiscard]] std::uint16_t floatToHalf(float value);
/// Converts with a single rounding. A conversion through float would round twice.
[[nodiscard]] std::uint16_t doubleToHalf(double value);
[[nodiscard]] float halfToFloat(std::uint16_t bits); // exact
/// These functions convert n numbers, with the F16C instructions if the processor has them. Halves need no alignment.
void floatsToHalves(const float *from, void *to, std::size_t n);
void halvesToFloats(const void *from, float *to, std::size_t n);

} // namespace popscope
