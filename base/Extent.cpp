#include "base/Extent.hpp"

#include "base/WideLoops.hpp"

#include <algorithm>

namespace popscope {
namespace {

struct Wide { // local to this file, for the reason in WideLoops.hpp
  POPSCOPE_WIDE_LOOPS static std::pair<std::uint64_t, std::uint64_t> extentOf(std::span<const std::uint64_t> numbers) {
    std::uint64_t least = numbers.front(), most = least;
    for (const std::uint64_t number : numbers) {
      least = std::min(least, number);
      most = std::max(most, number);
    }
    return {least, most};
  }

  POPSCOPE_WIDE_LOOPS static std::uint64_t mostOf(std::span<const std::uint64_t> numbers) {
    std::uint64_t most = 0;
    for (const std::uint64_t number : numbers)
      most = std::max(most, number);
    return most;
  }
};

} // namespace

std::pair<std::uint64_t, std::uint64_t> extentOf(std::span<const std::uint64_t> numbers) {
  return Wide::extentOf(numbers);
}

std::uint64_t mostOf(std::span<const std::uint64_t> numbers) { return Wide::mostOf(numbers); }

} // namespace popscope
