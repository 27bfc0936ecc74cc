// Digits: labelled 28 x 28 images of handwritten or generated digits.
#pragma once
#include <cstddef>
#include <vector>

constexpr std::size_t kImageSide = 28;
constexpr std::size_t kImagePixels = kImageSide * kImageSide;
constexpr std::size_t kNumClasses = 10;

struct Digits {
  std::vector<float> pixels;    // kImagePixels per digit, row-major, 0 = paper, 1 = ink
  std::vector<unsigned> labels; // 0 .. 9
  std::size_t size() const { return labels.size(); }
};

struct DigitSets {
  Digits training, heldBack;
};
