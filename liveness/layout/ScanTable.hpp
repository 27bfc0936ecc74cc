// Scans of tables of 32-bit numbers below 2^31: the inner loops of SearchPacking. With SSE2, which every x86-64 has,
// one instruction handles four numbers. Without SSE2, the results are the same.
#pragma once
#include "base/Bits.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace popscope {

/// Returns the minimum of `limit` and all numbers of table[begin .. end). All these numbers, and `limit`, must be below
/// 2^31.
inline std::uint32_t smallestIn(const std::uint32_t *table, std::size_t begin, std::size_t end, std::uint32_t limit) {
  auto smallest = static_cast<std::int32_t>(limit);
  for (std::size_t i = begin; i < end; ++i) // compilers vectorise this loop
    smallest = static_cast<std::int32_t>(table[i]) < smallest ? static_cast<std::int32_t>(table[i]) : smallest;
  return static_cast<std::uint32_t>(smallest);
}

/// Returns the minimum of `limit` and table[i] for all i in `indices`.
inline std::uint32_t smallestOf(const std::uint32_t *table, std::span<const std::uint32_t> indices,
                                std::uint32_t limit) {
  std::uint32_t a = limit, b = limit, c = limit, d = limit; // four independent minima, because each comparison has to
                                                            // wait for the previous comparison with the same minimum
  std::size_t k = 0;
  for (; k + 4 <= indices.size(); k += 4) {
    a = table[indices[k]] < a ? table[indices[k]] : a;
    b = table[indices[k + 1]] < b ? table[indices[k + 1]] : b;
    c = table[indices[k + 2]] < c ? table[indices[k + 2]] : c;
    d = table[indices[k + 3]] < d ? table[indices[k + 3]] : d;
  }
  for (; k < indices.size(); ++k)
    a = table[indices[k]] < a ? table[indices[k]] : a;
  a = b < a ? b : a;
  c = d < c ? d : c;
  return c < a ? c : a;
}

/// Calls body(i) for each i of [begin, end) with table[i] == value, in ascending order.
template <class Body>
inline void forEachEqual(const std::uint32_t *table, std::size_t begin, std::size_t end, std::uint32_t value,
                         Body body) {
  std::size_t i = begin;
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi32(static_cast<std::int32_t>(value));
  const auto equal = [&](std::size_t k) {
    return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(table + k)), wanted);
  };
  for (; i + 16 <= end; i += 16) {
    const __m128i low = _mm_packs_epi32(equal(i), equal(i + 4)), high = _mm_packs_epi32(equal(i + 8), equal(i + 12));
    eachBit(static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high))), i, body);
  }
#endif
  for (; i < end; ++i)
    if (table[i] == value)
      body(i);
}

/// Returns a hash of table[begin .. end). Adds to each number the key at the same index. Then multiplies the first sum
/// by the second, the third by the fourth and so on, and returns the sum of the products (NH of Black et al., UMAC).
/// `keys` is as long as the table. In a range of odd length, the last number plus its key is multiplied by this key.
inline std::uint64_t hashOf(const std::uint32_t *table, const std::uint32_t *keys, std::size_t begin, std::size_t end) {
  std::uint64_t sum = 0;
  std::size_t i = begin;
#if defined(__SSE2__)
  __m128i sums = _mm_setzero_si128(), sums2 = sums;
  const auto products = [&](std::size_t k) {
    const __m128i keyed = _mm_add_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(table + k)),
                                        _mm_loadu_si128(reinterpret_cast<const __m128i *>(keys + k)));
    return _mm_mul_epu32(keyed, _mm_srli_epi64(keyed, 32));
  };
  for (; i + 8 <= end; i += 8) {
    sums = _mm_add_epi64(sums, products(i));
    sums2 = _mm_add_epi64(sums2, products(i + 4));
  }
  std::uint64_t parts[2];
  _mm_storeu_si128(reinterpret_cast<__m128i *>(parts), _mm_add_epi64(sums, sums2));
  sum = parts[0] + parts[1];
#endif
  for (; i + 1 < end; i += 2)
    sum += std::uint64_t(table[i] + keys[i]) * (table[i + 1] + keys[i + 1]);
  if (i < end)
    sum += std::uint64_t(table[i] + keys[i]) * keys[i];
  return sum;
}

} // namespace popscope
