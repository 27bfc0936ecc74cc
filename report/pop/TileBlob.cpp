#include "report/pop/TileBlob.hpp"

#include "base/Check.hpp"
#include "base/WideLoops.hpp"
#include "report/pop/BlobBytes.hpp"
#include "report/pop/NumberList.hpp"
#include "report/pop/PopFile.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace popscope {
namespace {

constexpr std::size_t kBlobHeaderBytes = 5;
constexpr std::uint8_t kCodecZlib = 1, kSparseBit = 16, kOneTileBit = 32;
constexpr unsigned kMaxTileLog = 2;
constexpr std::size_t kCompressFrom = 64;   // bytes; zlib does not help below this size
constexpr std::size_t kListMayBeLarger = 8; // a list may exceed zlib's result by this fraction: 1/8

unsigned widthLog(std::uint64_t largest) {
  return largest <= 0xFF ? 0 : largest <= 0xFFFF ? 1 : largest <= 0xFFFFFFFF ? 2 : 3;
}

// length of a sampled stretch: a power of two, large enough that two stretches are hardly ever equal by chance
constexpr std::size_t kStretchNumbers = 32;
// kStretches: number of sampled stretches. A list has few changes if fewer than one number in kFewChanges differs from
// the previous one.
constexpr std::size_t kStretches = 4, kFewChanges = 8;

POPSCOPE_WIDE_LOOPS std::size_t countChanges(const std::uint32_t *numbers, std::size_t count) {
  std::uint32_t changes = 0;
  for (std::size_t i = 1; i < count; ++i)
    changes += numbers[i] != numbers[i - 1] ? 1U : 0U;
  return changes;
}

POPSCOPE_WIDE_LOOPS std::size_t countEqual(const std::uint32_t *numbers, std::size_t count, std::uint32_t to) {
  std::uint32_t equal = 0;
  for (std::size_t i = 0; i < count; ++i)
    equal += numbers[i] == to ? 1U : 0U;
  return equal;
}

/// Combines hashes of stretches to hashes of stretches of twice the length; `count` hashes remain.
POPSCOPE_WIDE_LOOPS void joinHashes(std::uint32_t *hashes, std::size_t count, std::size_t numbers,
                                    std::uint32_t factor) {
  for (std::size_t i = 0; i < count; ++i)
    hashes[i] = hashes[i] * factor + hashes[i + numbers];
}

/// Returns whether zlib is likely to make the blob shorter. This is so if one of a few sampled stretches repeats, if
/// the numbers have few changes, or if there are too few numbers for a sample. Hashes all stretches of kStretchNumbers
/// numbers by joining hashes of half the length. Cost: linear in numbers times log2(kStretchNumbers).
bool repeats(const std::vector<std::uint32_t> &numbers) {
  if (numbers.size() <= kStretchNumbers || countChanges(numbers.data(), numbers.size()) < numbers.size() / kFewChanges)
    return true;
  std::vector<std::uint32_t> hashes = numbers; // hash of the stretch that begins at each number
  std::uint32_t factor = 0x9E3779B1;
  for (std::size_t joined = 1; joined < kStretchNumbers; joined *= 2, factor *= factor) {
    joinHashes(hashes.data(), hashes.size() - joined, joined, factor);
    hashes.resize(hashes.size() - joined);
  }
  for (std::size_t i = 0; i < kStretches; ++i)
    if (countEqual(hashes.data(), hashes.size(), hashes[(hashes.size() - 1) * i / (kStretches - 1)]) > 1)
      return true;
  return false;
}

std::string pack(std::uint8_t flags, std::size_t count, const std::string &payload) {
  POPSCOPE_CHECK(count <= std::numeric_limits<std::uint32_t>::max(), "{} values in a blob", count);
  std::string packed;
  if (payload.size() >= kCompressFrom)
    packed = deflated(payload);
  const bool pays = !packed.empty() && packed.size() < payload.size();
  const std::string &body = pays ? packed : payload;
  std::string blob;
  blob.reserve(kBlobHeaderBytes + body.size());
  blob.push_back(static_cast<char>(flags | (pays ? kCodecZlib : 0)));
  appendLittle(blob, count, 4);
  return blob += body;
}

struct Decoded {
  bool sparse = false;
  std::size_t count = 0, width = 1;
  std::string payload;
};

std::string inflateExactly(std::string_view body, std::size_t size) {
  std::optional<std::string> out = inflatedExactly(body, size);
  if (!out)
    throwCorruptTiles("it does not decompress to the stated size");
  return *std::move(out);
}

/// Opens a blob of one tile as a sparse blob.
Decoded openOneTile(std::string_view blob) {
  const auto flags = static_cast<std::uint8_t>(blob[0]);
  const unsigned tileLog = flags & 3;
  if (tileLog > kMaxTileLog || (flags & ~0x2Fu) != 0)
    throwCorruptTiles("unknown header byte");
  Decoded d;
  d.sparse = true;
  d.count = 1;
  d.width = std::size_t(1) << (flags >> 2 & 3);
  const std::size_t tileWidth = std::size_t(1) << tileLog;
  if (blob.size() != 1 + tileWidth + d.width)
    throwCorruptTiles("its size does not match its widths");
  appendLittle(d.payload, readLittle(blob, 1, tileWidth), 4);
  d.payload += blob.substr(1 + tileWidth);
  return d;
}

Decoded open(std::string_view blob, std::size_t maxTiles) {
  if (!blob.empty() && (static_cast<std::uint8_t>(blob[0]) & kOneTileBit) != 0)
    return openOneTile(blob);
  if (blob.size() < kBlobHeaderBytes)
    throwCorruptTiles("it is shorter than its header");
  const auto flags = static_cast<std::uint8_t>(blob[0]);
  const unsigned codec = flags & 3;
  if (codec > kCodecZlib || (flags & ~0x1Fu) != 0)
    throwCorruptTiles("unknown header byte");
  Decoded d;
  d.sparse = (flags & kSparseBit) != 0;
  d.width = std::size_t(1) << (flags >> 2 & 3);
  d.count = readLittle(blob, 1, 4);
  if (d.count > maxTiles)
    throwCorruptTiles("more values than tiles");
  const std::size_t size = d.count * (d.width + (d.sparse ? 4 : 0));
  const std::string_view body = blob.substr(kBlobHeaderBytes);
  d.payload = codec == kCodecZlib ? inflateExactly(body, size) : std::string(body);
  if (d.payload.size() != size)
    throwCorruptTiles("its size does not match its count");
  return d;
}

/// Returns the numbers of a list that represents a vector of tiles.
std::vector<std::uint64_t> openList(std::string_view blob, std::size_t maxTiles) {
  std::vector<std::uint64_t> numbers = unpackList(blob);
  if (numbers.size() > maxTiles)
    throwCorruptTiles("more values than tiles");
  return numbers;
}

} // namespace

namespace {

/// Encodes one value with the same number of bytes for each tile of a machine, because BLOBs of equal length pack well
/// (PackedRows.hpp).
std::string encodeOneTile(std::uint32_t tile, std::uint64_t value, std::size_t numTiles) {
  const unsigned tileLog = widthLog(numTiles - 1), log = widthLog(value);
  const std::size_t tileBytes = std::size_t(1) << tileLog;
  std::array<char, 1 + sizeof tile + sizeof value> bytes;
  bytes[0] = static_cast<char>(kOneTileBit | log << 2 | tileLog);
  storeLittle(&bytes[1], tile);
  storeLittle(&bytes[1 + tileBytes], value);
  return {bytes.data(), 1 + tileBytes + (std::size_t(1) << log)};
}

std::string sparsePayload(const TileValues &values, std::size_t width) {
  std::string payload;
  payload.reserve(values.size() * (4 + width));
  for (const auto &entry : values)
    appendLittle(payload, entry.first, 4);
  for (const auto &entry : values)
    appendLittle(payload, entry.second, width);
  return payload;
}

std::string densePayload(const TileValues &values, std::size_t numTiles, std::size_t width) {
  std::string payload(numTiles * width, '\0');
  for (const auto &entry : values)
    for (std::size_t i = 0; i < width; ++i)
      payload[entry.first * width + i] = static_cast<char>(entry.second >> (8 * i) & 0xFF);
  return payload;
}

} // namespace

std::string encodeTileValues(const TileValues &values, std::size_t numTiles) {
  std::uint64_t largest = 0;
  for (const auto &entry : values) {
    POPSCOPE_CHECK(entry.first < numTiles, "tile {} of {}", entry.first, numTiles);
    largest = std::max(largest, entry.second);
  }
  if (values.size() == 1)
    return encodeOneTile(values.front().first, largest, numTiles);
  const unsigned log = widthLog(largest);
  const std::size_t width = std::size_t(1) << log, sparseBytes = values.size() * (4 + width),
                    denseBytes = numTiles * width;
  const bool sparse = sparseBytes < denseBytes;
  const std::size_t bytes = std::min(sparseBytes, denseBytes);
  const auto packed = [&] {
    return sparse ? pack(static_cast<std::uint8_t>(log << 2 | kSparseBit), values.size(), sparsePayload(values, width))
                  : pack(static_cast<std::uint8_t>(log << 2), numTiles, densePayload(values, numTiles, width));
  };
  if (bytes < kCompressFrom || bytes < numTiles / 8 || largest > std::numeric_limits<std::uint32_t>::max())
    return packed(); // a list has at least one bit per tile
  std::vector<std::uint32_t> numbers(numTiles);
  for (const auto &entry : values)
    numbers[entry.first] = static_cast<std::uint32_t>(entry.second);
  const ListPacker list(numbers);
  if (list.bytes() < kBlobHeaderBytes + bytes && !repeats(numbers))
    return list.blob();
  std::string blob = packed();
  const bool isList = blob.size() >= kCompressFrom && list.bytes() <= blob.size() + blob.size() / kListMayBeLarger;
  return isList ? list.blob() : blob;
}

namespace {

/// Calls visit(tile, value) for each value, including 0.
template <std::size_t Width, class Visit> void visitValues(const Decoded &d, std::size_t maxTiles, const Visit &visit) {
  if (!d.sparse) {
    for (std::size_t i = 0; i < d.count; ++i)
      visit(i, loadLittle<Width>(d.payload.data() + i * Width));
    return;
  }
  const char *values = d.payload.data() + d.count * 4;
  std::uint64_t next = 0; // smallest tile number that may follow
  for (std::size_t i = 0; i < d.count; ++i) {
    const std::uint64_t tile = loadLittle<4>(d.payload.data() + i * 4);
    if (tile < next || tile >= maxTiles)
      throwCorruptTiles("tile numbers do not ascend");
    next = tile + 1;
    visit(tile, loadLittle<Width>(values + i * Width));
  }
}

template <class Visit> void visitBlob(const Decoded &d, std::size_t maxTiles, const Visit &visit) {
  switch (d.width) {
  case 1: return visitValues<1>(d, maxTiles, visit);
  case 2: return visitValues<2>(d, maxTiles, visit);
  case 4: return visitValues<4>(d, maxTiles, visit);
  default: return visitValues<8>(d, maxTiles, visit);
  }
}

} // namespace

TileValues decodeTileValues(std::string_view blob, std::size_t maxTiles) {
  TileValues values;
  if (isPackedList(blob)) {
    const std::vector<std::uint64_t> numbers = openList(blob, maxTiles);
    for (std::size_t tile = 0; tile < numbers.size(); ++tile)
      if (numbers[tile] != 0)
        values.emplace_back(static_cast<std::uint32_t>(tile), numbers[tile]);
    return values;
  }
  visitBlob(open(blob, maxTiles), maxTiles, [&](std::uint64_t tile, std::uint64_t value) {
    if (value != 0)
      values.emplace_back(static_cast<std::uint32_t>(tile), value);
  });
  return values;
}

std::vector<std::uint64_t> decodeDense(std::string_view blob, std::size_t maxTiles) {
  if (isPackedList(blob))
    return openList(blob, maxTiles);
  const Decoded d = open(blob, maxTiles);
  std::vector<std::uint64_t> values(d.sparse ? maxTiles : d.count);
  visitBlob(d, maxTiles, [&](std::uint64_t tile, std::uint64_t value) { values[tile] = value; });
  return values;
}

void throwCorruptTiles(const char *what) { throw ProfileError(std::string("corrupt per-tile data: ") + what); }

} // namespace popscope
