#include "DigitSet.hpp"
#include "Random.hpp"

#include <algorithm>
#include <cmath>

namespace {

constexpr int kGlyphWidth = 7, kGlyphHeight = 9;

const char *const kGlyphs[kNumClasses][kGlyphHeight] = {
    {"..###..", ".#...#.", "#.....#", "#.....#", "#.....#", "#.....#", "#.....#", ".#...#.", "..###.."},
    {"...#...", "..##...", ".#.#...", "...#...", "...#...", "...#...", "...#...", "...#...", ".#####."},
    {".#####.", "#.....#", "......#", ".....#.", "....#..", "...#...", "..#....", ".#.....", "#######"},
    {".#####.", "#.....#", "......#", "......#", "..####.", "......#", "......#", "#.....#", ".#####."},
    {".....#.", "....##.", "...#.#.", "..#..#.", ".#...#.", "#....#.", "#######", ".....#.", ".....#."},
    {"#######", "#......", "#......", "######.", "......#", "......#", "......#", "#.....#", ".#####."},
    {"..####.", ".#.....", "#......", "#......", "######.", "#.....#", "#.....#", "#.....#", ".#####."},
    {"#######", "......#", ".....#.", ".....#.", "....#..", "....#..", "...#...", "...#...", "...#..."},
    {".#####.", "#.....#", "#.....#", "#.....#", ".#####.", "#.....#", "#.....#", "#.....#", ".#####."},
    {".#####.", "#.....#", "#.....#", "#.....#", ".######", "......#", "......#", ".....#.", ".####.."},
};

float ink(unsigned digit, int column, int row) {
  if (column < 0 || column >= kGlyphWidth || row < 0 || row >= kGlyphHeight)
    return 0.0f;
  return kGlyphs[digit][row][column] == '#' ? 1.0f : 0.0f;
}

/// Returns the ink at a point of the glyph, interpolated between the four nearest dots.
float inkAt(unsigned digit, float x, float y) {
  const float left = std::floor(x), top = std::floor(y);
  const int column = int(left), row = int(top);
  const float fx = x - left, fy = y - top;
  const float above = ink(digit, column, row) * (1 - fx) + ink(digit, column + 1, row) * fx;
  const float below = ink(digit, column, row + 1) * (1 - fx) + ink(digit, column + 1, row + 1) * fx;
  return above * (1 - fy) + below * fy;
}

/// Draws one digit: each pixel is taken back through shift, turn, slant and scale to a point of the glyph.
void draw(unsigned digit, Random &random, float *pixels) {
  const float scaleX = random.between(2.0f, 2.8f), scaleY = random.between(1.9f, 2.4f); // pixels per dot
  const float angle = random.between(-0.2f, 0.2f), slant = random.between(-0.2f, 0.2f);
  const float shiftX = random.between(-2.5f, 2.5f), shiftY = random.between(-2.5f, 2.5f);
  const float strength = random.between(0.75f, 1.0f);
  const float cosine = std::cos(angle), sine = std::sin(angle);
  const float middle = 0.5f * float(kImageSide - 1);
  for (std::size_t row = 0; row < kImageSide; ++row)
    for (std::size_t column = 0; column < kImageSide; ++column) {
      const float dx = float(column) - middle - shiftX, dy = float(row) - middle - shiftY;
      const float turnedY = cosine * dy - sine * dx;
      const float turnedX = cosine * dx + sine * dy + slant * turnedY;
      const float x = turnedX / scaleX + 0.5f * (kGlyphWidth - 1);
      const float y = turnedY / scaleY + 0.5f * (kGlyphHeight - 1);
      const float noise = random.between(-0.15f, 0.15f);
      *pixels++ = std::min(1.0f, std::max(0.0f, 1.4f * strength * inkAt(digit, x, y) + noise));
    }
}

} // namespace

Digits makeDigits(std::size_t count, std::uint32_t seed) {
  Random random(seed);
  Digits digits;
  digits.pixels.resize(count * kImagePixels);
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned digit = unsigned(i % kNumClasses);
    digits.labels.push_back(digit);
    draw(digit, random, &digits.pixels[i * kImagePixels]);
  }
  return digits;
}

DigitSets makeDigitSets(std::uint32_t seed) {
  DigitSets sets;
  sets.training = makeDigits(2000, seed);
  sets.heldBack = makeDigits(500, seed + 1);
  return sets;
}
