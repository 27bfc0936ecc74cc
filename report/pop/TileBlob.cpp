#include "report/pop/TileBlob.hpp"

#include "base/Check.hpp"
#include "report/pop/BlobBytes.hpp"
#include "report/pop/NumberList.hpp"
#include "report/pop/PopFile.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace popscope {
namespace {

constexpr std::size_t kBlobHeaderBytes = 5;
constexpr std::uint8_t kCodecZlib = 1, kSparseBit = 16;
constexpr std::size_t kCompressFrom = 64;   // below this zlib does not pay
constexpr std::size_t kListMayBeLarger = 8; // by one part of so many than what zlib makes

unsigned widthLog(std::uint64_t largest) {
  return largest <= 0xFF ? 0 : largest <= 0xFFFF ? 1 : largest <= 0xFFFFFFFF ? 2 : 3;
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

/// Each number as `Width` little-endian bytes, which it must fit into.
template <class Width> std::string narrowed(const std::vector<std::uint32_t> &numbers) {
  std::string bytes(numbers.size() * sizeof(Width), '\0');
  char *out = bytes.data();
  for (const std::uint32_t number : numbers) {
    storeLittle(out, static_cast<Width>(number));
    out += sizeof(Width);
  }
  return bytes;
}

std::string narrowed(const std::vector<std::uint32_t> &numbers, unsigned widthLog) {
  switch (widthLog) {
  case 0: return narrowed<std::uint8_t>(numbers);
  case 1: return narrowed<std::uint16_t>(numbers);
  default: return narrowed<std::uint32_t>(numbers);
  }
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

Decoded open(std::string_view blob, std::size_t maxTiles) {
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

/// The numbers of a list that stands for a vector of tiles.
std::vector<std::uint64_t> openList(std::string_view blob, std::size_t maxTiles) {
  std::vector<std::uint64_t> numbers = unpackList(blob);
  if (numbers.size() > maxTiles)
    throwCorruptTiles("more values than tiles");
  return numbers;
}

} // namespace

std::string encodeTileValues(const TileValues &values, std::size_t numTiles) {
  std::uint64_t largest = 0;
  for (const auto &entry : values) {
    POPSCOPE_CHECK(entry.first < numTiles, "tile {} of {}", entry.first, numTiles);
    largest = std::max(largest, entry.second);
  }
  const unsigned log = widthLog(largest);
  const std::size_t width = std::size_t(1) << log;
  const bool sparse = values.size() * (4 + width) < numTiles * width;
  std::string payload;
  if (sparse) {
    for (const auto &entry : values)
      appendLittle(payload, entry.first, 4);
    for (const auto &entry : values)
      appendLittle(payload, entry.second, width);
    return pack(static_cast<std::uint8_t>(log << 2 | kSparseBit), values.size(), payload);
  }
  if (largest > std::numeric_limits<std::uint32_t>::max()) {
    payload.assign(numTiles * width, '\0');
    for (const auto &entry : values)
      for (std::size_t i = 0; i < width; ++i)
        payload[entry.first * width + i] = static_cast<char>(entry.second >> (8 * i) & 0xFF);
    return pack(static_cast<std::uint8_t>(log << 2), numTiles, payload);
  }
  std::vector<std::uint32_t> numbers(numTiles);
  for (const auto &entry : values)
    numbers[entry.first] = static_cast<std::uint32_t>(entry.second);
  std::string blob = pack(static_cast<std::uint8_t>(log << 2), numTiles, narrowed(numbers, log));
  const bool isList =
      blob.size() >= kCompressFrom && listBytes(numbers) <= blob.size() + blob.size() / kListMayBeLarger;
  return isList ? packList(numbers) : blob;
}

std::string_view TileValueEncoder::encode(const TileValues &values) {
  const unsigned log = values.size() == 1 ? widthLog(values.front().second) : 0;
  if (values.size() != 1 || 4 + (std::size_t(1) << log) >= numTiles_ << log || values.front().first >= numTiles_)
    return blob_ = encodeTileValues(values, numTiles_);
  blob_.clear(); // sparse, and too short to be compressed
  blob_.push_back(static_cast<char>(log << 2 | kSparseBit));
  appendLittle(blob_, 1, 4);
  appendLittle(blob_, values.front().first, 4);
  appendLittle(blob_, values.front().second, std::size_t(1) << log);
  return blob_;
}

std::string encodeDense(const std::vector<std::uint32_t> &values) {
  const std::uint32_t largest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  const unsigned log = widthLog(largest);
  return pack(static_cast<std::uint8_t>(log << 2), values.size(), narrowed(values, log));
}

namespace {

/// The i-th number of `Width` bytes.
template <std::size_t Width> std::uint64_t load(const char *bytes, std::size_t i) {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes + i * Width, Width);
    return value;
  } else {
    return readLittle({bytes + i * Width, Width}, 0, Width);
  }
}

/// Gives visit(tile, value) for each value, those of 0 too.
template <std::size_t Width, class Visit> void visitValues(const Decoded &d, std::size_t maxTiles, const Visit &visit) {
  if (!d.sparse) {
    for (std::size_t i = 0; i < d.count; ++i)
      visit(i, load<Width>(d.payload.data(), i));
    return;
  }
  const char *values = d.payload.data() + d.count * 4;
  std::uint64_t next = 0; // smallest tile number that may follow
  for (std::size_t i = 0; i < d.count; ++i) {
    const std::uint64_t tile = load<4>(d.payload.data(), i);
    if (tile < next || tile >= maxTiles)
      throwCorruptTiles("tile numbers do not ascend");
    next = tile + 1;
    visit(tile, load<Width>(values, i));
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
