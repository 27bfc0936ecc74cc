#include "graph/ir/Archive.hpp"

#include <fmt/format.h>

namespace popscope {

void ArchiveReader::fail(std::size_t at, const std::string &what) {
  throw ArchiveError(fmt::format("at byte {}, {}", at, what));
}

void ArchiveReader::failAbove(std::size_t at, const char *what, std::uint64_t value, std::uint64_t limit) {
  fail(at, fmt::format("{} is {}, the largest possible value {}", what, value, limit));
}

void ArchiveReader::failIndex(std::size_t at, const char *what, std::uint64_t index, std::uint64_t count) {
  fail(at, fmt::format("{} is {}; there are {}", what, index, count));
}

void ArchiveReader::failShort(std::size_t size) const {
  fail(fmt::format("{} bytes are expected and {} are left", size, left()));
}

void ArchiveReader::requireEnd() const {
  if (left() != 0)
    fail(fmt::format("{} bytes follow the end", left()));
}

void failVersion(std::uint64_t found, std::uint64_t reads) {
  throw ArchiveError(fmt::format("its format has version {}, this library reads version {}", found, reads));
}

} // namespace popscope
