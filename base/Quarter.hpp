// Converts 8-bit floats, which are stored as bit patterns: F143 and F152 (see <poplar/Quarter.hpp>).
#pragma once
#include <poplar/Quarter.hpp>

#include <cstdint>

namespace popscope {

/// Returns value / 2^scale, rounded once to nearest even. A value that is too large, an infinity and a NaN become NaN
/// (<poplar/Quarter.hpp> gives the reason).
[[nodiscard]] std::uint8_t doubleToQuarter(double value, const poplar::QuarterMetadata &metadata);
[[nodiscard]] double quarterToDouble(std::uint8_t bits, const poplar::QuarterMetadata &metadata); // exact

} // namespace popscope
