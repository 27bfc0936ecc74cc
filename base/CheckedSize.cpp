#include "base/CheckedSize.hpp"

namespace popscope {

std::optional<std::uint64_t> checkedProduct(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    return std::nullopt;
  return product;
}

std::optional<std::uint64_t> checkedElements(const std::vector<std::size_t> &shape) {
  std::uint64_t others = 1;
  bool none = false;
  for (const std::size_t d : shape) {
    if (d == 0) {
      none = true;
      continue;
    }
    const auto product = checkedProduct(others, d);
    if (!product || *product > kMaxElements)
      return std::nullopt;
    others = *product;
  }
  return none ? 0 : others;
}

std::optional<std::size_t> checkedRange(const void *begin, const void *end) {
  if ((begin == nullptr) != (end == nullptr))
    return std::nullopt;
  const auto first = reinterpret_cast<std::uintptr_t>(begin), last = reinterpret_cast<std::uintptr_t>(end);
  if (last < first)
    return std::nullopt;
  return last - first;
}

} // namespace popscope
