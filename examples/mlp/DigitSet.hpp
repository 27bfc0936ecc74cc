// Makes labelled digits if no data set is available: strokes of a bitmap font, scaled, turned, slanted, shifted and
// covered with noise.
#pragma once
#include "Digits.hpp"

#include <cstdint>

/// Makes `count` digits, in classes whose sizes differ by at most one. The same seed gives the same digits on every
/// machine, except for rounding in the mathematical functions.
Digits makeDigits(std::size_t count, std::uint32_t seed);

/// Makes 2,000 digits for training and 500 for testing.
DigitSets makeDigitSets(std::uint32_t seed);
