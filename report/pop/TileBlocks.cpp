#include "report/pop/TileBlocks.hpp"

#include "base/Check.hpp"
#include "base/WideLoops.hpp"
#include "report/pop/BlobBytes.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pop/TileBlob.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace popscope {
namespace {

constexpr std::size_t kBlockHeaderBytes = 5, kMaxBits = 32;
constexpr char kCodecBlocks = 2;
constexpr unsigned kWordBits = 64;
constexpr std::uint8_t kUnknownBits = 255;

std::uint32_t loadNumber(const char *at) { return static_cast<std::uint32_t>(loadLittle<4>(at)); }

/// Returns the i-th number of Bits bits; all shifts are compile-time constants.
template <unsigned Bits> std::uint32_t extract(const std::array<std::uint64_t, Bits> &words, unsigned i) {
  const unsigned bit = i * Bits, word = bit / kWordBits, shift = bit % kWordBits;
  std::uint64_t value = words[word] >> shift;
  if (shift + Bits > kWordBits)
    value |= words[word + 1] << (kWordBits - shift);
  return static_cast<std::uint32_t>(value & ((std::uint64_t(1) << Bits) - 1));
}

template <unsigned Bits> void unpack(const char *bytes, std::uint32_t smallest, std::uint64_t *out) {
  if constexpr (Bits == 0) {
    std::fill_n(out, kBlockNumbers, smallest);
  } else {
    std::array<std::uint64_t, Bits> words;
    for (unsigned i = 0; i < Bits; ++i)
      words[i] = loadLittle<8>(bytes + 8 * i);
#pragma GCC unroll 64
    for (unsigned i = 0; i < kBlockNumbers; ++i)
      out[i] = smallest + extract<Bits>(words, i);
  }
}

using Unpack = void (*)(const char *, std::uint32_t, std::uint64_t *);
template <std::size_t... Bits> constexpr std::array<Unpack, sizeof...(Bits)> unpackers(std::index_sequence<Bits...>) {
  return {&unpack<Bits>...};
}
/// The unpackers by number of bits.
constexpr auto kUnpackers = unpackers(std::make_index_sequence<kMaxBits + 1>());

/// Packs numbers as differences to `smallest`; the inverse of unpack.
template <unsigned Bits> void pack(const std::uint32_t *numbers, std::uint32_t smallest, std::uint64_t *words) {
  if constexpr (Bits != 0) {
    std::array<std::uint64_t, Bits> packed{};
#pragma GCC unroll 64
    for (unsigned i = 0; i < kBlockNumbers; ++i) {
      const unsigned bit = i * Bits, word = bit / kWordBits, shift = bit % kWordBits;
      const std::uint64_t value = numbers[i] - smallest;
      packed[word] |= value << shift;
      if (shift + Bits > kWordBits)
        packed[word + 1] |= value >> (kWordBits - shift);
    }
    std::copy(packed.begin(), packed.end(), words);
  }
}

using Pack = void (*)(const std::uint32_t *, std::uint32_t, std::uint64_t *);
template <std::size_t... Bits> constexpr std::array<Pack, sizeof...(Bits)> packers(std::index_sequence<Bits...>) {
  return {&pack<Bits>...};
}
constexpr auto kPackers = packers(std::make_index_sequence<kMaxBits + 1>());

struct MinMax {
  std::uint32_t min, max;
};

/// Returns minimum and maximum of at least one number.
POPSCOPE_WIDE_LOOPS MinMax minMaxOf(const std::uint32_t *numbers, std::size_t count) {
  std::uint32_t low = numbers[0], high = numbers[0];
  for (std::size_t i = 1; i < count; ++i) {
    low = std::min(low, numbers[i]);
    high = std::max(high, numbers[i]);
  }
  return {low, high};
}

void checkHeader(std::string_view blob, std::size_t blocks) {
  if (blob.size() < kBlockHeaderBytes)
    throwCorruptTiles("it is shorter than its header");
  if (blob[0] != kCodecBlocks)
    throwCorruptTiles("unknown header byte");
  if (readLittle(blob, 1, 4) != blocks)
    throwCorruptTiles("it does not hold the stated number of blocks");
  if ((blob.size() - kBlockHeaderBytes) / 5 < blocks)
    throwCorruptTiles("it is shorter than its blocks");
}

/// Returns the number of bits of each number of a block, or 0 for a block of unknown numbers, which takes no words.
std::size_t widthOf(std::string_view blob, std::size_t block) {
  const auto bits = static_cast<std::uint8_t>(blob[kBlockHeaderBytes + block]);
  if (bits > kMaxBits && bits != kUnknownBits)
    throwCorruptTiles("a block has more than 32 bits");
  return bits == kUnknownBits ? 0 : bits;
}

} // namespace

void BlockEncoder::add(const std::uint32_t *numbers, std::size_t count) {
  POPSCOPE_CHECK(count > 0 && count <= kBlockNumbers, "{} numbers in a block", count);
  NumberBlock block;
  if (count < kBlockNumbers) {
    std::fill(std::copy_n(numbers, count, block.begin()), block.end(), numbers[count - 1]);
    numbers = block.data();
  }
  const auto [low, high] = minMaxOf(numbers, kBlockNumbers);
  const auto bits = static_cast<unsigned>(std::bit_width(high - low));
  bits_.push_back(static_cast<std::uint8_t>(bits));
  smallest_.push_back(low);
  const std::size_t first = words_.size();
  words_.resize(first + bits); // 64 numbers of n bits are n words
  kPackers[bits](numbers, low, words_.data() + first);
}

std::string BlockEncoder::take() {
  std::string blob(1, kCodecBlocks);
  blob.reserve(kBlockHeaderBytes + bits_.size() * 5 + words_.size() * 8);
  appendLittle(blob, bits_.size(), 4);
  appendLittle(blob, bits_);
  appendLittle(blob, smallest_);
  appendLittle(blob, words_);
  bits_.clear();
  smallest_.clear();
  words_.clear();
  return blob;
}

std::string packTiles(const std::vector<std::uint32_t> &numbers) {
  BlockEncoder encoder;
  for (std::size_t first = 0; first < numbers.size(); first += kBlockNumbers)
    encoder.add(&numbers[first], std::min(kBlockNumbers, numbers.size() - first));
  return encoder.take();
}

std::size_t packedBytes(const std::vector<std::uint32_t> &numbers) {
  std::size_t bytes = kBlockHeaderBytes;
  for (std::size_t first = 0; first < numbers.size(); first += kBlockNumbers) {
    const auto [low, high] = minMaxOf(&numbers[first], std::min(kBlockNumbers, numbers.size() - first));
    bytes += 5 + 8 * static_cast<std::size_t>(std::bit_width(high - low));
  }
  return bytes;
}

std::vector<std::uint64_t> unpackTiles(std::string_view blob, std::size_t tiles) {
  const std::size_t blocks = (tiles + kBlockNumbers - 1) / kBlockNumbers;
  checkHeader(blob, blocks);
  std::size_t bits = 0;
  for (std::size_t b = 0; b < blocks; ++b)
    bits += widthOf(blob, b);
  const char *smallest = blob.data() + kBlockHeaderBytes + blocks, *words = smallest + 4 * blocks;
  if (blob.size() != kBlockHeaderBytes + blocks * 5 + bits * 8)
    throwCorruptTiles("its size does not match its blocks");
  std::vector<std::uint64_t> numbers(blocks * kBlockNumbers); // including the unused rest of the last block
  for (std::size_t b = 0; b < blocks; ++b) {
    const bool known = static_cast<std::uint8_t>(blob[kBlockHeaderBytes + b]) != kUnknownBits; // false: numbers are 0
    const std::size_t width = widthOf(blob, b);
    kUnpackers[width](words, known ? loadNumber(smallest + 4 * b) : 0, numbers.data() + b * kBlockNumbers);
    words += 8 * width;
  }
  numbers.resize(tiles);
  return numbers;
}

std::uint32_t unpackTile(std::string_view blob, std::size_t tiles, std::size_t tile) {
  const std::size_t blocks = (tiles + kBlockNumbers - 1) / kBlockNumbers, block = tile / kBlockNumbers;
  checkHeader(blob, blocks);
  std::size_t words = 0, before = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    if (b == block)
      before = words;
    words += widthOf(blob, b);
  }
  if (blob.size() != kBlockHeaderBytes + blocks * 5 + words * 8)
    throwCorruptTiles("its size does not match its blocks");
  if (static_cast<std::uint8_t>(blob[kBlockHeaderBytes + block]) == kUnknownBits)
    return 0; // as unpackTiles
  const std::uint32_t smallest = loadNumber(blob.data() + kBlockHeaderBytes + blocks + 4 * block);
  const std::size_t width = widthOf(blob, block), bit = tile % kBlockNumbers * width, shift = bit % kWordBits;
  if (width == 0)
    return smallest;
  const char *at = blob.data() + kBlockHeaderBytes + 5 * blocks + 8 * (before + bit / kWordBits);
  std::uint64_t value = loadLittle<8>(at) >> shift;
  if (shift + width > kWordBits)
    value |= loadLittle<8>(at + 8) << (kWordBits - shift);
  return smallest + static_cast<std::uint32_t>(value & ((std::uint64_t(1) << width) - 1));
}

bool isPacked(std::string_view blob) { return !blob.empty() && blob[0] == kCodecBlocks; }

} // namespace popscope
