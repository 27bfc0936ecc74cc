#include "graph/ir/ByteStream.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>

namespace popscope {

std::uint64_t ByteReader::number(std::uint64_t limit, const char *what) {
  const std::size_t at = at_;
  const std::uint64_t v = number();
  if (v > limit)
    fail(at, fmt::format("{} is {}, the largest possible value {}", what, v, limit));
  return v;
}

void ByteReader::need(std::uint64_t n, const char *what) const {
  if (left() < n)
    fail(at_, fmt::format("{} of {} bytes is expected and {} bytes are left", what, n, left()));
}

void ByteReader::fail(std::size_t at, const std::string &what) {
  throw poplar::poplar_error(fmt::format("Serialized data cannot be read: at byte {}, {}. Was the file written by this "
                                         "version and is it whole?",
                                         at, what));
}

} // namespace popscope
