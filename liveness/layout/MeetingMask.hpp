// The inner loop of FirstFit: compares the times of 64 entries with the times of a query. Bit k of the result is set if
// the times of entry k overlap the times of the query.
//
//   begins   0  3  5  9 ...      query [4, 6):  entry 1 = [3, 5) overlaps, entry 2 = [5, 7) overlaps
//   ends     2  5  7 11 ...      mask          0b0110
#pragma once
#include <cstddef>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace popscope {

inline constexpr std::size_t kMaskEntries = 64;

/// Returns the mask: bit k is set if begins[k] < end and ends[k] > begin. Reads kMaskEntries entries of each array.
/// Needs no SSE2.
inline std::uint64_t meetingMaskPortable(const std::int16_t *begins, const std::int16_t *ends, std::int16_t begin,
                                         std::int16_t end) {
  std::uint64_t mask = 0;
  for (std::size_t k = 0; k < kMaskEntries; ++k)
    mask |= std::uint64_t((begins[k] < end) & (ends[k] > begin)) << k;
  return mask;
}

/// Returns the same mask as meetingMaskPortable. With SSE2, which every x86-64 has, one instruction compares eight
/// entries.
inline std::uint64_t meetingMask(const std::int16_t *begins, const std::int16_t *ends, std::int16_t begin,
                                 std::int16_t end) {
#if defined(__SSE2__)
  const __m128i queryBegin = _mm_set1_epi16(begin), queryEnd = _mm_set1_epi16(end);
  const auto eight = [&](std::size_t k) {
    const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i *>(begins + k));
    const __m128i e = _mm_loadu_si128(reinterpret_cast<const __m128i *>(ends + k));
    return _mm_and_si128(_mm_cmpgt_epi16(queryEnd, b), _mm_cmpgt_epi16(e, queryBegin));
  };
  std::uint64_t mask = 0;
  for (std::size_t k = 0; k < kMaskEntries; k += 16) {
    const auto bits = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(eight(k), eight(k + 8))));
    mask |= std::uint64_t(bits) << k;
  }
  return mask;
#else
  return meetingMaskPortable(begins, ends, begin, end);
#endif
}

} // namespace popscope
