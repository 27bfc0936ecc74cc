// Bits: a function that iterates over the set bits of a word.
#pragma once
#include <bit>
#include <cstdint>

namespace popscope {

inline constexpr std::uint32_t kBitsOfWord = 64;

/// Calls take(first + i) for each set bit i of `word`, in ascending order of i.
template <class Number, class Take> inline void eachBit(std::uint64_t word, Number first, Take take) {
  for (; word != 0; word &= word - 1)
    take(static_cast<Number>(first + static_cast<Number>(std::countr_zero(word))));
}

} // namespace popscope
