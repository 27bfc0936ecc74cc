#include "report/pop/NumberList.hpp"

#include "base/Bits.hpp"
#include "base/Check.hpp"
#include "base/WideLoops.hpp"
#include "report/pop/BlobBytes.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pop/TileBlocks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace popscope {
namespace {

constexpr char kCodecList = 3, kCodecMasked = 7;
constexpr std::size_t kListHeaderBytes = 5, kMaskedHeaderBytes = 6;
constexpr std::size_t kMaskBits = 64;
constexpr unsigned kNumberBits = 32;

[[noreturn]] void corruptList(const char *what) { throw ProfileError(std::string("corrupt list of numbers: ") + what); }

std::size_t maskBytes(std::size_t numbers) { return (numbers + kMaskBits - 1) / kMaskBits * sizeof(std::uint64_t); }

POPSCOPE_WIDE_LOOPS std::uint32_t bitsInAny(const std::uint32_t *numbers, std::size_t count) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < count; ++i)
    bits |= numbers[i];
  return bits;
}

/// Returns one bit for each of 64 numbers: whether it is not 0.
POPSCOPE_WIDE_LOOPS std::uint64_t nonzeroMask(const std::uint32_t *numbers) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < kMaskBits; ++i)
    mask |= std::uint64_t(numbers[i] != 0 ? 1 : 0) << i;
  return mask;
}

/// Returns the masks of nonzeroMask for all numbers, one mask for each 64 numbers. The mask of the last numbers may be
/// partly unused.
std::vector<std::uint64_t> nonzeroMask(const std::vector<std::uint32_t> &numbers) {
  std::vector<std::uint64_t> mask;
  mask.reserve((numbers.size() + kMaskBits - 1) / kMaskBits);
  std::size_t first = 0;
  for (; first + kMaskBits <= numbers.size(); first += kMaskBits)
    mask.push_back(nonzeroMask(numbers.data() + first));
  if (first < numbers.size()) {
    std::array<std::uint32_t, kMaskBits> last{};
    std::copy(numbers.begin() + static_cast<std::ptrdiff_t>(first), numbers.end(), last.begin());
    mask.push_back(nonzeroMask(last.data()));
  }
  return mask;
}

std::size_t countBits(const std::vector<std::uint64_t> &mask) {
  std::size_t count = 0;
  for (const std::uint64_t word : mask)
    count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

/// Calls take(position) for each set bit of the mask.
template <class Take> void eachThere(const std::vector<std::uint64_t> &mask, const Take &take) {
  for (std::size_t w = 0; w < mask.size(); ++w)
    eachBit(mask[w], w * kMaskBits, take);
}

std::vector<std::uint64_t> unpackMasked(std::string_view blob, std::size_t count) {
  const std::size_t mask = maskBytes(count);
  if (blob.size() < kMaskedHeaderBytes || blob.size() - kMaskedHeaderBytes < mask)
    corruptList("it is shorter than its mask");
  const auto shift = static_cast<unsigned char>(blob[kListHeaderBytes]);
  if (shift >= kNumberBits)
    corruptList("its numbers are shifted by more than 31 bits");
  std::vector<std::uint64_t> there;
  for (std::size_t at = 0; at < mask; at += sizeof(std::uint64_t))
    there.push_back(readLittle(blob, kMaskedHeaderBytes + at, sizeof(std::uint64_t)));
  if (count % kMaskBits != 0 && there.back() >> (count % kMaskBits) != 0)
    corruptList("its mask has more bits than numbers");
  const std::vector<std::uint64_t> shifted = unpackTiles(blob.substr(kMaskedHeaderBytes + mask), countBits(there));
  std::vector<std::uint64_t> numbers(count);
  auto next = shifted.begin();
  eachThere(there, [&](std::size_t at) {
    const std::uint64_t number = *next++ << shift;
    if (number > std::numeric_limits<std::uint32_t>::max())
      corruptList("a number has more than 32 bits");
    numbers[at] = number;
  });
  return numbers;
}

} // namespace

ListPacker::ListPacker(const std::vector<std::uint32_t> &numbers) : numbers_(numbers) {
  POPSCOPE_CHECK(numbers.size() <= std::numeric_limits<std::uint32_t>::max(), "a list of {} numbers", numbers.size());
  bytes_ = kListHeaderBytes + packedBytes(numbers);
  mask_ = nonzeroMask(numbers);
  const std::size_t others = countBits(mask_);
  if (others == numbers.size())
    return;
  shift_ = static_cast<unsigned>(std::countr_zero(bitsInAny(numbers.data(), numbers.size()))) % kNumberBits;
  shifted_.reserve(others);
  eachThere(mask_, [&](std::size_t at) { shifted_.push_back(numbers[at] >> shift_); });
  const std::size_t masked = kMaskedHeaderBytes + maskBytes(numbers.size()) + packedBytes(shifted_);
  masked_ = masked < bytes_;
  bytes_ = std::min(bytes_, masked);
}

std::string ListPacker::blob() const {
  std::string blob(1, masked_ ? kCodecMasked : kCodecList);
  blob.reserve(bytes_);
  appendLittle(blob, numbers_.size(), 4);
  if (!masked_)
    return blob += packTiles(numbers_);
  blob.push_back(static_cast<char>(shift_));
  appendLittle(blob, mask_);
  return blob += packTiles(shifted_);
}

std::string packList(const std::vector<std::uint32_t> &numbers) { return ListPacker(numbers).blob(); }

std::vector<std::uint64_t> unpackList(std::string_view blob) {
  if (blob.size() < kListHeaderBytes || !isPackedList(blob))
    corruptList("unknown header byte");
  const std::uint64_t count = readLittle(blob, 1, 4);
  if (blob[0] == kCodecMasked)
    return unpackMasked(blob, count);
  return unpackTiles(blob.substr(kListHeaderBytes), count); // refuses a count that its blocks do not have
}

bool isPackedList(std::string_view blob) { return !blob.empty() && (blob[0] == kCodecList || blob[0] == kCodecMasked); }

} // namespace popscope
