// 8-bit floats by bit patterns: F143 and F152 as <poplar/Quarter.hpp> describes them.
#pragma once
#include <poplar/Quarter.hpp>

#include <cstdint>

namespace popscope {

/// Rounds value / 2^scale once, to nearest even. A value that is too large becomes NaN, as infinities and NaN do
/// (<poplar/Quarter.hpp> has the reason).
[[nodiscard]] std::uint8_t doubleToQuarter(double value, const poplar::QuarterMetadata &metadata);
[[nodiscard]] double quarterToDouble(std::uint8_t bits, const poplar::QuarterMetadata &metadata); // exact

} // namespace popscope
