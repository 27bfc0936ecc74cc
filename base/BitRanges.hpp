// BitRanges: a set of numbers below a limit, with one bit per number. The function add() adds a range of numbers. The
// function each() visits the numbers of the set as maximal ranges.
#pragma once
#include "base/Bits.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace popscope {

class BitRanges {
public:
  /// Empties the set. Numbers that are added later must be in [0, limit).
  void reset(std::uint64_t limit) {
    limit_ = limit;
    words_.assign(limit / kBitsOfWord + 1, 0);
  }
  /// Adds [begin, end), which must not be empty.
  void add(std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t first = begin / kBitsOfWord, last = (end - 1) / kBitsOfWord;
    const std::uint64_t from = ~std::uint64_t(0) << (begin % kBitsOfWord),
                        to = ~std::uint64_t(0) >> (kBitsOfWord - 1 - (end - 1) % kBitsOfWord);
    if (first == last) {
      words_[first] |= from & to;
      return;
    }
    words_[first] |= from;
    std::fill(words_.begin() + static_cast<std::ptrdiff_t>(first) + 1,
              words_.begin() + static_cast<std::ptrdiff_t>(last), ~std::uint64_t(0));
    words_[last] |= to;
  }
  [[nodiscard]] std::uint64_t count() const {
    std::uint64_t n = 0;
    for (const std::uint64_t word : words_)
      n += static_cast<std::uint64_t>(std::popcount(word));
    return n;
  }
  /// Calls take(begin, end) for each maximal range of numbers in the set, in ascending order of `begin`.
  template <class Take> void each(const Take &take) const {
    for (std::uint64_t at = find(0, 0); at < limit_;) {
      const std::uint64_t end = std::min(limit_, find(at, ~std::uint64_t(0)));
      take(at, end);
      at = find(end, 0);
    }
  }

private:
  /// If `flip` is 0, returns the first number at or after `at` that is in the set. If all bits of `flip` are set,
  /// returns the first number at or after `at` that is not in the set. If no such number is below the limit, returns a
  /// number that is at least the limit.
  [[nodiscard]] std::uint64_t find(std::uint64_t at, std::uint64_t flip) const {
    std::uint64_t word = at / kBitsOfWord, bits = 0;
    if (word < words_.size())
      bits = (words_[word] ^ flip) & (~std::uint64_t(0) << (at % kBitsOfWord));
    while (bits == 0 && ++word < words_.size())
      bits = words_[word] ^ flip;
    return word < words_.size() ? word * kBitsOfWord + static_cast<std::uint64_t>(std::countr_zero(bits))
                                : words_.size() * kBitsOfWord;
  }

  std::uint64_t limit_ = 0;
  std::vector<std::uint64_t> words_;
};

} // namespace popscope
