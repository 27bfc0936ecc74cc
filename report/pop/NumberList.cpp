#include "report/pop/NumberList.hpp"

#include "report/pop/BlobBytes.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pop/TileBlocks.hpp"

#include <limits>

#include "base/Check.hpp"

namespace popscope {
namespace {

constexpr char kCodecList = 3;
constexpr std::size_t kListHeaderBytes = 5;

} // namespace

std::string packList(const std::vector<std::uint32_t> &numbers) {
  POPSCOPE_CHECK(numbers.size() <= std::numeric_limits<std::uint32_t>::max(), "a list of {} numbers", numbers.size());
  std::string blob(1, kCodecList);
  appendLittle(blob, numbers.size(), 4);
  return blob + packTiles(numbers);
}

std::size_t listBytes(const std::vector<std::uint32_t> &numbers) { return kListHeaderBytes + packedBytes(numbers); }

std::vector<std::uint64_t> unpackList(std::string_view blob) {
  if (blob.size() < kListHeaderBytes || !isPackedList(blob))
    throw ProfileError("corrupt list of numbers: unknown header byte");
  return unpackTiles(blob.substr(kListHeaderBytes),
                     readLittle(blob, 1, 4)); // refuses a count that its blocks do not have
}

bool isPackedList(std::string_view blob) { return !blob.empty() && blob[0] == kCodecList; }

} // namespace popscope
