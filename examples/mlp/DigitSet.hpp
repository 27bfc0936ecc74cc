// Makes labelled digits when no data set is at hand: strokes of a bitmap font, scaled, turned, slanted, shifted and
// covered with noise.
#pragma once
#include "Digits.hpp"

#include <cstdint>

/// `count` digits, as many of each class as of the others (to one). The same seed gives the same digits everywhere.
Digits makeDigits(std::size_t count, std::uint32_t seed);

/// 2,000 digits to train with and 500 held back.
DigitSets makeDigitSets(std::uint32_t seed);
