// Converts floats and doubles to halves (IEEE 754 binary16 numbers, stored as bit patterns), and halves to floats.
// Rounds to nearest even. Keeps denormals and infinities. A NaN becomes quiet and keeps the top bits of its payload.
// Magnitudes that are too large become infinity.
#pragma once
#include <cstddef>
#include <cstdint>

namespace popscope {

[[nodiscard]] std::uint16_t floatToHalf(float value);
/// Converts with a single rounding. A conversion to float and then to half would round twice.
[[nodiscard]] std::uint16_t doubleToHalf(double value);
[[nodiscard]] float halfToFloat(std::uint16_t bits); // exact
/// These functions convert n numbers. If the processor has the F16C instructions, the functions use these instructions.
/// Halves need no alignment.
void floatsToHalves(const float *from, void *to, std::size_t n);
void halvesToFloats(const void *from, float *to, std::size_t n);

} // namespace popscope
